package dev.towtank.app.engine;

import dev.towtank.apiserver.audit.AuditSink;
import dev.towtank.apiserver.pki.Pki;
import dev.towtank.cluster.Cluster;
import dev.towtank.cluster.pods.PodAccess;
import dev.towtank.node.machine.NamedNode;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/// A running API server as the command line sees it.
public interface Engine extends AutoCloseable {

    /// Where clients reach it.
    URI address();

    /// What whoever starts it should know, a sentence each.
    default List<String> notes() {
        return List.of();
    }

    /// The API as an administrator sees it, without a network between.
    Cluster cluster();

    /// The way into its pods.
    PodAccess pods();

    /// Ends all pods at once, without their grace periods, and makes no new ones.
    void kill();

    /// Ends watches, finishes the requests in flight, and returns when everything is on disk.
    @Override
    void close();

    /// Starts an engine.
    @FunctionalInterface
    interface Starter {

        /// Returns when clients can use it, not before.
        ///
        /// @throws java.net.BindException somewhere in the chain of causes when the port is taken
        Engine start(Site site) throws IOException;
    }

    /// What an engine is started on.
    ///
    /// @param store the directory for its objects; made by the engine. Without one, they end with the engine
    /// @param features the directory below which features keep files; made by the engine
    /// @param audit the directory of its audit log; made by the engine
    /// @param audited how much goes into that log
    /// @param port on the loopback address; 0 for any free one
    /// @param isPatient whether a start waits until clients can come; otherwise the first of them will wait
    /// @param virtualTime where the clock can be moved ahead: the file that keeps how far it was moved
    /// @param node how pods run; without one, they wait for ever
    /// @param without names of features that it does not run
    /// @param registry the port of a registry of its own, if it has one
    record Site(
            Optional<Path> store,
            Path features,
            Path audit,
            AuditSink.Level audited,
            int port,
            boolean isPatient,
            Pki pki,
            InstantSource clock,
            Optional<Path> virtualTime,
            Optional<Node> node,
            Set<String> without,
            OptionalInt registry) {
        public Site {
            without = Set.copyOf(without);
        }

        /// With a registry of images on this port of the loopback address.
        public Site withRegistry(int number) {
            return new Site(
                    store,
                    features,
                    audit,
                    audited,
                    port,
                    isPatient,
                    pki,
                    clock,
                    virtualTime,
                    node,
                    without,
                    OptionalInt.of(number));
        }

        public Site(
                Optional<Path> store,
                Path features,
                Path audit,
                AuditSink.Level audited,
                int port,
                boolean isPatient,
                Pki pki,
                InstantSource clock,
                Optional<Path> virtualTime,
                Optional<Node> node,
                Set<String> without) {
            this(
                    store,
                    features,
                    audit,
                    audited,
                    port,
                    isPatient,
                    pki,
                    clock,
                    virtualTime,
                    node,
                    without,
                    OptionalInt.empty());
        }

        /// With all features.
        public Site(
                Optional<Path> store,
                Path features,
                Path audit,
                AuditSink.Level audited,
                int port,
                boolean isPatient,
                Pki pki,
                InstantSource clock,
                Optional<Path> virtualTime,
                Optional<Node> node) {
            this(store, features, audit, audited, port, isPatient, pki, clock, virtualTime, node, Set.of());
        }
    }

    /// How this machine runs pods.
    ///
    /// @param directory for what belongs to pods and claims; made by the engine
    /// @param images the user's own image map; it need not exist
    /// @param runtime what runs containers
    /// @param unsafeHost as plain processes, without any isolation
    /// @param hostPaths directories of this machine that pods may mount
    /// @param further Node objects beside the machine's own, which stand for it too
    /// @param kept a directory for what sandboxes need of the machine's own files, to share with other engines
    /// @param real the images of registries; without, there are stand-ins alone
    /// @param builders whether containers may make mounts of their own where they ask for it
    record Node(
            Path directory,
            Path images,
            PodRuntime runtime,
            boolean unsafeHost,
            List<Path> hostPaths,
            List<NamedNode> further,
            Optional<Path> kept,
            Optional<RealImagesSite> real,
            boolean builders) {
        public Node {
            hostPaths = List.copyOf(hostPaths);
            further = List.copyOf(further);
        }

        /// With sandboxes of our own, or none.
        public Node(Path directory, Path images, boolean unsafeHost, List<Path> hostPaths) {
            this(directory, images, PodRuntime.BUBBLEWRAP, unsafeHost, hostPaths, List.of());
        }

        public Node(
                Path directory,
                Path images,
                PodRuntime runtime,
                boolean unsafeHost,
                List<Path> hostPaths,
                List<NamedNode> further) {
            this(directory, images, runtime, unsafeHost, hostPaths, further, Optional.empty(), Optional.empty(), false);
        }

        public Node keeping(Path place) {
            return new Node(
                    directory, images, runtime, unsafeHost, hostPaths, further, Optional.of(place), real, builders);
        }

        public Node with(RealImagesSite site) {
            return new Node(
                    directory, images, runtime, unsafeHost, hostPaths, further, kept, Optional.of(site), builders);
        }

        public Node withBuilders(boolean allowed) {
            return new Node(directory, images, runtime, unsafeHost, hostPaths, further, kept, real, allowed);
        }
    }
}

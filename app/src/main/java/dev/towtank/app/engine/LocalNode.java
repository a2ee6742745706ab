package dev.towtank.app.engine;

import dev.towtank.apiserver.User;
import dev.towtank.apiserver.server.ApiServer;
import dev.towtank.cluster.Timers;
import dev.towtank.cluster.pods.ImageShelf;
import dev.towtank.cluster.pods.PodAccess;
import dev.towtank.node.NodeAgent;
import dev.towtank.node.NodeSettings;
import dev.towtank.node.images.ImageMap;
import dev.towtank.node.images.ImageMode;
import dev.towtank.node.images.MappedImages;
import dev.towtank.node.images.RealImages;
import dev.towtank.node.images.store.ImageStore;
import dev.towtank.node.images.store.UnpackLimits;
import dev.towtank.node.sandbox.Sandbox;
import dev.towtank.node.sandbox.Sandboxes;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// The node of this machine, beside the server.
public final class LocalNode implements AutoCloseable {

    private static final System.Logger LOG = System.getLogger(LocalNode.class.getName());

    static final String KUBECTL = "kubectl";
    private static final String AWS = "aws";

    private final NodeAgent agent;
    private final Optional<KubectlService> kubectl;

    private LocalNode(NodeAgent agent, Optional<KubectlService> kubectl) {
        this.agent = agent;
        this.kubectl = kubectl;
    }

    /// @throws Failure pods cannot be isolated on this machine; it says why and what to do
    static Sandbox sandbox(Engine.Node node, Timers timers) {
        try {
            Files.createDirectories(node.directory());
            var shared = node.directory().resolve("sandbox");
            return switch (node.runtime()) {
                case BUBBLEWRAP ->
                    node.unsafeHost()
                            ? Sandboxes.unsafe(shared, timers)
                            : Sandboxes.bubblewrap(
                                    shared,
                                    node.kept().orElse(shared),
                                    node.real().filter(RealImagesSite::copied).isPresent(),
                                    timers);
                case PODMAN, DOCKER -> Sandboxes.engine(node.runtime().toString(), shared, timers);
            };
        } catch (IOException e) {
            throw new Failure(
                    e.getMessage() + "\nTo run pods as plain processes, without any isolation, start with"
                            + " --unsafe-host; to serve the API without running pods, with --no-node.",
                    e);
        }
    }

    /// @throws Failure when the user's map of images cannot be read, or there is no such engine
    public static ImageMap images(Engine.Node node, InstantSource clock) {
        return images(node, clock, Map.of());
    }

    /// @param own addresses of a registry of our own by the names that it has in pods
    /// @throws Failure when the user's map of images cannot be read, or there is no such engine
    static ImageMap images(Engine.Node node, InstantSource clock, Map<String, String> own) {
        try {
            return switch (node.runtime()) {
                case BUBBLEWRAP -> {
                    var map = mapped(node.images(), node.directory());
                    yield node.real()
                            .filter(_ -> !node.unsafeHost())
                            .filter(site -> site.mode() != ImageMode.STAND_IN)
                            .map(site -> real(site, map.withRegistry(own), clock))
                            .orElse(map);
                }
                case PODMAN, DOCKER ->
                    Sandboxes.engineImages(
                            node.runtime().toString(), node.directory().resolve("sandbox"));
            };
        } catch (IOException e) {
            throw new Failure(
                    (node.runtime() == PodRuntime.BUBBLEWRAP
                                    ? "There are no images to run: "
                                    : "--runtime " + node.runtime() + " cannot be used: ")
                            + e.getMessage(),
                    e);
        }
    }

    /// What builds images here, where it is more than a stand-in.
    static Optional<ImageShelf.Engine> builds(Engine.Node node) {
        if (node.runtime() == PodRuntime.BUBBLEWRAP) {
            return Optional.empty();
        }
        try {
            return Optional.of(Sandboxes.engineBuilds(
                    node.runtime().toString(), node.directory().resolve("sandbox")));
        } catch (IOException e) {
            throw new Failure("There is nothing to build images with: " + e.getMessage(), e);
        }
    }

    /// @param directory of the node
    public static MappedImages mapped(Path images, Path directory) throws IOException {
        var programs = new HashMap<>(KubectlService.programs(directory.resolve(KUBECTL)));
        programs.putAll(AwsProgram.programs(directory.resolve(AWS)));
        return MappedImages.load(images, directory.resolve("images"), programs, Features::program);
    }

    /// Without a place to keep images there are stand-ins, unless real ones alone will do.
    private static ImageMap real(RealImagesSite site, MappedImages map, InstantSource clock) {
        try {
            var store = ImageStore.use(site.store(), UnpackLimits.USUAL);
            return new RealImages(store, map, site.mode(), site::passwords, clock);
        } catch (IOException e) {
            if (site.mode() == ImageMode.REAL) {
                throw new Failure("Images cannot be kept in " + site.store() + ": " + e.getMessage(), e);
            }
            LOG.log(Level.WARNING, "images cannot be kept in {0}, so none are pulled: {1}", site.store(), e);
            return map;
        }
    }

    /// @param authority of the server's certificate
    static LocalNode start(
            Engine.Node node,
            NodeAgent.Containers runtime,
            ApiServer server,
            URI address,
            String authority,
            Timers timers)
            throws IOException {
        var name = "system:node:local";
        var identities = new NodeAgent.Identities(
                server.as(User.of(name, "system:nodes", User.ALL_AUTHENTICATED)),
                server.as(User.of("system:kube-scheduler", User.ALL_AUTHENTICATED)),
                server.as(User.of(
                        "system:serviceaccount:kube-system:storage",
                        "system:serviceaccounts",
                        "system:serviceaccounts:kube-system",
                        User.ALL_AUTHENTICATED)),
                server.as(User.of(
                        "system:serviceaccount:kube-system:node-controller",
                        "system:serviceaccounts",
                        "system:serviceaccounts:kube-system",
                        User.ALL_AUTHENTICATED)));
        var settings = NodeSettings.of(node.directory(), address, Version.TOWTANK)
                .allowing(node.hostPaths())
                .withBuilders(node.builders())
                .named(node.further());
        AwsProgram.place(node.directory().resolve(AWS));
        var kubectl = KubectlService.open(node.directory().resolve(KUBECTL), address, authority);
        return new LocalNode(NodeAgent.start(identities, timers, runtime, settings), kubectl);
    }

    Optional<String> sharedNetwork() {
        return agent.sharedNetwork();
    }

    PodAccess access() {
        return agent.access();
    }

    /// Ends what is left of pods at once.
    void kill() {
        try {
            agent.killAll();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// Ends all pods' containers within their grace periods.
    @Override
    public void close() {
        try {
            agent.shutDown();
        } catch (InterruptedException e) {
            LOG.log(Level.WARNING, "stopped before all containers had ended; they run on");
            Thread.currentThread().interrupt();
        }
        agent.close();
        kubectl.ifPresent(KubectlService::close);
    }
}

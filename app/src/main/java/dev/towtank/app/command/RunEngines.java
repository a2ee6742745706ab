package dev.towtank.app.command;

import dev.towtank.apiserver.audit.AuditSink;
import dev.towtank.apiserver.pki.Pki;
import dev.towtank.apiserver.pki.PrivateFile;
import dev.towtank.app.engine.DataDirectory;
import dev.towtank.app.engine.Engine;
import dev.towtank.app.engine.Failure;
import dev.towtank.app.engine.Instance;
import dev.towtank.app.engine.LocalNode;
import dev.towtank.app.engine.PodRuntime;
import dev.towtank.app.engine.RealImagesSite;
import dev.towtank.app.engine.RemoteLogs;
import dev.towtank.app.run.RunEngine;
import dev.towtank.app.run.images.ImageCheck;
import dev.towtank.app.shell.Surroundings;
import dev.towtank.cluster.Cluster;
import dev.towtank.cluster.pods.PodAccess;
import dev.towtank.cluster.remote.RemoteCluster;
import dev.towtank.node.images.ImageMap;
import dev.towtank.node.images.ImageMode;
import dev.towtank.node.images.RealImages;
import dev.towtank.node.volumes.Directories;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;

/// The engines that runs can have.
///
/// @param data of a server that may be running; its map of images counts for runs as well
/// @param images what steps run on
/// @param shared a directory for what engines use one after another that are gone with their runs
record RunEngines(
        Surroundings surroundings,
        DataDirectory data,
        Path shared,
        boolean unsafeHost,
        ImageMode images,
        PodRuntime runtime) {

    /// With sandboxes of our own.
    RunEngines(Surroundings surroundings, DataDirectory data, Path shared, boolean unsafeHost, ImageMode images) {
        this(surroundings, data, shared, unsafeHost, images, PodRuntime.BUBBLEWRAP);
    }

    /// An engine for one run. Its objects are in memory unless they are to be kept.
    RunEngine own(RunEngine.Site site) throws IOException {
        var own = new DataDirectory(site.directory());
        own.make();
        var node = new Engine.Node(
                        own.node(), images(own, site.isKept()), runtime, unsafeHost, site.hostPaths(), List.of())
                .keeping(shared.resolve("machine"))
                .with(RealImagesSite.of(data, images, surroundings.environment()));
        var engine = surroundings
                .engine()
                .start(new Engine.Site(
                        site.isKept() ? Optional.of(own.store()) : Optional.empty(),
                        own.features(),
                        own.audit(),
                        AuditSink.Level.OFF,
                        0,
                        false,
                        site.isKept() ? Pki.open(own.pki(), surroundings.clock(), List.of()) : sharedPki(),
                        surroundings.clock(),
                        Optional.empty(),
                        Optional.of(node)));
        return new Own(engine, site.isKept());
    }

    /// The images that an engine of its own would have.
    ImageCheck.Opened look() throws IOException {
        var place = Files.createTempDirectory("towtank-images-");
        var node = new Engine.Node(place, data.images(), runtime, unsafeHost, List.of(), List.of())
                .with(RealImagesSite.of(data, images, surroundings.environment()));
        try {
            return new Looked(LocalNode.images(node, surroundings.clock()), place);
        } catch (Failure e) {
            Directories.deleteAll(place);
            throw e;
        }
    }

    private record Looked(ImageMap map, Path place) implements ImageCheck.Opened {
        @Override
        public void close() {
            if (map instanceof RealImages real) {
                real.close();
            }
            try {
                Directories.deleteAll(place);
            } catch (IOException e) {
                // among temporary files
            }
        }
    }

    /// One on which nothing runs, and whose objects end with it.
    RunEngine empty(Path directory) throws IOException {
        var own = new DataDirectory(directory);
        own.make();
        var engine = surroundings
                .engine()
                .start(new Engine.Site(
                        Optional.empty(),
                        own.features(),
                        own.audit(),
                        AuditSink.Level.OFF,
                        0,
                        false,
                        sharedPki(),
                        surroundings.clock(),
                        Optional.empty(),
                        Optional.empty()));
        return new Own(engine, true);
    }

    private Path images(DataDirectory own, boolean isKept) throws IOException {
        if (isKept && Files.exists(data.images())) {
            Files.copy(data.images(), own.images());
        }
        return data.images();
    }

    // Keys take a while to make, and nobody but the pods of a run ever sees these.
    private Pki sharedPki() throws IOException {
        PrivateFile.makeDirectory(shared);
        // Two runs that begin at once must not both make them.
        try (var file = FileChannel.open(shared.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                var _ = file.lock()) {
            return Pki.open(shared.resolve("pki"), surroundings.clock(), List.of(), Pki.Life.SHORT);
        }
    }

    private record Own(Engine engine, boolean isKept) implements RunEngine {
        @Override
        public Cluster cluster() {
            return engine.cluster();
        }

        @Override
        public PodAccess pods() {
            return engine.pods();
        }

        @Override
        public void kill() {
            engine.kill();
        }

        /// What still runs when the run is over, nobody waits for, unless somebody wants to look at it later.
        @Override
        public void close() {
            if (!isKept) {
                engine.kill();
            }
            engine.close();
        }
    }

    /// The server that runs on the data directory.
    RunEngine running(RunEngine.Site site) {
        var instance = Instance.running(data)
                .orElseThrow(() -> new Failure("No server is running on " + data + ". Start one with "
                        + surroundings.programName() + " up --detach, or leave --server out."));
        var address = instance.address()
                .orElseThrow(() -> new Failure("The server is still starting: try again in a moment."));
        var pki = Pki.open(data.pki(), surroundings.clock(), List.of());
        var cluster = RemoteCluster.of(data.kubeconfig(), Optional.empty());
        return new Running(cluster, new RemoteLogs(address, pki.clientTls(pki.admin())));
    }

    private record Running(RemoteCluster cluster, RemoteLogs pods) implements RunEngine {
        /// The run is cancelled already, and the server is not ours to end.
        @Override
        public void kill() {}

        @Override
        public void close() {
            pods.close();
            cluster.close();
        }
    }
}

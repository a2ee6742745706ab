package dev.towtank.app;

import dev.towtank.apiserver.User;
import dev.towtank.apiserver.http.Backend;
import dev.towtank.apiserver.http.Health;
import dev.towtank.apiserver.http.HttpServer;
import dev.towtank.apiserver.http.OpenApiDocuments;
import dev.towtank.apiserver.http.Tls;
import dev.towtank.apiserver.metrics.ServerMetrics;
import dev.towtank.apiserver.pki.Pki;
import dev.towtank.apiserver.server.ApiServer;
import dev.towtank.apiserver.store.JournaledStore;
import dev.towtank.apiserver.store.Store;
import dev.towtank.apiserver.store.StoreLimits;
import dev.towtank.cluster.Cluster;
import dev.towtank.cluster.ControlLoops;
import dev.towtank.cluster.Feature;
import dev.towtank.cluster.ObjectName;
import dev.towtank.cluster.Selection;
import dev.towtank.cluster.pods.PodAccess;
import dev.towtank.controllers.pipelines.PipelinesFeature;
import dev.towtank.controllers.pipelines.runs.ImageCommands.ImageCommand;
import dev.towtank.model.Schemas;
import dev.towtank.model.StatusError;
import dev.towtank.model.kinds.core.Pods;
import dev.towtank.node.NodeAgent;
import dev.towtank.node.images.ImageMap;
import dev.towtank.node.logs.ContainerLogs;
import dev.towtank.node.sandbox.Sandbox;
import java.io.IOException;
import java.net.URI;
import java.security.SecureRandom;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/// Our own API server in this process.
final class EmbeddedEngine implements Engine.Starter {

    private static final String LOOPBACK = "127.0.0.1";

    private final HeadStart head;

    EmbeddedEngine(HeadStart head) {
        this.head = head;
    }

    @Override
    public Engine start(Engine.Site site) throws IOException {
        var audit = Audit.of(site);
        try {
            var engine = start(site, audit);
            head.over();
            return engine;
        } catch (IOException | RuntimeException e) {
            audit.close();
            throw e;
        }
    }

    private static Engine start(Engine.Site site, Audit audit) throws IOException {
        var time = VirtualTime.open(site.virtualTime());
        // To try whether pods can be isolated takes a while, in which the rest gets ready; without, nothing is started.
        var sandbox = site.node().map(node -> meanwhile(() -> LocalNode.sandbox(node, time.timers())));
        var door = new PodDoor();
        var store = site.store()
                .map(directory -> JournaledStore.open(directory, time.timers(), StoreLimits.DEFAULT, "towtank"))
                .orElseGet(() -> JournaledStore.inMemory(time.timers(), StoreLimits.DEFAULT));
        // Which port it is, is known only when the server listens.
        var port = new AtomicInteger(site.port());
        var images = site.node().map(LocalNode::images);
        var pipelines = PipelinesFeature.of(image -> images.flatMap(map -> command(map, image)), door, time.timers());
        var features = Features.all(site.pki().authorityPem(), LOOPBACK, port::get, pipelines);
        var server = new ApiServer(
                store,
                site.pki().tokenKeys(),
                site.pki().authorityPem(),
                site.pki().adminToken(),
                time.timers(),
                new SecureRandom(),
                features,
                audit.sink());
        var metrics = new ServerMetrics();
        metrics.gauge("towtank_store_revision", "Newest committed revision.", store::revision);
        var backend = new Backend(
                server.api(),
                server.catalog(),
                server.authenticator(),
                server.authorizer(),
                new OpenApiDocuments(server.catalog(), Schemas.builtin(), server.catalog()::schema),
                server.openId(),
                health(store),
                metrics,
                audit.sink(),
                site.node().map(_ -> door),
                time.endpoints());
        Optional<Sandbox> isolated;
        NetworkDoor http;
        try {
            isolated = sandbox.map(Supplier::get);
            http = NetworkDoor.open(
                    site,
                    options -> new HttpServer(options, () -> tls(site.pki()), backend, time.timers(), site.clock()));
        } catch (IOException | RuntimeException e) {
            server.close();
            throw e;
        }
        port.set(http.port());
        server.start();
        var loops = features.stream()
                .map(feature ->
                        ControlLoops.start(server.as(identity(feature)), time.timers(), metrics, List.of(feature)))
                .toList();
        var address = URI.create("https://" + LOOPBACK + ":" + http.port());
        Optional<LocalNode> node = Optional.empty();
        if (isolated.isPresent()) {
            var runtime = new NodeAgent.Containers(
                    isolated.get(), images.orElseThrow(), ContainerLogs::stored, List.of(pipelines.program()));
            var started = LocalNode.start(
                    site.node().orElseThrow(),
                    runtime,
                    server,
                    address,
                    site.pki().authorityPem(),
                    time.timers());
            door.open(started.access());
            node = Optional.of(started);
        }
        return new Running(http, server, loops, time, node, door, address, audit);
    }

    /// Does the work on another thread; whoever asks for its result waits for it.
    private static <T> Supplier<T> meanwhile(Supplier<T> work) {
        var task = new FutureTask<>(work::get);
        Thread.ofPlatform().name("meanwhile").daemon().start(task);
        return () -> {
            try {
                return task.get();
            } catch (ExecutionException e) {
                throw e.getCause() instanceof RuntimeException problem ? problem : new IllegalStateException(e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted while starting", e);
            }
        };
    }

    /// What an image runs, for steps that do not say.
    private static Optional<ImageCommand> command(ImageMap map, String image) {
        return map.find(image) instanceof ImageMap.Lookup.Found(var found)
                ? Optional.of(new ImageCommand(found.entrypoint(), found.command()))
                : Optional.empty();
    }

    private static Tls tls(Pki pki) {
        var serving = pki.serving();
        return new Tls(serving.privateKey(), List.of(serving.certificate(), pki.authority()), List.of(pki.authority()));
    }

    /// Ready means that the store answers, not only that the process lives.
    private static Health health(Store store) {
        return new Health(List.of(), List.of(new Health.Check("store", () -> {
            store.revision();
            return Optional.empty();
        })));
    }

    /// Every feature has an identity of its own, with a role of the bootstrap policy that allows what it needs.
    private static User identity(Feature feature) {
        return User.of(
                "system:serviceaccount:kube-system:" + feature.name(),
                "system:serviceaccounts",
                "system:serviceaccounts:kube-system",
                User.ALL_AUTHENTICATED);
    }

    private record Running(
            NetworkDoor http,
            ApiServer server,
            List<ControlLoops> loops,
            VirtualTime time,
            Optional<LocalNode> node,
            PodAccess pods,
            URI address,
            Audit audit)
            implements Engine {
        @Override
        public Cluster cluster() {
            return server.as(User.of("towtank-admin", User.MASTERS, User.ALL_AUTHENTICATED));
        }

        /// The controllers first, which would make new ones.
        @Override
        public void kill() {
            loops.forEach(ControlLoops::close);
            var now = new Cluster.DeleteOptions(Optional.empty(), Optional.empty(), Optional.empty(), Optional.of(0L));
            cluster().list(Pods.KIND, Selection.EVERYWHERE).items().forEach(pod -> {
                try {
                    cluster().delete(Pods.KIND, ObjectName.of(pod), now);
                } catch (StatusError e) {
                    // it has just gone by itself
                }
            });
            node.ifPresent(LocalNode::kill);
        }

        /// Pods first: what they do until their end still has a server to talk to.
        @Override
        public void close() {
            node.ifPresent(LocalNode::close);
            http.close();
            loops.forEach(ControlLoops::close);
            time.close();
            server.close();
            audit.close();
        }
    }
}

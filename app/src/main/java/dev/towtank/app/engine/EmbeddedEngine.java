package dev.towtank.app.engine;

import dev.towtank.apiserver.User;
import dev.towtank.apiserver.http.Backend;
import dev.towtank.apiserver.http.Health;
import dev.towtank.apiserver.http.HttpServer;
import dev.towtank.apiserver.http.OpenApiDocuments;
import dev.towtank.apiserver.http.Tls;
import dev.towtank.apiserver.http.WebPorts;
import dev.towtank.apiserver.metrics.ServerMetrics;
import dev.towtank.apiserver.pki.Pki;
import dev.towtank.apiserver.server.ApiServer;
import dev.towtank.apiserver.server.FeatureRoles;
import dev.towtank.apiserver.store.JournaledStore;
import dev.towtank.apiserver.store.Store;
import dev.towtank.apiserver.store.StoreLimits;
import dev.towtank.cluster.Cluster;
import dev.towtank.cluster.Feature;
import dev.towtank.cluster.Ground;
import dev.towtank.cluster.InHand;
import dev.towtank.cluster.ObjectName;
import dev.towtank.cluster.Running;
import dev.towtank.cluster.Selection;
import dev.towtank.cluster.Timers;
import dev.towtank.cluster.loop.ControlLoops;
import dev.towtank.cluster.loop.InHandJournal;
import dev.towtank.cluster.pods.ImageCommands.ImageCommand;
import dev.towtank.cluster.pods.ImageShelf;
import dev.towtank.cluster.pods.PodAccess;
import dev.towtank.cluster.web.Endpoint;
import dev.towtank.controllers.registry.RegistryFeature;
import dev.towtank.model.Schemas;
import dev.towtank.model.StatusError;
import dev.towtank.model.kinds.core.Pods;
import dev.towtank.node.NodeAgent;
import dev.towtank.node.images.ImageMap;
import dev.towtank.node.images.RealImages;
import dev.towtank.node.images.ShelvedImages;
import dev.towtank.node.logs.ContainerLogs;
import dev.towtank.node.sandbox.Sandbox;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.net.URI;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

/// Our own API server in this process.
public final class EmbeddedEngine implements Engine.Starter {

    private static final System.Logger LOG = System.getLogger(EmbeddedEngine.class.getName());
    private static final String LOOPBACK = "127.0.0.1";
    private static final User ADMIN = User.of("towtank-admin", User.MASTERS, User.ALL_AUTHENTICATED);
    private static final String MADE = "builds/images.json";

    private final HeadStart head;
    private final Supplier<Closing> closings;
    private final Function<Engine.Site, List<Feature>> features;

    public EmbeddedEngine(HeadStart head) {
        this(head, Closing::new);
    }

    /// @param closings what an engine notes down that is to be closed
    public EmbeddedEngine(HeadStart head, Supplier<Closing> closings) {
        this(head, closings, Features::of);
    }

    /// With these features in place of those that the platform has.
    public EmbeddedEngine(HeadStart head, List<Feature> features) {
        this(head, Closing::new, _ -> features);
    }

    private EmbeddedEngine(HeadStart head, Supplier<Closing> closings, Function<Engine.Site, List<Feature>> features) {
        this.head = head;
        this.closings = closings;
        this.features = features;
    }

    @Override
    public Engine start(Engine.Site site) throws IOException {
        var closing = closings.get();
        try {
            var engine = new Start(site, features.apply(site), closing).run();
            head.over();
            return engine;
        } catch (IOException | RuntimeException | Error e) {
            closing.close();
            throw e;
        }
    }

    /// The steps of a start, in their order. What a step opens, it adds to what is closed at the end, or when a later
    /// step
    /// fails.
    private static final class Start {
        private final Engine.Site site;
        private final Closing closing;
        private Optional<RealImages> real = Optional.empty();
        private final List<Feature> features;
        private final PodDoor door = new PodDoor();
        private final ServerMetrics metrics = new ServerMetrics();
        private final AtomicReference<List<Endpoint>> endpoints = new AtomicReference<>(List.of());
        private final AtomicReference<List<Running.Check>> checks = new AtomicReference<>(List.of());

        Start(Engine.Site site, List<Feature> features, Closing closing) {
            this.site = site;
            this.features = features;
            this.closing = closing;
        }

        Engine run() throws IOException {
            var audit = Audit.of(site);
            closing.add("the audit log", audit::close);
            var time = VirtualTime.open(site.virtualTime());
            closing.add("the timers", time::close);
            endpoints.set(time.endpoints());
            // To try whether pods can be isolated takes a while, in which the rest gets ready.
            var sandbox = sandbox(time.timers());
            var images = site.node().map(this::images);
            var server = server(time.timers(), audit);
            var ports = new WebPorts(names -> tls(site.pki(), names));
            closing.add("the ports of features", ports::close);
            // Without isolation nothing is started, so nobody is told an address before.
            var isolated = sandbox.map(Supplier::get);
            var http = http(server, time, audit);
            var address = URI.create("https://" + LOOPBACK + ":" + http.port());
            server.start();
            var ground = ground(time.timers(), images, ports, address).with(inHand(time.timers()));
            var loops = features(server, ground, time);
            var node = isolated.map(each -> node(each, images.orElseThrow(), server, loops, address, ground));
            real.ifPresent(kept -> upkeep(kept, server, time.timers()));
            return new Started(server, loops, node, door, address, closing);
        }

        /// Of those that come again: what one run leaves, the next may want.
        private void upkeep(RealImages kept, ApiServer server, Timers timers) {
            if (site.store().isPresent()) {
                var upkeep = new ImageUpkeep(kept, server.as(ADMIN), timers);
                closing.add("the upkeep of images", upkeep::close);
            }
        }

        /// What was built here goes before all others.
        private ShelvedImages images(Engine.Node node) {
            var images = LocalNode.images(node, site.clock(), registry());
            if (images instanceof RealImages real) {
                closing.add("the images", real::close);
                this.real = Optional.of(real);
            }
            return new ShelvedImages(images, site.features().resolve(MADE), LocalNode.builds(node));
        }

        /// Where images really are whose names begin as those of our own registry.
        private Map<String, String> registry() {
            return site.registry().isEmpty()
                    ? Map.of()
                    : Map.of(
                            RegistryFeature.ADDRESS,
                            LOOPBACK + ":" + site.registry().getAsInt());
        }

        private Optional<Supplier<Sandbox>> sandbox(Timers timers) {
            var begun = site.node().map(node -> meanwhile(() -> LocalNode.sandbox(node, timers)));
            begun.ifPresent(sandbox -> closing.add("the sandbox", () -> closeIfOpen(sandbox)));
            return begun;
        }

        /// One that could not be made has been told of already.
        private static void closeIfOpen(Supplier<Sandbox> sandbox) {
            Sandbox open;
            try {
                open = sandbox.get();
            } catch (RuntimeException e) {
                return;
            }
            open.close();
        }

        private ApiServer server(Timers timers, Audit audit) {
            var store = site.store()
                    .map(directory -> JournaledStore.open(directory, timers, StoreLimits.DEFAULT, "towtank"))
                    .orElseGet(() -> JournaledStore.inMemory(timers, StoreLimits.DEFAULT));
            metrics.gauge("towtank_store_revision", "Newest committed revision.", store::revision);
            try {
                var server = new ApiServer(
                        store,
                        site.pki().tokenKeys(),
                        site.pki().authorityPem(),
                        site.pki().adminToken(),
                        timers,
                        new SecureRandom(),
                        features,
                        audit.sink(),
                        door);
                closing.add("the API and its store", server::close);
                return server;
            } catch (RuntimeException e) {
                store.close();
                throw e;
            }
        }

        private NetworkDoor http(ApiServer server, VirtualTime time, Audit audit) throws IOException {
            var backend = new Backend(
                    server.api(),
                    server.catalog(),
                    server.authenticator(),
                    server.authorizer(),
                    new OpenApiDocuments(server.catalog(), Schemas.builtin(), server.catalog()::schema),
                    server.openId(),
                    health(server.store()),
                    metrics,
                    audit.sink(),
                    site.node().map(_ -> door),
                    endpoints::get);
            var http = NetworkDoor.open(
                    site,
                    options -> new HttpServer(options, () -> tls(site.pki()), backend, time.timers(), site.clock()));
            closing.add("the network", http::close);
            return http;
        }

        private Ground ground(Timers timers, Optional<ShelvedImages> images, WebPorts ports, URI address) {
            return Ground.of(timers)
                    .with(metrics)
                    .in(site.features())
                    .with(door, image -> images.flatMap(map -> command(map, image)))
                    .with(images.<ImageShelf>map(shelf -> shelf).orElse(ImageShelf.NONE))
                    .with(ports)
                    .at(site.pki().authorityPem(), () -> address);
        }

        /// Beside the store. Without it the server is no worse than it was, so it starts.
        private InHand inHand(InstantSource clock) {
            var directory =
                    site.store().map(Path::toAbsolutePath).map(Path::getParent).orElse(null);
            if (directory == null) {
                return InHand.FORGETFUL;
            }
            try {
                var journal = InHandJournal.open(directory, clock);
                closing.add("the journal of what is in hand", journal::close);
                return journal;
            } catch (IOException e) {
                LOG.log(
                        Level.WARNING,
                        "cannot write what is worked on to " + directory + " (" + e.getMessage()
                                + "): an object that ends the server will not be known to the next");
                return InHand.FORGETFUL;
            }
        }

        private ControlLoops features(ApiServer server, Ground ground, VirtualTime time) {
            var loops = ControlLoops.start(
                    server.as(FeatureRoles.identity("informers")),
                    feature -> server.as(FeatureRoles.identity(feature.name())),
                    ground,
                    features);
            closing.add("the controllers", loops::close);
            endpoints.set(Stream.concat(
                            time.endpoints().stream(),
                            loops.running().stream().flatMap(each -> each.endpoints().stream()))
                    .toList());
            checks.set(loops.running().stream()
                    .flatMap(each -> each.checks().stream())
                    .toList());
            return loops;
        }

        private LocalNode node(
                Sandbox sandbox, ImageMap images, ApiServer server, ControlLoops loops, URI address, Ground ground) {
            var programs = loops.running().stream()
                    .flatMap(each -> each.programs().stream())
                    .toList();
            var runtime = new NodeAgent.Containers(sandbox, images, ContainerLogs::stored, programs, ground.inHand());
            try {
                var node = LocalNode.start(
                        site.node().orElseThrow(),
                        runtime,
                        server,
                        address,
                        site.pki().authorityPem(),
                        ground.timers());
                // Pods first: what they do until their end still has a server to talk to.
                closing.add("the node", node::close);
                door.open(node.access());
                return node;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        /// Ready means that the store answers and every feature can work, not only that the process lives.
        private Health health(Store store) {
            var stored = new Health.Check("store", () -> {
                store.revision();
                return Optional.empty();
            });
            var able = new Health.Check(
                    "features",
                    () -> checks.get().stream()
                            .flatMap(check ->
                                    check.problem().get().map(problem -> check.name() + ": " + problem).stream())
                            .findFirst());
            return new Health(List.of(), List.of(stored, able));
        }
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

    private static Tls tls(Pki pki, List<String> names) {
        var issued = pki.issueServer(names);
        return new Tls(issued.privateKey(), List.of(issued.certificate(), pki.authority()), List.of());
    }

    private record Started(
            ApiServer server,
            ControlLoops loops,
            Optional<LocalNode> node,
            PodAccess pods,
            URI address,
            Closing closing)
            implements Engine {
        @Override
        public Cluster cluster() {
            return server.as(ADMIN);
        }

        @Override
        public List<String> notes() {
            return node.flatMap(LocalNode::sharedNetwork).stream().toList();
        }

        /// The controllers first, which would make new ones.
        @Override
        public void kill() {
            loops.close();
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

        @Override
        public void close() {
            closing.close();
        }
    }
}

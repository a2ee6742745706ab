package dev.towtank.node;

import dev.towtank.cluster.Cache;
import dev.towtank.cluster.Cluster;
import dev.towtank.cluster.InHand;
import dev.towtank.cluster.Informer;
import dev.towtank.cluster.Informers;
import dev.towtank.cluster.ObjectName;
import dev.towtank.cluster.Selection;
import dev.towtank.cluster.Timers;
import dev.towtank.cluster.loop.ControlLoops;
import dev.towtank.cluster.loop.EventRecorder;
import dev.towtank.cluster.pods.ContainerProgram;
import dev.towtank.cluster.pods.PodAccess;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Resource;
import dev.towtank.model.StatusError;
import dev.towtank.model.kinds.LogicalClusters;
import dev.towtank.model.kinds.core.ConfigMaps;
import dev.towtank.model.kinds.core.Nodes;
import dev.towtank.model.kinds.core.PersistentVolumes;
import dev.towtank.model.kinds.core.Pods;
import dev.towtank.model.kinds.core.Secrets;
import dev.towtank.model.kinds.core.Services;
import dev.towtank.model.kinds.storage.StorageClasses;
import dev.towtank.node.events.NodeEvents;
import dev.towtank.node.images.ImageMap;
import dev.towtank.node.linux.Processes;
import dev.towtank.node.linux.Scattering;
import dev.towtank.node.logs.ContainerLog;
import dev.towtank.node.machine.Heartbeat;
import dev.towtank.node.machine.Machine;
import dev.towtank.node.machine.NamedNode;
import dev.towtank.node.machine.NodeObject;
import dev.towtank.node.machine.PodCapacity;
import dev.towtank.node.network.PodNetwork;
import dev.towtank.node.network.PodNetworks;
import dev.towtank.node.network.PolicyLoop;
import dev.towtank.node.network.ServiceLoop;
import dev.towtank.node.network.ServiceTable;
import dev.towtank.node.pods.MachinePorts;
import dev.towtank.node.pods.NodeParts;
import dev.towtank.node.pods.PodGate;
import dev.towtank.node.pods.PodWorkers;
import dev.towtank.node.probes.Prober;
import dev.towtank.node.sandbox.Sandbox;
import dev.towtank.node.scheduling.Scheduler;
import dev.towtank.node.volumes.LocalVolumes;
import dev.towtank.node.volumes.NodeValues;
import dev.towtank.node.volumes.StorageFeature;
import dev.towtank.node.volumes.VolumeSettings;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// This machine as a node, or as several: registers them, schedules pods, runs them, and serves their volumes and
/// services.
public final class NodeAgent implements AutoCloseable {

    private static final System.Logger LOG = System.getLogger(NodeAgent.class.getName());
    private static final String LOCAL = "127.0.0.1";
    private static final int WRITES_AT_ONCE = 64;
    // Nobody waits for what ends: a shell that does not listen would take the shortest grace period, two seconds.
    private static final Duration HEARING = Duration.ofMillis(250);

    private static final Duration KILL_PATIENCE = Duration.ofSeconds(5);

    /// Who the parts of the node are to the API.
    ///
    /// @param node `system:node:…`
    /// @param scheduler `system:kube-scheduler`
    /// @param storage binds and provisions claims
    /// @param upkeep takes away nodes that are no more
    public record Identities(Cluster node, Cluster scheduler, Cluster storage, Cluster upkeep) {}

    /// What runs containers.
    ///
    /// @param storedLogs the log of a run that has ended, by its directory
    /// @param inHand is told which pods containers are started for
    public record Containers(
            Sandbox sandbox,
            ImageMap images,
            Function<Path, ContainerLog> storedLogs,
            List<ContainerProgram> programs,
            InHand inHand) {
        public Containers {
            programs = List.copyOf(programs);
        }
    }

    private final Informers informers;
    private final Informers schedulerInformers;
    private final NodeEvents events;
    private final NodeEvents schedulerEvents;
    private final PodWorkers workers;
    private final PodGate access;
    private final List<Heartbeat> heartbeats;
    private final Scheduler scheduler;
    private final ServiceLoop services;
    private final ControlLoops storage;
    private final Thread opening;
    private final Optional<MemoryDirectory> memory;
    private final PodNetwork networks;
    private final PolicyLoop policies;
    private final Intruders intruders;

    private NodeAgent(
            Identities identities,
            Timers timers,
            Containers runtime,
            NodeSettings settings,
            Optional<MemoryDirectory> memory,
            Machine machine,
            boolean machineRestarted) {
        var cluster = identities.node();
        this.memory = memory;
        this.informers = new Informers(cluster, timers, Informer.Settings.USUAL);
        this.schedulerInformers = new Informers(identities.scheduler(), timers, Informer.Settings.USUAL);
        this.events = new NodeEvents(new EventRecorder(cluster, timers, "kubelet"));
        this.schedulerEvents = new NodeEvents(new EventRecorder(identities.scheduler(), timers, "default-scheduler"));
        var nodes = nodes(machine.hostname(), settings.nodes());
        var names = nodes.stream().map(NamedNode::name).toList();
        int maxPods = PodCapacity.of(machine);
        var server = new ServiceTable.Backend(
                settings.server().getHost(), settings.server().getPort());
        this.services = new ServiceLoop(
                informers, timers, events, machine.address(), server, this::servicesChanged, this::sendAway);
        this.policies = new PolicyLoop(informers, timers, events);
        this.networks = networks(runtime, settings);
        networks.onHub(services::alsoOn);
        services.ask(policies.judge(services));
        this.intruders = Intruders.among(settings, memory);
        this.heartbeats = nodes.stream()
                .map(node -> new NodeObject.Offer(
                        machine,
                        node,
                        !node.name().equals(machine.hostname()),
                        maxPods,
                        settings.version(),
                        runtime.sandbox()
                                .abilities()
                                .without(networks.missing())
                                .without(networks.noIpv6())))
                .map(offer -> new Heartbeat(cluster, timers, offer, events))
                .toList();
        var parts = parts(cluster, timers, runtime, settings, machine, machineRestarted);
        this.workers = new PodWorkers(parts, names, informers.of(Pods.KIND));
        this.access = new PodGate(parts, workers);
        this.scheduler = new Scheduler(identities.scheduler(), names, schedulerInformers, timers, schedulerEvents);
        this.storage = ControlLoops.start(identities.storage(), timers, List.of(new StorageFeature(names)));
        // Asked for at once: when the thread begins, the server may be stopping already.
        List.of(LogicalClusters.KIND, ConfigMaps.KIND, Secrets.KIND, PersistentVolumes.KIND, Services.KIND)
                .forEach(informers::informer);
        this.opening = Thread.ofVirtual().name("node").unstarted(() -> open(parts));
    }

    private PodNetwork networks(Containers runtime, NodeSettings settings) {
        if (!settings.ownNetworks()) {
            return PodNetwork.ofMachine(PodNetworks.shared("so it was asked for"));
        }
        return runtime.sandbox().takesNetworks()
                ? PodNetworks.open(
                        settings.directory(),
                        new PodNetwork.Surroundings(
                                services::names, services::nodePorts, policies::isolation, services.callers()))
                : PodNetwork.ofMachine(PodNetworks.shared("what runs containers here has no others"));
    }

    /// Returns at once; pods of an earlier server are taken up beside.
    public static NodeAgent start(Identities identities, Timers timers, Containers runtime, NodeSettings settings)
            throws IOException {
        makePrivate(settings.directory());
        var memory = settings.memory().isPresent()
                ? Optional.of(MemoryDirectory.open(settings.memory().get(), settings.directory()))
                : Optional.<MemoryDirectory>empty();
        var _ = Scattering.ask(Files.createDirectories(pods(settings)));
        var agent = new NodeAgent(
                identities,
                timers,
                runtime,
                settings,
                memory,
                Machine.read(settings.directory()),
                wasRestarted(settings.directory().resolve("boot")));
        removeFormer(
                identities.upkeep(),
                settings.nodes().stream().map(NamedNode::name).collect(Collectors.toSet()));
        agent.heartbeats.forEach(Heartbeat::start);
        createStandards(identities.storage(), identities.node());
        agent.opening.start();
        agent.scheduler.start();
        agent.services.start();
        agent.policies.start(agent.networks, agent.workers::unenforced);
        return agent;
    }

    /// Whether the machine was restarted since a server last wrote into this file which run of the kernel it saw.
    private static boolean wasRestarted(Path boot) throws IOException {
        var now = Processes.boot();
        var before = Files.exists(boot) ? Files.readString(boot).strip() : now;
        Files.writeString(boot, now + "\n");
        return !before.equals(now);
    }

    /// The machine's own comes first.
    private static List<NamedNode> nodes(String hostname, List<NamedNode> named) {
        var nodes = new LinkedHashMap<String, NamedNode>();
        nodes.put(hostname, new NamedNode(hostname, Map.of()));
        named.forEach(node -> nodes.put(node.name(), node));
        return List.copyOf(nodes.values());
    }

    /// Takes away the Node objects of an earlier server that this one does not stand for.
    private static void removeFormer(Cluster cluster, Set<String> wanted) {
        try {
            for (var node : cluster.list(Nodes.KIND, Selection.in(LogicalCluster.DEFAULT))
                    .items()) {
                if (node.annotations().containsKey(NodeObject.FURTHER) && !wanted.contains(node.name())) {
                    cluster.delete(Nodes.KIND, ObjectName.of(node), Cluster.DeleteOptions.DEFAULT);
                }
            }
        } catch (StatusError e) {
            LOG.log(Level.WARNING, "cannot take away nodes of an earlier start: {0}", e.text());
        }
    }

    private static void makePrivate(Path directory) throws IOException {
        Files.createDirectories(directory);
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx------"));
    }

    private static Path pods(NodeSettings settings) {
        return settings.directory().resolve("pods");
    }

    private NodeParts parts(
            Cluster cluster,
            Timers timers,
            Containers runtime,
            NodeSettings settings,
            Machine machine,
            boolean machineRestarted) {
        var serviceCache = informers.of(Services.KIND);
        return new NodeParts(
                cluster,
                timers,
                runtime.sandbox(),
                runtime.images(),
                events,
                new VolumeSettings(
                        pods(settings),
                        settings.directory().resolve("claims"),
                        memory.map(MemoryDirectory::pods),
                        settings.hostPaths()),
                new NodeValues(machine.address(), machine.address(), NodeObject.allocatable(machine)),
                new Prober(LOCAL),
                networks,
                new MachinePorts(),
                runtime.programs(),
                pod -> {
                    var seen = new ArrayList<>(serviceCache.in(pod.cluster(), pod.namespace()));
                    if (!pod.namespace().equals("default")) {
                        seen.addAll(serviceCache.in(pod.cluster(), "default"));
                    }
                    return seen;
                },
                services::names,
                Map.of(
                        "KUBERNETES_SERVICE_HOST", settings.server().getHost(),
                        "KUBERNETES_SERVICE_PORT",
                                Integer.toString(settings.server().getPort()),
                        "KUBERNETES_SERVICE_PORT_HTTPS",
                                Integer.toString(settings.server().getPort())),
                runtime.storedLogs(),
                machineRestarted,
                settings.builders(),
                runtime.inHand(),
                new Semaphore(settings.startsAtOnce(), true),
                new Semaphore(WRITES_AT_ONCE));
    }

    private void servicesChanged() {
        workers.servicesChanged();
    }

    /// Pods that listen where a service is to be.
    private boolean sendAway(ServiceTable.Listener listener) {
        var found = intruders.at(listener);
        found.forEach(
                pod -> workers.evict(pod, "The pod listens on " + listener + ", which is an address of a service. "));
        return !found.isEmpty();
    }

    private void open(NodeParts parts) {
        memory.ifPresent(NodeAgent::tidy);
        try {
            var pods = informers.informer(Pods.KIND);
            pods.awaitSynced();
            var clusters = informers.informer(LogicalClusters.KIND);
            clusters.awaitSynced();
            clusters.subscribe(this::powerChanged);
            informers.informer(Services.KIND).awaitSynced();
            policies.awaitSynced();
            workers.removeLeftovers(pods.cache().list());
            pods.subscribe(workers::changed);
            follow(ConfigMaps.KIND, "configmaps");
            follow(Secrets.KIND, "secrets");
            informers.informer(PersistentVolumes.KIND).subscribe((before, now) -> {
                if (before != null && now == null) {
                    LocalVolumes.deleteLater(before, parts.volumes());
                }
            });
            forgetNetworksOfOthers(clusters.cache());
        } catch (InterruptedException e) {
            // closed
        } catch (IOException e) {
            LOG.log(Level.ERROR, "cannot look for what earlier pods left", e);
        }
    }

    private void powerChanged(@Nullable Resource before, @Nullable Resource now) {
        var cluster = now == null ? before : now;
        if (cluster != null) {
            workers.power(new LogicalCluster(cluster.name()), now != null && LogicalClusters.shouldSleep(now.json()));
        }
        if (cluster != null && now == null) {
            // It takes the kernel a while.
            var gone = new LogicalCluster(cluster.name());
            Thread.ofVirtual().name("networks").start(() -> forgetNetwork(gone));
        }
    }

    private void forgetNetwork(LogicalCluster cluster) {
        try {
            networks.forget(cluster);
        } catch (IOException e) {
            LOG.log(Level.WARNING, "the network of the cluster {0} is left: {1}", cluster, e.getMessage());
        }
    }

    /// Of clusters that went while no server ran.
    private void forgetNetworksOfOthers(Cache clusters) throws IOException {
        for (var cluster : networks.remembered()) {
            var name = new ObjectName(LogicalCluster.DEFAULT, "", cluster.id());
            if (!cluster.equals(LogicalCluster.DEFAULT) && clusters.get(name).isEmpty()) {
                forgetNetwork(cluster);
            }
        }
    }

    private static void tidy(MemoryDirectory memory) {
        try {
            memory.deleteAbandoned();
        } catch (IOException e) {
            LOG.log(Level.WARNING, "what servers that are gone left in memory stays there: {0}", e);
        }
    }

    private void follow(Kind<?> kind, String plural) {
        informers.informer(kind).subscribe((before, now) -> {
            // The first telling and the regular one bring nothing new.
            if (now != null && !now.equals(before)) {
                workers.sourceChanged(plural, now);
            }
        });
    }

    /// What every cluster has from its first moment.
    private static void createStandards(Cluster storageIdentity, Cluster node) {
        StorageFeature.classes()
                .forEach(json -> createMissing(storageIdentity, StorageClasses.KIND, Resource.of(json)));
        createMissing(node, Services.KIND, Resource.of(serverService()));
    }

    private static Json.Obj serverService() {
        var port = Json.Obj.builder()
                .put("name", "https")
                .put("protocol", "TCP")
                .put("port", 443)
                .put("targetPort", 6443)
                .build();
        var metadata = Json.Obj.builder()
                .put("name", "kubernetes")
                .put("namespace", "default")
                .put("labels", Json.Obj.of("component", Json.of("apiserver"), "provider", Json.of("kubernetes")))
                .build();
        return Json.Obj.builder()
                .put("apiVersion", "v1")
                .put("kind", "Service")
                .put("metadata", metadata)
                .put(
                        "spec",
                        Json.Obj.of("type", Json.of("ClusterIP"), "clusterIP", Json.of("127.96.0.1"))
                                .with("ports", Json.Arr.of(port)))
                .build();
    }

    private static void createMissing(Cluster cluster, Kind<?> kind, Resource object) {
        try {
            if (cluster.get(kind, ObjectName.of(object)).isEmpty()) {
                cluster.create(kind, object, Cluster.WriteOptions.DEFAULT);
            }
        } catch (StatusError e) {
            if (!e.is(StatusError.Reason.ALREADY_EXISTS)) { // somebody else was quicker
                LOG.log(Level.WARNING, "cannot create {0}: {1}", object.describe(), e.text());
            }
        }
    }

    /// The way into running pods.
    public PodAccess access() {
        return access;
    }

    /// Why pods have no networks of their own, as a sentence; empty where they have.
    public Optional<String> sharedNetwork() {
        return networks.missing();
    }

    /// Ends all containers within their grace periods, for a server that stops for good.
    public void shutDown() throws InterruptedException {
        scheduler.close();
        workers.shutDown();
        networks.dismantle();
        // Nobody uses it any more, and what is in memory would not survive the machine either.
        try {
            if (memory.isPresent()) {
                memory.get().delete();
            }
        } catch (IOException e) {
            LOG.log(Level.WARNING, "files of pods are left in memory: {0}", e);
        }
    }

    /// Ends all containers, a moment after those of deleted pods have heard of their end.
    public void killAll() throws InterruptedException {
        scheduler.close();
        workers.awaitNone(HEARING);
        workers.kill();
        workers.awaitNone(KILL_PATIENCE);
        workers.close();
        try {
            workers.removeLeftovers(List.of());
            networks.dismantle();
        } catch (IOException e) {
            LOG.log(Level.WARNING, "cannot look for what pods left", e);
        }
    }

    /// Stops looking after pods; their containers run on. The sandbox is the caller's to close.
    @Override
    public void close() {
        opening.interrupt();
        scheduler.close();
        policies.close();
        services.close();
        heartbeats.forEach(Heartbeat::close);
        workers.close();
        networks.close();
        storage.close();
        informers.close();
        schedulerInformers.close();
        events.close();
        schedulerEvents.close();
    }
}

package dev.towtank.node.scheduling;

import dev.towtank.cluster.Backoff;
import dev.towtank.cluster.Cache;
import dev.towtank.cluster.Cluster;
import dev.towtank.cluster.Informers;
import dev.towtank.cluster.ObjectName;
import dev.towtank.cluster.Timers;
import dev.towtank.cluster.loop.WorkQueue;
import dev.towtank.model.Json;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Quantity;
import dev.towtank.model.Resource;
import dev.towtank.model.StatusError;
import dev.towtank.model.kinds.ResourceLists;
import dev.towtank.model.kinds.core.Nodes;
import dev.towtank.model.kinds.core.PersistentVolumeClaims;
import dev.towtank.model.kinds.core.Pods;
import dev.towtank.model.kinds.storage.StorageClasses;
import dev.towtank.model.patch.Patch;
import dev.towtank.node.events.NodeEvents;
import dev.towtank.node.volumes.StorageFeature;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// Binds waiting pods to the nodes of this machine, in the order in which they came.
///
/// One thread decides; bindings are committed side by side, so that many share a sync. What is being bound counts as
/// used from the decision on.
public final class Scheduler implements AutoCloseable {

    private static final System.Logger LOG = System.getLogger(Scheduler.class.getName());
    private static final Duration UNSCHEDULABLE_RETRY = Duration.ofMinutes(5);
    private static final int BINDINGS_AT_ONCE = 64;
    private static final int RETRIES_AT_ONCE = 64;

    private final Cluster cluster;
    private final List<String> nodeNames;
    private final Timers timers;
    private final NodeEvents events;
    private final Cache nodes;
    private final Cache pods;
    private final Storage storage;
    private final Informers informers;
    private final WorkQueue<ObjectName> queue;
    private final Semaphore bindings = new Semaphore(BINDINGS_AT_ONCE);
    private final Usage usage = new Usage();

    // Written by the threads that read changes, applied by the one that decides.
    private final ConcurrentLinkedQueue<Runnable> usageChanges = new ConcurrentLinkedQueue<>();

    // What was said about pods that fit nowhere; guarded by its monitor.
    private final Map<ObjectName, String> unschedulable = new LinkedHashMap<>();

    // How many pods the nodes have, as the deciding thread last saw it.
    private final AtomicInteger used = new AtomicInteger();

    /// @param informers are the caller's to close, as are the events
    public Scheduler(Cluster cluster, List<String> nodeNames, Informers informers, Timers timers, NodeEvents events) {
        this.cluster = cluster;
        this.nodeNames = List.copyOf(nodeNames);
        this.timers = timers;
        this.informers = informers;
        this.events = events;
        this.nodes = informers.of(Nodes.KIND);
        this.pods = informers.of(Pods.KIND);
        this.storage = new CachedStorage(informers.of(PersistentVolumeClaims.KIND), informers.of(StorageClasses.KIND));
        this.queue = new WorkQueue<>(timers, Backoff.OF_SERVERS);
    }

    /// @return the thread that decides
    public Thread start() {
        return Thread.ofVirtual().name("scheduler").start(this::run);
    }

    private void run() {
        try {
            for (var kind : List.of(StorageClasses.KIND, PersistentVolumeClaims.KIND, Nodes.KIND, Pods.KIND)) {
                informers.informer(kind).awaitSynced();
            }
            informers.informer(Pods.KIND).subscribe(this::podChanged);
            informers.informer(Nodes.KIND).subscribe(this::nodeChanged);
            informers.informer(PersistentVolumeClaims.KIND).subscribe((_, _) -> retryAll());
            for (var key = queue.take(); key.isPresent(); key = queue.take()) {
                look(key.get());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void podChanged(@Nullable Resource before, @Nullable Resource now) {
        if (now == null || Scheduling.isOver(now)) {
            var gone = now == null ? before : now;
            if (gone != null) {
                usageChanges.add(() -> usage.remove(gone.uid()));
                forget(ObjectName.of(gone));
                retryUnschedulable();
            }
        } else if (nodeNames.contains(now.spec().string("nodeName"))) {
            usageChanges.add(() -> usage.add(now, now.spec().string("nodeName")));
        } else if (Scheduling.waits(now)) {
            queue.add(ObjectName.of(now));
        }
    }

    // Heartbeats come every few seconds and change nothing that counts.
    private void nodeChanged(@Nullable Resource before, @Nullable Resource now) {
        if (now != null && (before == null || !essence(before).equals(essence(now)))) {
            retryAll();
        }
    }

    private static Json.Obj essence(Resource node) {
        return Json.Obj.of(
                "labels", node.metadata().object("labels"),
                "spec", node.spec(),
                "allocatable", node.status().object("allocatable"));
    }

    /// Something changed that may make room. The longest waiting come first, and only so many that a crowd of waiting
    /// pods does not cost more with every pod that ends.
    private void retryUnschedulable() {
        int room = Math.clamp(maxPods() - used.get() + 1, 1, RETRIES_AT_ONCE);
        List<ObjectName> waiting;
        synchronized (unschedulable) {
            waiting = unschedulable.keySet().stream().limit(room).toList();
        }
        waiting.forEach(queue::add);
    }

    /// A node or a claim changed, which happens seldom and may concern any of them.
    private void retryAll() {
        List<ObjectName> waiting;
        synchronized (unschedulable) {
            waiting = List.copyOf(unschedulable.keySet());
        }
        waiting.forEach(queue::add);
    }

    // The same for each: that of the machine.
    private long maxPods() {
        return nodes().stream().mapToLong(Scheduler::maxPods).max().orElse(0);
    }

    private static long maxPods(Resource node) {
        return ResourceLists.quantity(node.status().at("allocatable", "pods"))
                .map(Quantity::value)
                .orElse(0L);
    }

    /// Whether there is nothing new to say about it; it then waits behind the others.
    private boolean isTold(ObjectName name, Decision decision) {
        if (!(decision instanceof Decision.Unschedulable(var message))) {
            return false;
        }
        synchronized (unschedulable) {
            if (!message.equals(unschedulable.get(name))) {
                return false;
            }
            if (!message.contains("Too many pods")) {
                unschedulable.remove(name);
                unschedulable.put(name, message);
            }
            return true;
        }
    }

    private void forget(ObjectName name) {
        synchronized (unschedulable) {
            unschedulable.remove(name);
        }
    }

    private void look(ObjectName name) throws InterruptedException {
        for (var change = usageChanges.poll(); change != null; change = usageChanges.poll()) {
            change.run();
        }
        used.set(usage.count());
        var pod = pods.get(name).filter(Scheduling::waits);
        if (pod.isEmpty() || usage.has(pod.get().uid())) {
            queue.done(name);
            return;
        }
        var decision = Scheduling.decide(pod.get(), nodes(), usage, storage);
        if (isTold(name, decision)) {
            queue.done(name);
            return;
        }
        if (decision instanceof Decision.Bind(var node)) {
            usage.add(pod.get(), node);
        }
        used.set(usage.count());
        bindings.acquire();
        Thread.ofVirtual().name("binding").start(() -> act(name, pod.get(), decision));
    }

    private List<Resource> nodes() {
        return nodeNames.stream()
                .flatMap(name -> nodes.get(new ObjectName(LogicalCluster.DEFAULT, "", name)).stream())
                .toList();
    }

    private void act(ObjectName name, Resource pod, Decision decision) {
        try {
            switch (decision) {
                case Decision.Bind(var node) -> bind(pod, node);
                case Decision.ChooseFor(var node, var claims) -> choose(pod, node, claims);
                case Decision.Unschedulable(var message) -> tell(name, pod, message);
            }
            queue.forget(name);
        } catch (StatusError e) {
            usageChanges.add(() -> usage.remove(pod.uid()));
            if (!e.is(StatusError.Reason.NOT_FOUND) && !e.is(StatusError.Reason.CONFLICT)) {
                LOG.log(Level.WARNING, "cannot schedule {0}: {1}", pod.describe(), e.text());
                queue.retry(name, Duration.ZERO);
            }
        } catch (RuntimeException e) {
            usageChanges.add(() -> usage.remove(pod.uid()));
            LOG.log(Level.WARNING, "cannot schedule " + pod.describe() + ", trying again", e);
            queue.retry(name, Duration.ZERO);
        } finally {
            bindings.release();
            queue.done(name);
        }
    }

    private void bind(Resource pod, String node) {
        forget(ObjectName.of(pod));
        var binding = Json.Obj.builder()
                .put("apiVersion", "v1")
                .put("kind", "Binding")
                .put("metadata", Json.Obj.of("name", Json.of(pod.name()), "namespace", Json.of(pod.namespace())))
                .put("target", Json.Obj.of("kind", Json.of("Node"), "name", Json.of(node)))
                .build();
        cluster.create(Pods.KIND, pod.with(binding), Cluster.WriteOptions.DEFAULT.on("binding"));
        events.normal(pod, "Scheduled", "Successfully assigned " + pod.namespace() + "/" + pod.name() + " to " + node);
    }

    private void choose(Resource pod, String node, List<String> claims) {
        for (var claim : claims) {
            var annotation = Json.Obj.of(Claims.SELECTED_NODE, Json.of(node));
            cluster.patch(
                    PersistentVolumeClaims.KIND,
                    new ObjectName(pod.cluster(), pod.namespace(), claim),
                    new Patch.Merge(Json.Obj.of("metadata", Json.Obj.of("annotations", annotation))),
                    Cluster.WriteOptions.DEFAULT);
        }
        // When the claim is bound, the pod is looked at again.
        synchronized (unschedulable) {
            unschedulable.put(ObjectName.of(pod), "");
        }
    }

    private void tell(ObjectName name, Resource pod, String message) {
        synchronized (unschedulable) {
            if (message.equals(unschedulable.put(name, message))) {
                return;
            }
        }
        // Merged by type: whatever else is known of the pod may have changed since it was looked at.
        var told = Json.Obj.of(
                "metadata", Json.Obj.of("uid", Json.of(pod.uid())),
                "status", Json.Obj.of("conditions", new Json.Arr(List.of(unscheduled(message)))));
        cluster.patch(Pods.KIND, name, new Patch.Strategic(told), Cluster.WriteOptions.STATUS);
        events.warning(pod, "FailedScheduling", message);
        queue.addAt(name, timers.instant().plus(UNSCHEDULABLE_RETRY));
    }

    private Json.Obj unscheduled(String message) {
        return Json.Obj.builder()
                .put("type", "PodScheduled")
                .put("status", "False")
                .put("lastProbeTime", Json.Null.NULL)
                .put(
                        "lastTransitionTime",
                        timers.instant().truncatedTo(ChronoUnit.SECONDS).toString())
                .put("reason", "Unschedulable")
                .put("message", message)
                .build();
    }

    /// Hands out no more pods; bindings under way finish.
    @Override
    public void close() {
        queue.close();
    }

    private record CachedStorage(Cache claims, Cache classes) implements Storage {
        @Override
        public Optional<Resource> claim(Resource pod, String name) {
            return claims.get(new ObjectName(pod.cluster(), pod.namespace(), name));
        }

        @Override
        public Optional<Resource> storageClass(Resource claim) {
            return StorageFeature.storageClass(classes, claim);
        }
    }
}

package dev.towtank.node.pods;

import dev.towtank.cluster.Cache;
import dev.towtank.cluster.ObjectName;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Resource;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// One worker for every pod of this machine's nodes that is not over.
public final class PodWorkers implements AutoCloseable {

    private static final System.Logger LOG = System.getLogger(PodWorkers.class.getName());

    private static final Duration AFTER_FAILURE = Duration.ofSeconds(10);

    private final NodeParts parts;
    private final Set<String> nodeNames;
    private final Cache pods;

    // Guarded by this object's monitor.
    private final Map<String, PodWorker> workers = new HashMap<>();
    private final Map<String, Set<String>> users = new HashMap<>();
    private final Set<LogicalCluster> asleep = new HashSet<>();
    private boolean closed;

    /// @param pods as the informer of pods sees them
    public PodWorkers(NodeParts parts, Collection<String> nodeNames, Cache pods) {
        this.parts = parts;
        this.nodeNames = Set.copyOf(nodeNames);
        this.pods = pods;
    }

    /// A handler of changes of pods.
    public void changed(@Nullable Resource before, @Nullable Resource now) {
        if (now != null) {
            if (nodeNames.contains(now.spec().string("nodeName"))) {
                if (before != null && !before.uid().equals(now.uid())) {
                    gone(before);
                }
                present(now);
            }
        } else if (before != null && !before.spec().string("nodeName").isEmpty()) {
            // Even of a node that is ours no more: it was this machine.
            gone(before);
        }
    }

    private synchronized void present(Resource pod) {
        var worker = workers.get(pod.uid());
        if (worker != null) {
            worker.changed(pod);
        } else if (!closed && (!Containers.isDone(pod) || pod.isDeleting())) {
            var made = new PodWorker(parts, pod, this::pods, this::finished, this::failed);
            workers.put(pod.uid(), made);
            for (var source : PodSources.of(pod)) {
                users.computeIfAbsent(source, _ -> new HashSet<>()).add(pod.uid());
            }
            made.rest(asleep.contains(pod.cluster()));
            made.start();
        }
    }

    private List<Resource> pods() {
        return all().stream().map(PodWorker::pod).toList();
    }

    /// A cluster was put to sleep, or woken: its pods stop, or start again.
    public void power(LogicalCluster cluster, boolean sleeps) {
        List<PodWorker> concerned;
        synchronized (this) {
            if (sleeps ? !asleep.add(cluster) : !asleep.remove(cluster)) {
                return;
            }
            concerned = all().stream()
                    .filter(worker -> worker.pod().cluster().equals(cluster))
                    .toList();
        }
        concerned.forEach(worker -> worker.rest(sleeps));
    }

    private void gone(Resource pod) {
        PodWorker worker;
        synchronized (this) {
            worker = workers.get(pod.uid());
        }
        if (worker != null) {
            worker.gone();
        } else {
            Thread.ofVirtual().name("clean up").start(() -> removeFiles(pod.uid()));
        }
    }

    private void finished(PodWorker worker) {
        var pod = worker.pod();
        synchronized (this) {
            workers.remove(pod.uid());
            for (var source : PodSources.of(pod)) {
                users.computeIfPresent(source, (_, uids) -> {
                    uids.remove(pod.uid());
                    return uids.isEmpty() ? null : uids;
                });
            }
            notifyAll();
        }
        // It may have been deleted while its worker was finishing.
        var newest = pods.get(ObjectName.of(pod)).filter(found -> found.uid().equals(pod.uid()));
        if (newest.isEmpty()) {
            removeFiles(pod.uid());
        } else if (newest.get().isDeleting() && !pod.isDeleting()) {
            present(newest.get());
        }
    }

    /// A worker that fell over is replaced after a while: what made it fall may pass.
    private void failed(PodWorker worker) {
        var pod = worker.pod();
        synchronized (this) {
            workers.remove(pod.uid());
        }
        parts.timers()
                .after(
                        AFTER_FAILURE,
                        () -> Thread.ofVirtual()
                                .start(() -> pods.get(ObjectName.of(pod))
                                        .filter(found -> found.uid().equals(pod.uid()))
                                        .ifPresent(this::present)));
    }

    private void removeFiles(String podUid) {
        try {
            if (PodFiles.isThere(parts, podUid)) {
                PodFiles.remove(parts, podUid);
            }
        } catch (IOException e) {
            LOG.log(Level.WARNING, "files of the pod {0} are left: {1}", podUid, e);
        }
    }

    /// Ends and deletes what an earlier server left of pods that are gone, or done.
    ///
    /// @param known all pods there are
    public void removeLeftovers(Collection<Resource> known) throws IOException {
        var done = known.stream().collect(Collectors.toMap(Resource::uid, Containers::isDone));
        for (var uid : PodFiles.pods(parts)) {
            if (!done.containsKey(uid)) {
                removeFiles(uid);
            } else if (done.get(uid)) {
                PodFiles.forget(parts, uid);
            }
        }
    }

    /// A ConfigMap or Secret changed: those who use it look at it.
    ///
    /// @param kind `configmaps` or `secrets`
    public void sourceChanged(String kind, Resource source) {
        var key = PodSources.key(kind, source.cluster(), source.namespace(), source.name());
        workersOf(key).forEach(PodWorker::sourcesChanged);
    }

    private synchronized List<PodWorker> workersOf(String source) {
        return users.getOrDefault(source, Set.of()).stream()
                .flatMap(uid -> Stream.ofNullable(workers.get(uid)))
                .toList();
    }

    public void servicesChanged() {
        all().forEach(PodWorker::servicesChanged);
    }

    public void evict(String podUid, String why) {
        worker(podUid).ifPresent(worker -> worker.evict(why));
    }

    /// Which policies about the pod's network are not in force, and why.
    public void unenforced(String podUid, Optional<String> policies) {
        worker(podUid).ifPresent(worker -> worker.memory().unenforced(policies));
    }

    private synchronized List<PodWorker> all() {
        return new ArrayList<>(workers.values());
    }

    synchronized Optional<PodWorker> worker(String podUid) {
        return Optional.ofNullable(workers.get(podUid));
    }

    public synchronized int count() {
        return workers.size();
    }

    /// Returns when no pod is looked after any more, or after this time.
    public synchronized void awaitNone(Duration longest) throws InterruptedException {
        long end = System.nanoTime() + longest.toNanos();
        for (long left = longest.toMillis();
                !workers.isEmpty() && left > 0;
                left = (end - System.nanoTime()) / 1_000_000) {
            wait(left);
        }
    }

    /// Ends at once what still runs.
    public void kill() {
        all().forEach(worker -> worker.memory().runs().forEach(ContainerRun::kill));
    }

    /// Ends all containers within their grace periods, and then looks after no pod any more.
    public void shutDown() throws InterruptedException {
        List<PodWorker> running;
        synchronized (this) {
            closed = true; // pods that come now are for the next server
            running = all();
        }
        running.forEach(PodWorker::shutDown);
        for (var worker : running) {
            worker.awaitStopped();
        }
        running.forEach(PodWorker::close);
        for (var worker : running) {
            worker.awaitEnd();
        }
    }

    /// Stops looking after the pods; their containers run on.
    @Override
    public void close() {
        synchronized (this) {
            closed = true;
        }
        var running = all();
        running.forEach(PodWorker::close);
        try {
            for (var worker : running) {
                worker.awaitEnd();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

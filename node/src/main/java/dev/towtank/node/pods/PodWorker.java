package dev.towtank.node.pods;

import dev.towtank.cluster.Cluster;
import dev.towtank.cluster.ObjectName;
import dev.towtank.model.Resource;
import dev.towtank.model.StatusError;
import dev.towtank.model.kinds.core.Pods;
import dev.towtank.node.volumes.PodVolumes;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;

/// Runs one pod: looks at what is known, decides with [PodActions], acts, tells, and waits for the next change.
final class PodWorker {

    private static final System.Logger LOG = System.getLogger(PodWorker.class.getName());
    private static final Duration SIZE_CHECK = Duration.ofSeconds(10);

    /// An image that is being pulled takes longer; what is pulled for is not started any more.
    private static final Duration LONGEST_START = Duration.ofSeconds(10);

    private static final Duration LONGEST_END = Duration.ofSeconds(5);

    private final NodeParts parts;
    private final PodMemory memory;
    private final StatusWriter status;
    private final PodPreparation preparation;
    private final ContainerStarter starter;
    private final ContainerStopper stopper;
    private final ContainerResizer resizer;
    private final Consumer<PodWorker> finished;
    private final Consumer<PodWorker> failed;
    private final Thread thread;
    private final CountDownLatch startsNoMore = new CountDownLatch(1);
    private volatile boolean shuttingDown;
    private volatile boolean resting;

    /// @param neighbours the pods of the same node
    /// @param finished is told when there is nothing more to do for the pod
    /// @param failed is told when the worker gave up, while its containers run on
    PodWorker(
            NodeParts parts,
            Resource pod,
            Supplier<List<Resource>> neighbours,
            Consumer<PodWorker> finished,
            Consumer<PodWorker> failed) {
        this.parts = parts;
        this.finished = finished;
        this.failed = failed;
        this.memory = new PodMemory(pod, startTime(parts, pod), parts.timers());
        this.status = new StatusWriter(parts, memory);
        var sources = new ApiSources(parts, pod);
        this.preparation = new PodPreparation(parts, memory, new PodVolumes(pod.uid(), parts.volumes(), sources));
        this.stopper = new ContainerStopper(parts, memory);
        this.resizer = new ContainerResizer(parts, memory, neighbours);
        this.starter = new ContainerStarter(parts, memory, this, preparation, sources, stopper);
        this.thread = Thread.ofVirtual()
                .name("pod " + pod.namespace() + "/" + pod.name())
                .unstarted(this::run);
    }

    private static Instant startTime(NodeParts parts, Resource pod) {
        var told = pod.status().string("startTime");
        return told.isEmpty()
                ? parts.timers().instant().truncatedTo(ChronoUnit.SECONDS)
                : ContainerStatus.instant(told);
    }

    void start() {
        thread.start();
    }

    Resource pod() {
        return memory.pod();
    }

    PodMemory memory() {
        return memory;
    }

    void changed(Resource pod) {
        memory.seen(pod);
    }

    /// The object is no longer there.
    void gone() {
        memory.gone();
    }

    /// Something that the pod refers to has changed.
    void sourcesChanged() {
        preparation.sourcesChanged();
        memory.retryConfiguration();
    }

    /// Services have got other addresses.
    void servicesChanged() {
        preparation.servicesChanged();
        memory.wake();
    }

    void tellPrograms() {
        memory.wakePrograms();
    }

    void awaitForProgram(BooleanSupplier condition) throws InterruptedException {
        memory.awaitForProgram(condition);
    }

    private void run() {
        try {
            starter.recover();
            while (!look()) {
                // looks again
            }
            end();
        } catch (InterruptedException e) {
            memory.runs().forEach(ContainerRun::close);
        } catch (RuntimeException e) {
            LOG.log(Level.ERROR, "the worker of " + memory.pod().describe() + " failed", e);
            memory.runs().forEach(ContainerRun::close);
            failed.accept(this);
        } finally {
            startsNoMore.countDown();
        }
    }

    /// One round.
    ///
    /// @return whether there is nothing more to do
    private boolean look() throws InterruptedException {
        memory.looking();
        boolean rests = shuttingDown || resting;
        if (rests) {
            stopForRest();
        }
        if (shuttingDown) {
            startsNoMore.countDown();
        }
        var now = parts.timers().instant();
        preparation.refresh(now);
        preparation.exceeded(now).ifPresent(this::evict);
        var actions = PodActions.compute(memory.pod(), memory.facts(), now);
        actions.failure().ifPresent(this::fail);
        actions.backingOff().forEach(starter::backOff);
        if (memory.pod().isDeleting()) {
            parts.network().retire(memory.pod().uid());
        }
        actions.stop().forEach(stopper::stop);
        resizer.resize(actions.resize());
        boolean started = !rests && start(actions);
        if (actions.over()) {
            memory.over();
            status.publishLast();
            return true;
        }
        status.publish();
        if (!started && actions.failure().isEmpty()) {
            memory.await(nextLook(actions, now));
        }
        return false;
    }

    private boolean start(PodActions actions) throws InterruptedException {
        if (actions.start().isEmpty() || !preparation.prepare(parts.timers().instant())) {
            return false;
        }
        for (var start : actions.start()) {
            if (!shuttingDown) {
                starter.start(start);
            }
        }
        return true;
    }

    private void fail(PodFacts.Failure why) {
        parts.events().warning(memory.pod(), why.reason(), why.message());
        memory.fail(why);
    }

    void evict(String message) {
        if (memory.facts().failure().isEmpty()) {
            fail(new PodFacts.Failure("Evicted", message));
        }
    }

    private Optional<Instant> nextLook(PodActions actions, Instant now) {
        var sizeCheck = memory.facts().anyRunning() ? Optional.of(now.plus(SIZE_CHECK)) : Optional.<Instant>empty();
        return Stream.of(actions.lookAgain(), preparation.nextLook(), sizeCheck)
                .flatMap(Optional::stream)
                .min(Instant::compareTo);
    }

    private void end() throws InterruptedException {
        status.await();
        memory.runs().forEach(ContainerRun::close);
        removeFiles();
        preparation.remove();
        if (memory.pod().isDeleting()) {
            confirmDeletion();
        }
        finished.accept(this);
    }

    /// The object may go now.
    private void confirmDeletion() {
        var pod = memory.pod();
        if (memory.isGone()) {
            return;
        }
        var now =
                new Cluster.DeleteOptions(Optional.of(pod.uid()), Optional.empty(), Optional.empty(), Optional.of(0L));
        try {
            parts.cluster().delete(Pods.KIND, ObjectName.of(pod), now);
        } catch (StatusError e) {
            if (!e.is(StatusError.Reason.NOT_FOUND) && !e.is(StatusError.Reason.CONFLICT)) {
                LOG.log(Level.WARNING, "cannot delete {0}: {1}", pod.describe(), e.text());
            }
        }
    }

    private void removeFiles() {
        var uid = memory.pod().uid();
        try {
            if (memory.pod().isDeleting()) {
                PodFiles.remove(parts, uid);
            } else {
                PodFiles.forget(parts, uid);
            }
        } catch (IOException e) {
            LOG.log(Level.WARNING, "files of {0} are left: {1}", memory.pod().describe(), e);
        }
    }

    /// Ends the containers for the server's sake: they are started again with it where their policy says so.
    void shutDown() {
        shuttingDown = true;
        memory.wake();
    }

    /// While its cluster sleeps nothing of the pod runs; what is to be started again is, when the cluster wakes.
    void rest(boolean wanted) {
        resting = wanted;
        memory.wake();
    }

    /// By the worker itself: so a container is stopped, too, that it was just starting.
    private void stopForRest() {
        var pod = memory.pod();
        for (var container : Containers.all(pod)) {
            var name = Containers.name(container);
            var facts = memory.facts().of(name);
            if (facts.isRunning() && facts.stopBy().isEmpty()) {
                var grace = PodActions.graceSeconds(pod, container, Optional.empty());
                var by = parts.timers().instant().plusSeconds(grace);
                stopper.stop(new PodActions.Stop(name, "Stopping container " + name, by));
            }
        }
    }

    /// Waits until no container runs, none will be started, and the status says so.
    void awaitStopped() throws InterruptedException {
        var _ = startsNoMore.await(LONGEST_START.toMillis(), TimeUnit.MILLISECONDS);
        memory.awaitForProgram(() -> !memory.facts().anyRunning());
        status.await();
    }

    /// Stops looking after the pod; its containers run on.
    void close() {
        thread.interrupt();
    }

    /// Once it is closed: waits until it touches no file any more.
    void awaitEnd() throws InterruptedException {
        if (!thread.join(LONGEST_END)) {
            LOG.log(
                    Level.WARNING,
                    "the worker of {0} does not end",
                    memory.pod().describe());
        }
    }
}

package dev.towtank.node.pods;

import dev.towtank.cluster.Timers;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;

/// What a worker and the threads around it know of their pod. Whoever changes something wakes the worker.
final class PodMemory {

    private final Timers timers;
    private final Instant startTime;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Condition forPrograms = lock.newCondition();

    // All guarded by the lock.
    private final Map<String, ContainerFacts> facts = new HashMap<>();
    private final Map<String, ContainerRun> runs = new HashMap<>();
    private Resource pod;
    private Optional<PodFacts.Failure> failure = Optional.empty();
    private Optional<PodFacts.Resizing> resizing = Optional.empty();
    private Optional<String> unenforced = Optional.empty();
    private boolean prepared;
    private boolean over;
    private boolean gone;
    private boolean dirty = true;
    private long changes;

    PodMemory(Resource pod, Instant startTime, Timers timers) {
        this.pod = pod;
        this.startTime = startTime;
        this.timers = timers;
    }

    /// The pod as it was last seen; one that is gone looks like one that is being deleted at once.
    Resource pod() {
        lock.lock();
        try {
            return pod;
        } finally {
            lock.unlock();
        }
    }

    /// All of one moment: a pod that is over, with a container that still runs, would look like one that failed.
    PodFacts facts() {
        lock.lock();
        try {
            return new PodFacts(facts, startTime, failure, resizing, unenforced, prepared, over);
        } finally {
            lock.unlock();
        }
    }

    Instant startTime() {
        return startTime;
    }

    Optional<ContainerRun> run(String container) {
        lock.lock();
        try {
            return Optional.ofNullable(runs.get(container));
        } finally {
            lock.unlock();
        }
    }

    List<ContainerRun> runs() {
        lock.lock();
        try {
            return new ArrayList<>(runs.values());
        } finally {
            lock.unlock();
        }
    }

    boolean isOver() {
        return ask(() -> over);
    }

    boolean isGone() {
        return ask(() -> gone);
    }

    boolean isPrepared() {
        return ask(() -> prepared);
    }

    private boolean ask(BooleanSupplier question) {
        lock.lock();
        try {
            return question.getAsBoolean();
        } finally {
            lock.unlock();
        }
    }

    void change(String container, UnaryOperator<ContainerFacts> change) {
        tell(() -> facts.put(container, change.apply(facts.getOrDefault(container, ContainerFacts.NEW))));
    }

    /// As above, unless the instance it is about has been replaced.
    void change(ContainerRun run, UnaryOperator<ContainerFacts> change) {
        tell(() -> {
            if (runs.get(run.name()) == run) {
                facts.put(run.name(), change.apply(facts.getOrDefault(run.name(), ContainerFacts.NEW)));
            }
        });
    }

    /// What could not start for want of something may be tried again.
    void retryConfiguration() {
        var now = timers.instant();
        tell(() -> facts.replaceAll((_, known) -> known.problem()
                .filter(problem -> problem.reason().equals("CreateContainerConfigError"))
                .map(problem -> known.with(new ContainerFacts.Problem(problem.reason(), problem.message(), now)))
                .orElse(known)));
    }

    void began(ContainerRun run) {
        tell(() -> runs.put(run.name(), run));
    }

    void fail(PodFacts.Failure why) {
        tell(() -> failure = failure.or(() -> Optional.of(why)));
    }

    void resizing(Optional<PodFacts.Resizing> now) {
        tell(() -> resizing = now);
    }

    void unenforced(Optional<String> now) {
        if (!ask(() -> unenforced.equals(now))) {
            tell(() -> unenforced = now);
        }
    }

    void prepared() {
        tell(() -> prepared = true);
    }

    void over() {
        tell(() -> over = true);
    }

    void wake() {
        tell(() -> {});
    }

    /// Takes in a newer state of the object; an older one is passed over.
    void seen(Resource newer) {
        tell(() -> {
            if (!gone && revision(newer) >= revision(pod)) {
                pod = newer;
            }
        });
    }

    // Watches and answers of writes overtake each other. Where versions are no numbers, the last one wins.
    private static long revision(Resource object) {
        try {
            return Long.parseLong(object.resourceVersion());
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    /// The object was removed without waiting for us.
    void gone() {
        tell(() -> {
            if (!gone) {
                gone = true;
                var metadata = pod.metadata()
                        .with("deletionTimestamp", Json.of(timers.instant().toString()))
                        .with("deletionGracePeriodSeconds", Json.of(0));
                pod = pod.with(pod.json().with("metadata", metadata));
            }
        });
    }

    /// Something in the pod's files has changed, which is of no concern to the worker.
    void wakePrograms() {
        lock.lock();
        try {
            changes++;
            forPrograms.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void tell(Runnable change) {
        lock.lock();
        try {
            change.run();
            dirty = true;
            changed.signalAll();
            wakePrograms();
        } finally {
            lock.unlock();
        }
    }

    /// From now on a change is a new one.
    void looking() {
        lock.lock();
        try {
            dirty = false;
        } finally {
            lock.unlock();
        }
    }

    /// Waits for a change, or for the moment.
    void await(Optional<Instant> until) throws InterruptedException {
        var timer = until.map(moment -> timers.at(moment, this::wake));
        lock.lockInterruptibly();
        try {
            // The moment may have passed before the timer was set.
            while (!dirty
                    && until.filter(moment -> !timers.instant().isBefore(moment))
                            .isEmpty()) {
                changed.await();
            }
        } finally {
            lock.unlock();
            timer.ifPresent(Timers.Timer::cancel);
        }
    }

    /// Waits until it is true; asked again at every change.
    void awaitForProgram(BooleanSupplier condition) throws InterruptedException {
        while (true) {
            long seen = changes();
            if (condition.getAsBoolean()) {
                return;
            }
            lock.lockInterruptibly();
            try {
                while (seen == changes) {
                    forPrograms.await();
                }
            } finally {
                lock.unlock();
            }
        }
    }

    private long changes() {
        lock.lock();
        try {
            return changes;
        } finally {
            lock.unlock();
        }
    }
}

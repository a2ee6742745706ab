package dev.towtank.cluster.loop;

import dev.towtank.cluster.Backoff;
import dev.towtank.cluster.Change;
import dev.towtank.cluster.Controller;
import dev.towtank.cluster.InHand;
import dev.towtank.cluster.Informer;
import dev.towtank.cluster.Informers;
import dev.towtank.cluster.Meters;
import dev.towtank.cluster.ObjectName;
import dev.towtank.cluster.Plan;
import dev.towtank.cluster.Timers;
import dev.towtank.cluster.Trigger;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.model.StatusError;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/// Runs a [Controller]: changes wake keys, workers take keys, decide and carry out the plan.
///
/// At most one worker looks at an object at a time. What fails is tried again, later each time, and said in the log
/// once per problem, not once per try.
public final class ControlLoop implements AutoCloseable {

    private static final System.Logger LOG = System.getLogger(ControlLoop.class.getName());
    private static final Duration LONGEST_CLOSE = Duration.ofSeconds(10);

    /// @param looks how often an object was looked at
    /// @param changes how many changes the plans had that were carried out
    /// @param stale how often a plan was older than the world
    /// @param failures how often a look failed
    /// @param waiting how many objects wait for a look
    public record Metrics(long looks, long changes, long stale, long failures, int waiting) {}

    /// @param needed what must have been read before the first look, besides the kinds that wake the controller
    /// @param mapper runs what triggers say, one after another; many loops may share it
    /// @param inHand is told what is looked at, and knows what must not be
    /// @param latency is told how many milliseconds each look took
    public record Parts(
            Informers informers,
            List<Informer> needed,
            PlanExecutor executor,
            Timers timers,
            Backoff backoff,
            Executor mapper,
            InHand inHand,
            Meters.Distribution latency) {
        public Parts {
            needed = List.copyOf(needed);
        }

        public Parts(
                Informers informers,
                List<Informer> needed,
                PlanExecutor executor,
                Timers timers,
                Backoff backoff,
                Executor mapper) {
            this(informers, needed, executor, timers, backoff, mapper, InHand.FORGETFUL);
        }

        public Parts(
                Informers informers,
                List<Informer> needed,
                PlanExecutor executor,
                Timers timers,
                Backoff backoff,
                Executor mapper,
                InHand inHand) {
            this(informers, needed, executor, timers, backoff, mapper, inHand, (_, _) -> {});
        }
    }

    private final Controller<?, ?> controller;
    private final PlanExecutor executor;
    private final Timers timers;
    private final InHand inHand;
    private final Meters.Distribution latency;
    private final Informer primaries;
    private final Set<Informer> needed = new LinkedHashSet<>();
    private final WorkQueue<ObjectName> queue;
    private final Map<ObjectName, String> problems = new ConcurrentHashMap<>();
    private final Set<Thread> workers = ConcurrentHashMap.newKeySet();
    private final AtomicInteger hired = new AtomicInteger();

    private final LongAdder looks = new LongAdder();
    private final LongAdder changes = new LongAdder();
    private final LongAdder stale = new LongAdder();
    private final LongAdder failures = new LongAdder();

    private ControlLoop(Controller<?, ?> controller, Parts parts) {
        this.controller = controller;
        this.executor = parts.executor;
        this.timers = parts.timers;
        this.inHand = parts.inHand;
        this.latency = parts.latency;
        this.queue = new WorkQueue<>(timers, parts.backoff);
        this.primaries = parts.informers.informer(controller.kind());
        needed.add(primaries);
        needed.addAll(parts.needed);
    }

    /// As many as are wanted now.
    private void hire() {
        int count = hired.get();
        while (count < Math.max(1, controller.workers().getAsInt())) {
            if (hired.compareAndSet(count, count + 1)) {
                var worker =
                        Thread.ofVirtual().name(controller.name() + " " + count).unstarted(this::work);
                workers.add(worker);
                worker.start();
            }
            count = hired.get();
        }
    }

    /// Whether whoever asks is one too many, and goes.
    private boolean isDismissed() {
        int wanted = Math.max(1, controller.workers().getAsInt());
        for (int count = hired.get(); count > wanted; count = hired.get()) {
            if (hired.compareAndSet(count, count - 1)) {
                return true;
            }
        }
        return false;
    }

    public static ControlLoop start(Controller<?, ?> controller, Parts parts) {
        var loop = new ControlLoop(controller, parts);
        loop.subscribe(parts.informers, parts.mapper);
        loop.hire();
        return loop;
    }

    public Controller<?, ?> controller() {
        return controller;
    }

    public Metrics metrics() {
        return new Metrics(looks.sum(), changes.sum(), stale.sum(), failures.sum(), queue.size());
    }

    private void subscribe(Informers informers, Executor mapper) {
        primaries.subscribe((before, now) -> {
            if (now == null || controller.concerns().test(now)) {
                wake(now == null ? before : now);
            }
        });
        for (var trigger : controller.triggers()) {
            var informer = informers.informer(trigger.kind());
            needed.add(informer);
            // What a trigger wakes is the feature's code: it does not run on the informer's thread.
            informer.subscribe((before, now) -> mapper.execute(() -> {
                wake(trigger, before);
                wake(trigger, now);
            }));
        }
        controller.wakers().forEach(waker -> waker.subscribe(waker.canWait() ? queue::addLater : queue::add));
    }

    private void wake(@Nullable Resource primary) {
        if (primary != null) {
            queue.add(ObjectName.of(primary));
        }
    }

    private void wake(Trigger trigger, @Nullable Resource changed) {
        if (changed == null) {
            return;
        }
        try {
            trigger.wakes().apply(changed).forEach(queue::add);
        } catch (RuntimeException e) {
            LOG.log(
                    Level.ERROR,
                    controller.name() + ": the trigger on " + trigger.kind().resource() + " failed",
                    e);
        }
    }

    private void work() {
        try {
            for (var informer : needed) {
                informer.awaitSynced();
            }
            while (!isDismissed()) {
                var key = queue.take();
                if (key.isEmpty()) {
                    return;
                }
                hire();
                lookAt(key.get());
            }
        } catch (InterruptedException e) {
            // closed
        } finally {
            workers.remove(Thread.currentThread());
        }
    }

    private void lookAt(ObjectName key) {
        try {
            var primary = primaries.cache().get(key);
            if (primary.isPresent()) {
                take(key, primary.get());
            } else {
                queue.drop(key);
                problems.remove(key);
                controller.wakers().forEach(waker -> waker.forget(key));
            }
        } catch (StatusError e) {
            failed(key, e.text(), Duration.ofSeconds(e.retryAfterSeconds()), null);
        } catch (UncheckedIOException e) {
            failed(key, String.valueOf(e.getMessage()), Duration.ZERO, null);
        } catch (RuntimeException | StackOverflowError | AssertionError e) {
            // A mistake of ours in one object's look must not stop the looks at all others.
            failed(key, e.toString(), Duration.ZERO, e);
        } finally {
            queue.done(key);
        }
    }

    private void take(ObjectName key, Resource primary) {
        switch (inHand.begin(controller.name(), primary)) {
            case InHand.SetAside aside -> leaveAlone(key, primary, aside);
            case InHand.Turn turn -> {
                try (turn) {
                    look(key, primary);
                }
            }
        }
    }

    private void look(ObjectName key, Resource primary) {
        looks.increment();
        if (isMarked(primary)) {
            executor.execute(mark(primary, Json.Null.NULL));
        }
        var begun = timers.instant();
        reconcile(key, primary);
        latency.observe(Duration.between(begun, timers.instant()).toNanos() / 1e6, controller.name());
    }

    private void leaveAlone(ObjectName key, Resource primary, InHand.SetAside aside) {
        queue.addAt(key, aside.until());
        var message = aside.message(controller.name());
        if (!message.equals(primary.annotations().get(InHand.ANNOTATION + controller.name()))) {
            executor.execute(Plan.of(Change.Event.warning(primary, InHand.REASON, message)));
            try {
                executor.execute(mark(primary, Json.of(message)));
            } catch (StatusError e) {
                // Not every controller may write to what it reads; the event has told.
            }
        }
        settled(key);
    }

    private boolean isMarked(Resource primary) {
        return primary.annotations().containsKey(InHand.ANNOTATION + controller.name());
    }

    private Plan mark(Resource primary, Json value) {
        var annotations = Json.Obj.of(InHand.ANNOTATION + controller.name(), value);
        return Plan.NONE.patch(
                controller.kind(), primary, Json.Obj.of("metadata", Json.Obj.of("annotations", annotations)));
    }

    private void reconcile(ObjectName key, Resource primary) {
        var plan = controller.decide(primary, Optional.ofNullable(problems.get(key)), timers.instant());
        switch (executor.execute(plan)) {
            case DONE -> {
                changes.add(plan.changes().size());
                settled(key);
                plan.lookAgain().ifPresent(moment -> queue.addAt(key, moment));
            }
            case STALE -> {
                stale.increment();
                queue.retry(key, Duration.ZERO);
            }
        }
    }

    private void settled(ObjectName key) {
        queue.forget(key);
        problems.remove(key);
    }

    private void failed(ObjectName key, String problem, Duration atLeast, @Nullable Throwable crash) {
        failures.increment();
        queue.retry(key, atLeast);
        if (problem.equals(problems.put(key, problem))) {
            return;
        }
        var text = controller.name() + ": " + controller.kind().kind() + " " + key + ": " + problem + "; trying again";
        if (crash == null) {
            LOG.log(Level.WARNING, text);
        } else {
            LOG.log(Level.ERROR, text, crash);
        }
    }

    /// Lets looks that have begun finish, for a while.
    @Override
    public void close() {
        queue.close();
        if (!needed.stream().allMatch(Informer::hasSynced)) {
            workers.forEach(Thread::interrupt);
        }
        try {
            for (var worker : workers) {
                if (!worker.join(LONGEST_CLOSE)) {
                    workers.forEach(Thread::interrupt);
                }
            }
        } catch (InterruptedException e) {
            workers.forEach(Thread::interrupt);
            Thread.currentThread().interrupt();
        }
    }
}

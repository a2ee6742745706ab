package dev.towtank.cluster.testing;

import dev.towtank.cluster.Backoff;
import dev.towtank.cluster.Caches;
import dev.towtank.cluster.Controller;
import dev.towtank.cluster.ObjectName;
import dev.towtank.cluster.Plan;
import dev.towtank.cluster.Selection;
import dev.towtank.cluster.loop.EventRecorder;
import dev.towtank.cluster.loop.PlanExecutor;
import dev.towtank.cluster.loop.WorkQueue;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.Resource;
import dev.towtank.model.StatusError;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/// Runs controllers on one thread in a world where everything comes late, in any order, and crashes come at any time:
/// events reach caches when chance says so, users act in between, a plan may be cut off between two of its changes,
/// after which the process starts anew. Everything follows from the seed, which a failure names.
///
/// What must hold for every controller is checked on the way: deciding is pure, a terminal status never changes, and
/// once nothing more happens the world settles.
public final class Simulation {

    /// What the users of the cluster do.
    @FunctionalInterface
    public interface User {
        void act(FakeCluster cluster, Random random);
    }

    private static final int TRACE = 60;
    private static final int MOST_STEPS = 20_000;
    private static final Backoff BACKOFF = new Backoff(Duration.ofMillis(10), Duration.ofSeconds(30));

    private record Running(Controller<?, ?> controller, WorkQueue<ObjectName> queue, PlanExecutor executor) {}

    private final long seed;
    private final Random random;
    private final FakeTimers timers = new FakeTimers();
    private final FakeCluster cluster = new FakeCluster(timers);
    private final CrashingCluster crashing = new CrashingCluster(cluster);
    private final Function<Caches, List<Controller<?, ?>>> controllers;
    private final Predicate<Resource> terminal;
    private final Map<String, Json.Obj> terminalStatuses = new HashMap<>();
    private final Deque<Supplier<String>> trace = new ArrayDeque<>();

    private Map<String, SimulatedView> views = new LinkedHashMap<>();
    private List<Running> running = List.of();
    private int crashes;

    /// @param terminal whether the status of a primary object is its last one
    public Simulation(long seed, Function<Caches, List<Controller<?, ?>>> controllers, Predicate<Resource> terminal) {
        this.seed = seed;
        this.random = new Random(seed);
        this.controllers = controllers;
        this.terminal = terminal;
        restart();
    }

    public FakeCluster cluster() {
        return cluster;
    }

    public FakeTimers timers() {
        return timers;
    }

    public int crashes() {
        return crashes;
    }

    /// So many steps of chance.
    public Simulation run(int steps, User user) {
        for (int i = 0; i < steps; i++) {
            switch (random.nextInt(10)) {
                case 0 -> act(user);
                case 1 -> {
                    say(() -> "time passes");
                    timers.advance(Duration.ofMillis(random.nextInt(2_000)));
                }
                case 2 -> collectGarbage();
                case 3, 4, 5 -> deliverOne();
                default -> lookAtOne(random.nextInt(8) == 0);
            }
        }
        return this;
    }

    /// Lets everything arrive and every retry come due, and checks that nothing remains to be done.
    public void settle(Duration horizon) {
        var end = timers.instant().plus(horizon);
        int steps = 0;
        while (true) {
            collectGarbage();
            while (deliverOne() || lookAtOne(false)) {
                check(++steps < MOST_STEPS, () -> "it does not settle");
                collectGarbage();
            }
            var next = timers.next();
            if (next.isEmpty() || next.get().isAfter(end)) {
                break;
            }
            timers.advanceTo(next.get());
        }
        running.forEach(this::checkSettled);
    }

    private void checkSettled(Running one) {
        for (var primary :
                cluster.list(one.controller.kind(), Selection.EVERYWHERE).items()) {
            var plan = one.controller.decide(primary, timers.instant());
            check(
                    plan.changes().isEmpty(),
                    () -> "the world is settled, yet for " + primary.describe() + " it wants to\n" + plan);
        }
    }

    private void act(User user) {
        say(() -> "a user acts");
        try {
            user.act(cluster, random);
        } catch (StatusError e) {
            say(() -> "  and is refused: " + e.text());
        }
    }

    /// Somebody else does this in every cluster, sooner or later.
    private void collectGarbage() {
        cluster.collectGarbage(views.values().stream().map(SimulatedView::kind).toList());
    }

    private boolean deliverOne() {
        var ready = views.values().stream().filter(SimulatedView::hasNext).toList();
        if (ready.isEmpty()) {
            return false;
        }
        var view = ready.get(random.nextInt(ready.size()));
        view.deliver((before, now) -> {
            say(() -> "delivers " + (now == null ? "the end of " + before.describe() : now.describe()));
            for (var one : running) {
                wakePrimary(one, view.kind(), before, now);
                wakeByTriggers(one, view.kind(), before);
                wakeByTriggers(one, view.kind(), now);
            }
        });
        return true;
    }

    /// As a control loop does.
    private static void wakePrimary(Running one, Kind<?> kind, Resource before, Resource now) {
        if (one.controller.kind().resource().equals(kind.resource())
                && (now == null || one.controller.concerns().test(now))) {
            one.queue.add(ObjectName.of(now == null ? before : now));
        }
    }

    private static void wakeByTriggers(Running one, Kind<?> kind, Resource changed) {
        if (changed == null) {
            return;
        }
        for (var trigger : one.controller.triggers()) {
            if (trigger.kind().resource().equals(kind.resource())) {
                trigger.wakes().apply(changed).forEach(one.queue::add);
            }
        }
    }

    private boolean lookAtOne(boolean mayCrash) {
        var ready = running.stream().filter(one -> one.queue.size() > 0).toList();
        if (ready.isEmpty()) {
            return false;
        }
        var one = ready.get(random.nextInt(ready.size()));
        var key = one.queue.poll().orElseThrow();
        view(one.controller.kind()).cache().get(key).ifPresent(primary -> look(one, key, primary, mayCrash));
        one.queue.done(key);
        return true;
    }

    private void look(Running one, ObjectName key, Resource primary, boolean mayCrash) {
        var now = timers.instant();
        var plan = one.controller.decide(primary, now);
        check(
                plan.equals(one.controller.decide(primary, now)),
                () -> "deciding twice about " + primary.describe() + " differs");
        say(() -> one.controller.name() + " looks at " + primary.describe() + ": "
                + plan.toString().indent(2).strip());
        if (mayCrash && !plan.changes().isEmpty()) {
            crashing.crashAfter(random.nextInt(plan.changes().size() + 1));
        }
        try {
            carryOut(one, key, plan);
        } catch (CrashingCluster.Crash e) {
            crashes++;
            say(() -> "crashes, and starts anew");
            restart();
        } finally {
            crashing.heal();
        }
        checkTerminal(one.controller.kind(), key);
    }

    private void carryOut(Running one, ObjectName key, Plan plan) {
        try {
            switch (one.executor.execute(plan)) {
                case DONE -> {
                    one.queue.forget(key);
                    plan.lookAgain().ifPresent(moment -> one.queue.addAt(key, moment));
                }
                case STALE -> {
                    say(() -> "  is stale");
                    one.queue.retry(key, Duration.ZERO);
                }
            }
        } catch (StatusError e) {
            say(() -> "  is refused: " + e.text());
            one.queue.retry(key, Duration.ZERO);
        }
    }

    private void checkTerminal(Kind<?> kind, ObjectName key) {
        cluster.get(kind, key).ifPresent(primary -> {
            var last = terminalStatuses.get(primary.uid());
            check(
                    last == null || last.equals(primary.status()),
                    () -> "the terminal status of " + primary.describe() + " changed from " + last + " to "
                            + primary.status());
            if (terminal.test(primary)) {
                terminalStatuses.put(primary.uid(), primary.status());
            }
        });
    }

    /// What a new process knows: nothing but what it will be told.
    private void restart() {
        running.forEach(one -> one.queue.close());
        views = new LinkedHashMap<>();
        var started = new ArrayList<Running>();
        for (var controller : controllers.apply(kind -> view(kind).cache())) {
            var events = new EventRecorder(crashing, timers, controller.name());
            started.add(new Running(
                    controller,
                    new WorkQueue<>(timers, BACKOFF),
                    new PlanExecutor(crashing, events, controller.name())));
            view(controller.kind());
            controller.triggers().forEach(trigger -> view(trigger.kind()));
        }
        running = started;
    }

    private SimulatedView view(Kind<?> kind) {
        return views.computeIfAbsent(kind.resource().toString(), _ -> new SimulatedView(cluster, kind));
    }

    /// Texts are made only when something fails.
    private void say(Supplier<String> line) {
        trace.addLast(line);
        if (trace.size() > TRACE) {
            trace.removeFirst();
        }
    }

    private void check(boolean holds, Supplier<String> problem) {
        if (!holds) {
            var lines = trace.stream().map(Supplier::get).collect(Collectors.joining("\n"));
            throw new AssertionError("with seed " + seed + ": " + problem.get() + "\n\nwhat happened last:\n" + lines);
        }
    }
}

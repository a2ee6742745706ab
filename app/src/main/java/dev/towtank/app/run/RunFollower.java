package dev.towtank.app.run;

import dev.towtank.app.run.view.LogLine;
import dev.towtank.app.run.view.Output;
import dev.towtank.app.run.view.RunState;
import dev.towtank.app.run.view.RunState.Phase;
import dev.towtank.app.run.view.RunState.Run;
import dev.towtank.app.run.view.RunState.Task;
import dev.towtank.app.run.view.RunStates;
import dev.towtank.app.run.view.SeenTimes;
import dev.towtank.cluster.Cluster;
import dev.towtank.cluster.ObjectName;
import dev.towtank.cluster.Selection;
import dev.towtank.cluster.Watch;
import dev.towtank.controllers.pipelines.runs.PipelineKinds;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Resource;
import dev.towtank.model.StatusError;
import dev.towtank.model.kinds.core.Pods;
import dev.towtank.model.patch.Patch;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/// Watches a run until its end, shows it, and passes on the wish to stop it.
final class RunFollower implements AutoCloseable {

    private static final Duration WATCH_TURN = Duration.ofSeconds(30);
    private static final Duration IDLE = Duration.ofSeconds(5);
    /// How long logs may take to end when the run is over.
    private static final Duration LOG_PATIENCE = Duration.ofSeconds(5);
    /// How long a run may take to end when the process must.
    private static final Duration END_PATIENCE = Duration.ofSeconds(10);
    private static final List<Kind<?>> WATCHED =
            List.of(PipelineKinds.TASK_RUN, PipelineKinds.PIPELINE_RUN, PipelineKinds.CUSTOM_RUN);

    /// How it ended.
    ///
    /// @param wasKilled the user would not wait for the end
    record End(RunState state, Resource run, List<Resource> children, boolean wasKilled) {}

    private sealed interface News {
        record Changed(Resource object) implements News {}

        record Line(LogLine line) implements News {}

        record LogEnded(String key) implements News {}

        record Wished(Stopping.Wish wish) implements News {}
    }

    private final Cluster cluster;
    private final RunEngine engine;
    private final InstantSource clock;
    private final Output output;
    private final SeenTimes times;
    private final LinkedBlockingQueue<News> news = new LinkedBlockingQueue<>();
    private final List<Thread> watches = new ArrayList<>();
    private final Map<String, Resource> objects = new LinkedHashMap<>();
    private final Set<String> endedLogs = new HashSet<>();
    private final LogFollower logs;
    private final Json.Obj definition;
    private Resource run;
    private int wishes;
    private Optional<Instant> deadline = Optional.empty();
    private Optional<Instant> overSince = Optional.empty();

    /// @param run as it was created
    /// @param definition the spec of its pipeline, where it is known
    RunFollower(
            RunEngine engine,
            Resource run,
            Json.Obj definition,
            Path logDirectory,
            Output output,
            InstantSource clock,
            Instant begun) {
        this.engine = engine;
        this.cluster = engine.cluster();
        this.run = run;
        this.definition = definition;
        this.output = output;
        this.clock = clock;
        this.times = new SeenTimes(begun);
        this.logs = new LogFollower(
                name -> cluster.get(Pods.KIND, name),
                engine.pods(),
                logDirectory,
                line -> news.add(new News.Line(line)),
                key -> news.add(new News.LogEnded(key)));
    }

    /// Somebody wants the run to end; on any thread.
    void wish(Stopping.Wish wish) {
        news.add(new News.Wished(wish));
    }

    End follow() throws InterruptedException {
        WATCHED.forEach(this::watch);
        while (true) {
            var state = look();
            logs.follow(state);
            output.state(state, clock.instant());
            if (state.phase().isOver()) {
                return new End(state, run, children(), false);
            }
            if (wishes > 1
                    || deadline.filter(moment -> !clock.instant().isBefore(moment))
                            .isPresent()) {
                engine.kill();
                return new End(killed(state), run, children(), true);
            }
            take();
        }
    }

    private RunState look() {
        var isOver = isOver(run);
        if (isOver && overSince.isEmpty()) {
            overSince = Optional.of(clock.instant());
        }
        boolean waitsForLogs = overSince
                .filter(moment -> clock.instant().isAfter(moment.plus(LOG_PATIENCE)))
                .isEmpty();
        var state = new RunStates(run, objects.values(), definition, key -> waitsForLogs && !endedLogs.contains(key))
                .state();
        return times.refine(state, clock.instant());
    }

    private static boolean isOver(Resource object) {
        return object.status().objects("conditions").stream()
                .anyMatch(condition -> condition.string("type").equals("Succeeded")
                        && !condition.string("status").equals("Unknown"));
    }

    private static RunState killed(RunState state) {
        return new RunState(
                state.name(),
                state.namespace(),
                state.kind(),
                state.title(),
                Phase.CANCELLED,
                "Killed",
                "the run was killed",
                state.started(),
                state.finished(),
                state.tasks().stream().map(RunFollower::killed).toList(),
                state.results());
    }

    private static Task killed(Task task) {
        return task.phase().isOver()
                ? task
                : new Task(
                        task.name(),
                        task.isFinally(),
                        task.phase() == Phase.RUNNING ? Phase.CANCELLED : Phase.SKIPPED,
                        task.after(),
                        "",
                        task.runs().stream().map(RunFollower::killed).toList());
    }

    private static Run killed(Run run) {
        return run.phase().isOver()
                ? run
                : new Run(
                        run.name(),
                        run.label(),
                        run.pod(),
                        Phase.CANCELLED,
                        "Killed",
                        "",
                        run.started(),
                        run.finished(),
                        run.attempts(),
                        run.retriesAllowed(),
                        run.reusedFrom(),
                        List.of(),
                        List.of());
    }

    /// All that has come, waiting for the first of it.
    private void take() throws InterruptedException {
        var patience = output.frame().orElse(IDLE);
        var first = news.poll(patience.toMillis(), TimeUnit.MILLISECONDS);
        for (var next = first; next != null; next = news.poll()) {
            switch (next) {
                case News.Changed(var object) -> keep(object);
                case News.Line(var line) -> output.log(line);
                case News.LogEnded(var key) -> endedLogs.add(key);
                case News.Wished(var wish) -> obey(wish);
            }
        }
    }

    private void keep(Resource object) {
        if (object.uid().equals(run.uid())) {
            run = object;
        } else {
            objects.put(object.uid(), object);
        }
    }

    private void obey(Stopping.Wish wish) {
        wishes++;
        if (wishes > 1) {
            return;
        }
        boolean isPipeline = run.kind().equals("PipelineRun");
        boolean isHurry = wish == Stopping.Wish.TERMINATE;
        if (isHurry) {
            deadline = Optional.of(clock.instant().plus(END_PATIENCE));
            output.notice("Asked to end: cancelling the run.");
        } else {
            output.notice(
                    isPipeline && definition.array("finally").size() > 0
                            ? "Cancelling; finally tasks still run. Ctrl-C again kills everything."
                            : "Cancelling. Ctrl-C again kills everything.");
        }
        var status = isPipeline ? isHurry ? "Cancelled" : "CancelledRunFinally" : "TaskRunCancelled";
        cancel(isPipeline ? PipelineKinds.PIPELINE_RUN : PipelineKinds.TASK_RUN, status);
    }

    private void cancel(Kind<?> kind, String status) {
        try {
            var patch = new Patch.Merge(Json.Obj.of("spec", Json.Obj.of("status", Json.of(status))));
            var _ = cluster.patch(kind, ObjectName.of(run), patch, Cluster.WriteOptions.DEFAULT);
        } catch (StatusError e) {
            // Over already, or gone: then there is nothing to cancel.
            if (!e.is(StatusError.Reason.NOT_FOUND) && !isOver(run)) {
                output.notice("The run cannot be cancelled: " + e.text());
            }
        }
    }

    private List<Resource> children() {
        var owners = new HashSet<>(Set.of(run.uid()));
        var children = new ArrayList<Resource>();
        // Pipelines inside of pipelines own runs as well; each pass goes one deeper.
        for (int before = -1; before < children.size(); ) {
            before = children.size();
            for (var object : objects.values()) {
                if (!children.contains(object)
                        && object.controller()
                                .filter(owner -> owners.contains(owner.uid()))
                                .isPresent()) {
                    children.add(object);
                    owners.add(object.uid());
                }
            }
        }
        return children;
    }

    private void watch(Kind<?> kind) {
        watches.add(Thread.ofVirtual().name("watch " + kind.plural()).start(() -> {
            while (!Thread.currentThread().isInterrupted()) {
                try {
                    watchOnce(kind);
                } catch (Watch.Ended | StatusError e) {
                    // from the list again
                } catch (UncheckedIOException e) {
                    // The server may be on its way back; without it the run goes on unseen.
                    if (!pause()) {
                        return;
                    }
                } catch (InterruptedException e) {
                    return;
                }
            }
        }));
    }

    private static boolean pause() {
        try {
            return !new CountDownLatch(1).await(1, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            return false;
        }
    }

    private void watchOnce(Kind<?> kind) throws InterruptedException {
        var selection = Selection.in(LogicalCluster.DEFAULT, run.namespace());
        var listing = cluster.list(kind, selection);
        listing.items().forEach(object -> news.add(new News.Changed(object)));
        try (var watch = cluster.watch(kind, selection, listing.resourceVersion())) {
            while (true) {
                for (var event : watch.next(WATCH_TURN)) {
                    switch (event) {
                        case Watch.Added(var object) -> news.add(new News.Changed(object));
                        case Watch.Modified(var object) -> news.add(new News.Changed(object));
                        case Watch.Deleted _, Watch.Bookmark _ -> {}
                    }
                }
            }
        }
    }

    @Override
    public void close() {
        watches.forEach(Thread::interrupt);
        logs.close();
    }
}

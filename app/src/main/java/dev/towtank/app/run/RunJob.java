package dev.towtank.app.run;

import dev.towtank.app.report.NodeFacts;
import dev.towtank.app.run.history.Resumption;
import dev.towtank.app.run.history.RunDirectory;
import dev.towtank.app.run.history.RunHistory;
import dev.towtank.app.run.history.RunRecord;
import dev.towtank.app.run.images.ImageCheck;
import dev.towtank.app.run.input.BadInput;
import dev.towtank.app.run.input.Document;
import dev.towtank.app.run.input.RunPlan;
import dev.towtank.app.run.view.Ending;
import dev.towtank.app.run.view.Output;
import dev.towtank.app.run.view.RunState;
import dev.towtank.cluster.Cluster.WriteOptions;
import dev.towtank.cluster.ObjectName;
import dev.towtank.cluster.Selection;
import dev.towtank.controllers.pipelines.runs.PipelineKinds;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.ObjectBuilder;
import dev.towtank.model.Resource;
import dev.towtank.model.StatusError;
import dev.towtank.model.kinds.core.Nodes;
import dev.towtank.model.patch.Patch;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// One run from its plan to its exit code.
public final class RunJob {

    /// What the job needs from outside.
    ///
    /// @param program what a user types to start this program
    public record Surroundings(
            RunEngine.Starter engine,
            Optional<ImageCheck> images,
            RunHistory history,
            Output output,
            Stopping stopping,
            InstantSource clock,
            String program,
            String version) {}

    /// @param isOwnEngine nothing else uses the engine
    /// @param isKept engine and files stay after the run
    public record Settings(boolean isOwnEngine, boolean isKept) {}

    private final Surroundings around;
    private final Settings settings;
    private final Instant begun;

    public RunJob(Surroundings around, Settings settings) {
        this.around = around;
        this.settings = settings;
        this.begun = around.clock().instant();
    }

    /// @param resumption where the run goes on from an earlier one
    /// @return the exit code
    /// @throws BadInput what was given is refused; nothing is left
    public int run(RunPlan plan, Optional<Resumption> resumption) throws IOException, InterruptedException {
        var history = around.history();
        if (settings.isOwnEngine()) {
            new DeadRuns(history, around.engine(), around.output()::notice).sweep();
        }
        plan.notices().forEach(around.output()::notice);
        if (around.images().isPresent()) {
            var look = around.images().get().look(plan);
            around.output().images(look.table());
            look.mapped().forEach(around.output()::notice);
            look.require();
        }
        var parent = settings.isKept() ? Optional.of(history.root()) : Optional.<Path>empty();
        try (var place = WorkPlace.make(parent, history.running())) {
            place.fill(plan.volumes());
            var hostPaths = plan.volumes().stream()
                    .map(volume -> volume.directory(place.volumes()))
                    .toList();
            try (var engine = around.engine().start(new RunEngine.Site(place.engine(), hostPaths, settings.isKept()))) {
                var files = new ApplyFiles(engine.cluster(), plan, around.output()::notice);
                files.apply(place.volumes(), settings.isOwnEngine());
                var run = create(engine, plan, files, resumption);
                var directory = history.begin(run.name());
                place.remember(directory);
                return follow(engine, plan, run, directory, place);
            }
        }
    }

    private static Resource create(RunEngine engine, RunPlan plan, ApplyFiles files, Optional<Resumption> resumption) {
        Kind<?> kind = plan.isPipeline() ? PipelineKinds.PIPELINE_RUN : PipelineKinds.TASK_RUN;
        var created = files.createRun();
        resumption.ifPresent(from -> takeOver(engine, kind, created, from));
        return created;
    }

    private static void takeOver(RunEngine engine, Kind<?> kind, Resource created, Resumption from) {
        var cluster = engine.cluster();
        for (var done : from.reused(created)) {
            Kind<?> childKind = switch (done.kind()) {
                case "CustomRun" -> PipelineKinds.CUSTOM_RUN;
                case "PipelineRun" -> PipelineKinds.PIPELINE_RUN;
                default -> PipelineKinds.TASK_RUN;
            };
            var made = cluster.create(childKind, done.with(done.json().without("status")), WriteOptions.DEFAULT);
            var patch = new Patch.Merge(Json.Obj.of("status", done.status()));
            var _ = cluster.patch(childKind, ObjectName.of(made), patch, WriteOptions.STATUS);
        }
        var start = new Patch.Merge(Json.Obj.of("spec", Json.Obj.of("status", Json.Null.NULL)));
        var _ = cluster.patch(kind, ObjectName.of(created), start, WriteOptions.DEFAULT);
    }

    private int follow(RunEngine engine, RunPlan plan, Resource run, RunDirectory directory, WorkPlace place)
            throws IOException, InterruptedException {
        Files.createDirectories(directory.logs());
        try (var follower = new RunFollower(
                engine,
                run,
                plan.definition().orElse(Json.Obj.EMPTY),
                directory.logs(),
                around.output(),
                around.clock(),
                begun)) {
            around.stopping().subscribe(follower::wish);
            var end = follower.follow();
            var state = end.state();
            int code = ExitCodes.of(state.phase());
            boolean keepsFiles = code != ExitCodes.SUCCEEDED || settings.isKept();
            directory.write(record(end, plan, directory, code, machine(engine)));
            if (settings.isKept()) {
                place.keepEngine(directory.engine());
            }
            if (keepsFiles) {
                place.keep(plan.volumes(), directory.workspaces());
            }
            around.history().prune();
            var finish = new Output.Finish(code, Optional.of(directory.path()), hints(state, directory));
            around.output().end(state, finish, around.clock().instant());
            return code;
        }
    }

    /// For reports; a run without it is still a run.
    private static Json.Obj machine(RunEngine engine) {
        var facts = Json.Obj.builder();
        try {
            engine.cluster().list(Nodes.KIND, Selection.EVERYWHERE).items().stream()
                    .findFirst()
                    .ifPresent(node -> {
                        facts.put("Kubernetes API", node.status().string("nodeInfo", "kubeletVersion"));
                        NodeFacts.of(node.json()).forEach(facts::put);
                    });
        } catch (StatusError | UncheckedIOException e) {
            // Its server does not say.
        }
        return facts.build();
    }

    private RunRecord record(RunFollower.End end, RunPlan plan, RunDirectory directory, int code, Json.Obj machine) {
        var state = end.state();
        var summary = Json.Obj.builder()
                .put("towtank", around.version())
                .put("name", state.name())
                .put("namespace", state.namespace())
                .put("kind", state.kind())
                .put("state", state.phase().word())
                .put("exitCode", code)
                .putNonEmpty("reason", state.reason())
                .putNonEmpty("message", state.message())
                .put("started", begun.toString())
                .put("finished", around.clock().instant().toString())
                .put("params", params(end.run()))
                .put("results", state.results())
                .put("machine", machine)
                .put("tasks", tasks(state))
                .put("times", times(state));
        return new RunRecord(
                directory.id(),
                summary.build(),
                end.run(),
                end.children(),
                plan.objects().stream().map(Document::json).toList(),
                plan.volumes());
    }

    private static Json.Obj params(Resource run) {
        var params = Json.Obj.builder();
        run.spec()
                .objects("params")
                .forEach(param -> params.put(
                        param.string("name"),
                        Optional.ofNullable(param.get("value")).orElse(Json.Null.NULL)));
        return params.build();
    }

    /// When runs, attempts and steps were seen to begin and to end: of objects it is known in whole seconds only.
    private static Json.Obj times(RunState state) {
        var times = Json.Obj.builder();
        for (var task : state.tasks()) {
            for (var run : task.runs()) {
                times.put(run.name(), time(run.started(), run.finished()));
                run.attempts().forEach(attempt -> steps(times, attempt.pod(), attempt.steps()));
                steps(times, run.pod(), run.steps());
            }
        }
        return times.build();
    }

    private static void steps(ObjectBuilder times, String pod, List<RunState.Step> steps) {
        steps.forEach(step -> times.put(pod + "/" + step.name(), time(step.started(), step.finished())));
    }

    private static Json.Obj time(Optional<Instant> started, Optional<Instant> finished) {
        var json = Json.Obj.builder();
        started.ifPresent(moment -> json.put("started", moment.toString()));
        finished.ifPresent(moment -> json.put("finished", moment.toString()));
        return json.build();
    }

    private static Json.Arr tasks(RunState state) {
        var tasks = new ArrayList<Json>();
        for (var task : state.tasks()) {
            var json = Json.Obj.builder()
                    .put("name", task.name())
                    .put("state", task.phase().word())
                    .putNonEmpty("reason", task.reason());
            task.started().ifPresent(time -> json.put("started", time.toString()));
            task.finished().ifPresent(time -> json.put("finished", time.toString()));
            tasks.add(json.put(
                            "runs",
                            Json.Arr.ofStrings(
                                    task.runs().stream().map(RunState.Run::name).toList()))
                    .build());
        }
        return new Json.Arr(tasks);
    }

    private List<Ending.Hint> hints(RunState state, RunDirectory directory) {
        var hints = new ArrayList<Ending.Hint>();
        if (state.phase() != RunState.Phase.SUCCEEDED) {
            Ending.culprits(state).stream()
                    .findFirst()
                    .flatMap(culprit -> logFile(directory, culprit))
                    .ifPresent(file -> hints.add(new Ending.Hint("whole log", "less " + Shell.quote(file.toString()))));
            if (state.kind().equals("PipelineRun")) {
                hints.add(new Ending.Hint("go on from there", around.program() + " run --resume " + directory.id()));
            }
        }
        if (settings.isKept()) {
            hints.add(new Ending.Hint(
                    "look at it",
                    around.program() + " up --data "
                            + Shell.quote(directory.engine().toString())));
        }
        return hints;
    }

    private static Optional<Path> logFile(RunDirectory directory, Ending.Culprit culprit) {
        var run = culprit.run();
        var attempt = run.retries() == 0 ? run.name() : run.name() + "-retry-" + run.retries();
        return culprit.step()
                .map(step -> directory.logs().resolve(attempt).resolve(step.name() + ".log"))
                .filter(Files::exists);
    }
}

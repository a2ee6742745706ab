package dev.towtank.app.run.view;

import dev.towtank.app.run.view.RunState.Attempt;
import dev.towtank.app.run.view.RunState.Phase;
import dev.towtank.app.run.view.RunState.Run;
import dev.towtank.app.run.view.RunState.Step;
import dev.towtank.app.run.view.RunState.Task;
import dev.towtank.model.Json;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/// States of runs to look at.
final class Samples {
    static final Instant START = Instant.parse("2026-03-01T12:00:00Z");

    private Samples() {}

    static Instant at(double seconds) {
        return START.plusMillis((long) (seconds * 1000));
    }

    static Optional<Instant> some(double seconds) {
        return seconds < 0 ? Optional.empty() : Optional.of(at(seconds));
    }

    static Step step(String name, Phase phase, double from, double to, int code) {
        return new Step(
                name,
                "step-" + name,
                phase,
                some(from),
                some(to),
                phase.isOver() ? OptionalInt.of(code) : OptionalInt.empty(),
                "");
    }

    static Run run(String name, String label, Phase phase, double from, double to, Step... steps) {
        return new Run(
                "ci-" + name,
                label,
                "ci-" + name + "-pod",
                phase,
                phase.isBad() ? "Failed" : "Running",
                phase.isBad() ? "\"step-unit\" exited with code 2: Error" : "",
                some(from),
                some(to),
                List.of(),
                0,
                "",
                List.of(steps),
                List.of());
    }

    static Run retried(Run run, int retries, int allowed) {
        return new Run(
                run.name(),
                run.label(),
                run.pod(),
                run.phase(),
                run.reason(),
                run.message(),
                run.started(),
                run.finished(),
                Collections.nCopies(retries, new Attempt("earlier", List.of())),
                allowed,
                "",
                run.steps(),
                run.sidecars());
    }

    static Run reused(Run run, String from) {
        return new Run(
                run.name(),
                run.label(),
                run.pod(),
                run.phase(),
                run.reason(),
                run.message(),
                run.started(),
                run.finished(),
                List.of(),
                0,
                from,
                run.steps(),
                run.sidecars());
    }

    static Task task(String name, Phase phase, List<String> after, Run... runs) {
        return new Task(name, false, phase, after, "", List.of(runs));
    }

    static Task last(String name, Phase phase, Run... runs) {
        return new Task(name, true, phase, List.of(), "", List.of(runs));
    }

    static Task skipped(String name, String reason) {
        return new Task(name, false, Phase.SKIPPED, List.of(), reason, List.of());
    }

    static RunState state(Phase phase, double end, Task... tasks) {
        return new RunState(
                "ci-x7k2p",
                "default",
                "PipelineRun",
                "pipeline ci",
                phase,
                phase.isBad() ? "Failed" : "Succeeded",
                "Tasks Completed: 3",
                some(0),
                some(end),
                List.of(tasks),
                Json.Obj.EMPTY);
    }

    static final RunState RUNNING = state(
            Phase.RUNNING,
            -1,
            task("clone", Phase.SUCCEEDED, List.of(), run("clone", "", Phase.SUCCEEDED, 0.2, 1.3)),
            task(
                    "test",
                    Phase.RUNNING,
                    List.of("clone"),
                    run("test-0", "go=1.24", Phase.SUCCEEDED, 1.3, 2.1),
                    retried(
                            run(
                                    "test-1",
                                    "go=1.25",
                                    Phase.RUNNING,
                                    1.3,
                                    -1,
                                    step("fetch", Phase.SUCCEEDED, 1.4, 1.7, 0),
                                    step("unit", Phase.RUNNING, 1.7, -1, 0),
                                    step("report", Phase.WAITING, -1, -1, 0)),
                            1,
                            3)),
            skipped("docs", "When Expressions evaluated to false"),
            task("deploy", Phase.WAITING, List.of("test")),
            last("notify", Phase.WAITING));

    static final RunState FAILED = state(
            Phase.FAILED,
            12.4,
            task("clone", Phase.SUCCEEDED, List.of(), reused(run("clone", "", Phase.SUCCEEDED, 0.2, 1.3), "ci-first")),
            task(
                    "test",
                    Phase.FAILED,
                    List.of("clone"),
                    run(
                            "test",
                            "",
                            Phase.FAILED,
                            1.3,
                            11.4,
                            step("fetch", Phase.SUCCEEDED, 1.4, 1.7, 0),
                            step("unit", Phase.FAILED, 1.7, 11.4, 2))),
            task("lint", Phase.IGNORED, List.of(), run("lint", "", Phase.IGNORED, 1.3, 2.0)),
            task("deploy", Phase.SKIPPED, List.of("test")),
            last("notify", Phase.SUCCEEDED, run("notify", "", Phase.SUCCEEDED, 11.5, 12.3)));

    static LogLine line(String step, String text) {
        return new LogLine("test", "ci-test", "ci-test-pod", step, text);
    }
}

package dev.towtank.controllers.pipelines.validation;

import dev.towtank.controllers.pipelines.api.PipelineRun;
import dev.towtank.controllers.pipelines.api.PipelineRunSpec;
import dev.towtank.controllers.pipelines.api.PipelineRunSpec.TaskOverride;
import dev.towtank.controllers.pipelines.api.PipelineRunSpec.Timeouts;
import dev.towtank.controllers.pipelines.substitution.ResultReference;
import dev.towtank.model.Durations;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;

/// Checks of a run of a pipeline.
final class PipelineRunChecks {

    private static final List<String> STATUSES = List.of(
            "",
            PipelineRunSpec.CANCELLED,
            PipelineRunSpec.CANCELLED_RUN_FINALLY,
            PipelineRunSpec.STOPPED_RUN_FINALLY,
            PipelineRunSpec.PENDING);

    private PipelineRunChecks() {}

    static Problems of(PipelineRun run, Optional<PipelineRun> old, AllowedFeatures gate) {
        var problems = Problems.none().add(TaskChecks.metadata(run.metadata()));
        if (run.isPending() && run.hasStarted()) {
            problems.add(Problems.invalid("PipelineRun cannot be Pending after it is started", "spec.status"));
        }
        var spec = Problems.none().add(spec(run.spec(), gate));
        old.ifPresent(before -> spec.add(update(run.spec(), before)));
        return problems.add(spec.via("spec"));
    }

    private static Problems update(PipelineRunSpec spec, PipelineRun old) {
        var problems = Problems.none();
        if (!spec.managedBy().equals(old.spec().managedBy())) {
            problems.add(Problems.invalid("managedBy is immutable", "spec.managedBy"));
        }
        if (old.isDone()) {
            return spec.equals(old.spec())
                    ? Problems.none()
                    : problems.add(Problems.invalid("Once the PipelineRun is complete, no updates are allowed", ""));
        }
        return withoutStatus(spec).equals(withoutStatus(old.spec()))
                ? problems
                : problems.add(
                        Problems.invalid("Once the PipelineRun has started, only status updates are allowed", ""));
    }

    private static PipelineRunSpec withoutStatus(PipelineRunSpec spec) {
        return new PipelineRunSpec(
                spec.pipelineRef(),
                spec.pipelineSpec(),
                spec.params(),
                "",
                spec.timeouts().map(PipelineRunChecks::canonical),
                spec.taskRunTemplate(),
                spec.workspaces(),
                spec.taskRunSpecs(),
                Optional.empty());
    }

    private static Timeouts canonical(Timeouts timeouts) {
        return new Timeouts(
                timeouts.pipelineLimit().map(Durations::format),
                timeouts.tasksLimit().map(Durations::format),
                timeouts.finallyLimit().map(Durations::format));
    }

    private static Problems spec(PipelineRunSpec spec, AllowedFeatures gate) {
        var problems = Problems.none().add(what(spec, gate)).add(params(spec));
        spec.timeouts().ifPresent(timeouts -> problems.add(timeouts(timeouts)));
        problems.add(gate.isBeta() ? BetaChecks.propagatedWorkspaces(spec) : Problems.none());
        for (int i = 0; i < spec.taskRunSpecs().size(); i++) {
            problems.add(
                    override(spec.taskRunSpecs().get(i), spec.timeouts(), gate).viaFieldIndex("taskRunSpecs", i));
        }
        if (!STATUSES.contains(spec.status())) {
            problems.add(Problems.invalid(
                    spec.status()
                            + " should be Cancelled, CancelledRunFinally, StoppedRunFinally or PipelineRunPending",
                    "status"));
        }
        problems.add(workspaces(spec));
        spec.taskRunTemplate()
                .podTemplate()
                .ifPresent(template -> problems.add(
                        TaskRunChecks.podTemplate(template, gate).via(gate.isBeta() ? "" : "taskRunTemplate")));
        return problems;
    }

    private static Problems what(PipelineRunSpec spec, AllowedFeatures gate) {
        var problems = Problems.none();
        if (spec.pipelineRef().isEmpty() && spec.pipelineSpec().isEmpty()) {
            problems.add(Problems.missingOneOf("pipelineRef", "pipelineSpec"));
        }
        if (spec.pipelineRef().isPresent() && spec.pipelineSpec().isPresent()) {
            problems.add(Problems.multipleOneOf("pipelineRef", "pipelineSpec"));
        }
        spec.pipelineRef().ifPresent(ref -> problems.add(RefChecks.of(ref, gate).via("pipelineRef")));
        spec.pipelineSpec().ifPresent(pipeline -> {
            problems.add(
                    gate.flags().forbidsInlineSpec("pipelinerun")
                            ? Problems.disallowed("pipelineSpec")
                            : Problems.none());
            problems.add(PipelineChecks.spec(pipeline, gate).via("pipelineSpec"));
            problems.add(InlineParams.of(spec, pipeline, gate));
        });
        return problems;
    }

    private static Problems params(PipelineRunSpec spec) {
        var problems = Problems.none().add(ParamChecks.given(spec.params()).via("params"));
        for (var param : spec.params()) {
            var references = ResultReference.in(param.value()).stream()
                    .filter(ResultReference::looksLike)
                    .toList();
            if (references.stream().anyMatch(name -> ResultReference.parse(name).isPresent())) {
                problems.add(Problems.invalid(
                                "cannot use result expressions in " + GoText.list(references)
                                        + " as PipelineRun parameter values",
                                "value")
                        .viaFieldKey("params", param.name()));
            }
        }
        return problems;
    }

    private static Problems timeouts(Timeouts timeouts) {
        var problems = Problems.none()
                .add(negative(timeouts.tasksLimit(), "timeouts.tasks"))
                .add(negative(timeouts.finallyLimit(), "timeouts.finally"))
                .add(negative(timeouts.pipelineLimit(), "timeouts.pipeline"));
        timeouts.pipelineLimit().ifPresent(whole -> {
            timeouts.tasksLimit().ifPresent(part -> problems.add(within(part, whole, "timeouts.tasks")));
            timeouts.finallyLimit().ifPresent(part -> problems.add(within(part, whole, "timeouts.finally")));
            if (timeouts.tasksLimit().isPresent() && timeouts.finallyLimit().isPresent()) {
                problems.add(
                        sum(timeouts.tasksLimit().get(), timeouts.finallyLimit().get(), whole));
            }
        });
        return problems;
    }

    private static Problems negative(Optional<Duration> limit, String path) {
        return limit.filter(Duration::isNegative)
                .map(value -> Problems.invalid(Durations.format(value) + " should be >= 0", path))
                .orElseGet(Problems::none);
    }

    private static Problems within(Duration part, Duration whole, String path) {
        boolean isUnlimited = part.isZero();
        if (whole.isZero() || (!isUnlimited && part.compareTo(whole) <= 0)) {
            return Problems.none();
        }
        return Problems.invalid(
                Durations.format(part) + (isUnlimited ? " (no timeout)" : "") + " should be <= pipeline duration",
                path);
    }

    private static Problems sum(Duration tasks, Duration finals, Duration whole) {
        if (tasks.plus(finals).compareTo(whole) <= 0) {
            return Problems.none();
        }
        var words = Durations.format(tasks) + " + " + Durations.format(finals) + " should be <= pipeline duration";
        return Problems.none()
                .add(Problems.invalid(words, "timeouts.tasks"))
                .add(Problems.invalid(words, "timeouts.finally"));
    }

    private static Problems override(TaskOverride override, Optional<Timeouts> timeouts, AllowedFeatures gate) {
        var problems = Problems.none()
                .add(TaskRunChecks.resources(
                        override.stepSpecs(), override.sidecarSpecs(), override.computeResources(), gate));
        override.podTemplate().ifPresent(template -> problems.add(TaskRunChecks.podTemplate(template, gate)));
        override.timeLimit().ifPresent(limit -> problems.add(overrideTimeout(limit, timeouts, gate)));
        return problems;
    }

    private static Problems overrideTimeout(Duration limit, Optional<Timeouts> timeouts, AllowedFeatures gate) {
        var tasks = timeouts.flatMap(Timeouts::tasksLimit);
        var pipeline = timeouts.flatMap(Timeouts::pipelineLimit);
        var most = tasks.or(() -> pipeline).orElse(gate.defaults().timeout());
        for (var each : List.of(limit, most)) {
            if (each.isNegative()) {
                return Problems.invalid(Durations.format(each) + " should be >= 0", "timeout");
            }
        }
        if (most.isZero() || limit.compareTo(most) <= 0) {
            return Problems.none();
        }
        var source = tasks.isPresent() ? "pipeline tasks" : pipeline.isPresent() ? "pipeline" : "default pipeline";
        return Problems.invalid(
                Durations.format(limit) + " should be <= " + source + " duration " + Durations.format(most), "timeout");
    }

    private static Problems workspaces(PipelineRunSpec spec) {
        var problems = Problems.none();
        var seen = new HashMap<String, Integer>();
        for (int i = 0; i < spec.workspaces().size(); i++) {
            var workspace = spec.workspaces().get(i);
            var before = seen.put(workspace.name(), i);
            problems.add(Problems.none()
                    .add(WorkspaceChecks.binding(workspace))
                    .addIf(
                            before != null,
                            "workspace " + GoText.quote(workspace.name())
                                    + " provided by pipelinerun more than once, at index " + before + " and " + i,
                            "name")
                    .viaFieldIndex("workspaces", i));
        }
        return problems;
    }
}

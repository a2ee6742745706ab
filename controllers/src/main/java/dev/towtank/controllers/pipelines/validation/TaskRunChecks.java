package dev.towtank.controllers.pipelines.validation;

import dev.towtank.controllers.pipelines.api.TaskRun;
import dev.towtank.controllers.pipelines.api.TaskRunSpec;
import dev.towtank.controllers.pipelines.api.TaskRunSpec.ContainerResources;
import dev.towtank.model.Durations;
import dev.towtank.model.Json;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;

/// Checks of a run of a task.
final class TaskRunChecks {

    private TaskRunChecks() {}

    static Problems of(TaskRun run, Optional<TaskRun> old, AllowedFeatures gate) {
        var problems = Problems.none().add(TaskChecks.metadata(run.metadata()));
        if (run.isPending() && run.status().startTime().isPresent()) {
            problems.add(Problems.invalid("TaskRun cannot be Pending after it is started", "spec.status"));
        }
        var spec = Problems.none().add(spec(run.spec(), gate));
        old.ifPresent(before -> spec.add(update(run.spec(), before)));
        return problems.add(spec.via("spec"));
    }

    private static Problems update(TaskRunSpec spec, TaskRun old) {
        var problems = Problems.none();
        if (!spec.managedBy().equals(old.spec().managedBy())) {
            problems.add(Problems.invalid("managedBy is immutable", "spec.managedBy"));
        }
        if (old.isDone()) {
            return spec.equals(old.spec())
                    ? Problems.none()
                    : problems.add(Problems.invalid("Once the TaskRun is complete, no updates are allowed", ""));
        }
        return withoutStatus(spec).equals(withoutStatus(old.spec()))
                ? problems
                : problems.add(Problems.invalid(
                        "Once the TaskRun has started, only status and statusMessage updates are allowed", ""));
    }

    private static TaskRunSpec withoutStatus(TaskRunSpec spec) {
        return new TaskRunSpec(
                spec.debug(),
                spec.params(),
                spec.serviceAccountName(),
                spec.taskRef(),
                spec.taskSpec(),
                "",
                "",
                spec.retries(),
                spec.timeLimit().map(Durations::format),
                spec.podTemplate(),
                spec.workspaces(),
                spec.stepSpecs(),
                spec.sidecarSpecs(),
                spec.computeResources(),
                Optional.empty());
    }

    private static Problems spec(TaskRunSpec spec, AllowedFeatures gate) {
        var problems = Problems.none().add(what(spec, gate));
        problems.add(ParamChecks.given(spec.params()).via("params"));
        problems.add(WorkspaceChecks.bindings(spec.workspaces()).via("workspaces"));
        spec.debug()
                .ifPresent(debug -> problems.add(Problems.none()
                        .add(gate.alpha("debug"))
                        .add(debug(debug))
                        .via("debug")));
        problems.add(resources(spec.stepSpecs(), spec.sidecarSpecs(), spec.computeResources(), gate));
        problems.add(status(spec));
        if (spec.retries() < 0) {
            problems.add(Problems.invalid(spec.retries() + " should be >= 0", "retries"));
        }
        spec.podTemplate().ifPresent(template -> problems.add(podTemplate(template, gate)));
        spec.timeLimit()
                .filter(limit -> limit.isNegative())
                .ifPresent(limit ->
                        problems.add(Problems.invalid(Durations.format(limit) + " should be >= 0", "timeout")));
        return problems;
    }

    private static Problems what(TaskRunSpec spec, AllowedFeatures gate) {
        var problems = Problems.none();
        if (spec.taskRef().isEmpty() && spec.taskSpec().isEmpty()) {
            problems.add(Problems.missingOneOf("taskRef", "taskSpec"));
        }
        if (spec.taskRef().isPresent() && spec.taskSpec().isPresent()) {
            problems.add(Problems.multipleOneOf("taskRef", "taskSpec"));
        }
        spec.taskRef().ifPresent(ref -> problems.add(RefChecks.of(ref, gate).via("taskRef")));
        spec.taskSpec().ifPresent(task -> {
            problems.add(gate.flags().forbidsInlineSpec("taskrun") ? Problems.disallowed("taskSpec") : Problems.none());
            problems.add(TaskChecks.spec(task, gate).via("taskSpec"));
            problems.add(InlineParams.of(spec, task, gate));
        });
        return problems;
    }

    private static Problems status(TaskRunSpec spec) {
        var status = spec.status();
        if (status.isEmpty()) {
            return spec.statusMessage().isEmpty()
                    ? Problems.none()
                    : Problems.invalid(
                            "statusMessage should not be set if status is not set, but it is currently set to "
                                    + spec.statusMessage(),
                            "statusMessage");
        }
        return List.of(TaskRunSpec.CANCELLED, TaskRunSpec.PENDING).contains(status)
                ? Problems.none()
                : Problems.invalid(status + " should be TaskRunCancelled or TaskRunPending", "status");
    }

    private static Problems debug(TaskRunSpec.Debug debug) {
        var problems = Problems.none();
        debug.breakpoints().ifPresent(breakpoints -> {
            var onFailure = breakpoints.onFailure();
            if (onFailure.isEmpty()) {
                problems.add(Problems.invalid(
                        "onFailure breakpoint is empty, it is only allowed to be set as enabled",
                        "breakpoints.onFailure"));
            } else if (!onFailure.equals("enabled")) {
                problems.add(Problems.invalid(
                        onFailure
                                + " is not a valid onFailure breakpoint value, onFailure breakpoint is only allowed to"
                                + " be set as enabled",
                        "breakpoints.onFailure"));
            }
            var steps = new HashSet<String>();
            for (int i = 0; i < breakpoints.beforeSteps().size(); i++) {
                var step = breakpoints.beforeSteps().get(i);
                problems.addIf(
                        !steps.add(step),
                        "before step must be unique, the same step: " + step + " is defined multiple times at",
                        "breakpoints.beforeSteps[" + i + "]");
            }
        });
        return problems;
    }

    static Problems resources(
            List<ContainerResources> steps,
            List<ContainerResources> sidecars,
            Optional<Json.Obj> whole,
            AllowedFeatures gate) {
        var problems = Problems.none();
        var suffix = gate.isBeta() ? "Overrides" : "Specs";
        if (!steps.isEmpty()) {
            var field = "step" + suffix;
            problems.add(gate.beta(field).via(field)).add(named(steps).via(field));
        }
        if (!sidecars.isEmpty()) {
            var field = "sidecar" + suffix;
            problems.add(gate.beta(field).via(field)).add(named(sidecars).via(field));
        }
        if (whole.isPresent()) {
            problems.add(gate.beta("computeResources").via("computeResources"));
            boolean both =
                    steps.stream().anyMatch(step -> !step.computeResources().isEmpty());
            problems.add(
                    both
                            ? Problems.multipleOneOf("step" + suffix + ".resources", "computeResources")
                            : Problems.none());
        }
        return problems;
    }

    private static Problems named(List<ContainerResources> specs) {
        var problems = Problems.none();
        var names = new ArrayList<String>();
        for (int i = 0; i < specs.size(); i++) {
            if (specs.get(i).name().isEmpty()) {
                problems.add(Problems.missing("name").viaIndex(i));
            } else {
                names.add(specs.get(i).name());
            }
        }
        return problems.add(ParamChecks.distinctByIndex(names));
    }

    static Problems podTemplate(Json.Obj template, AllowedFeatures gate) {
        var problems = Problems.none();
        for (var env : template.objects("env")) {
            var name = env.string("name");
            if (gate.defaults().forbiddenEnv().contains(name)) {
                problems.add(Problems.invalid("PodTemplate cannot update a forbidden env: " + name, "PodTemplate.Env"));
            }
        }
        return problems;
    }
}

package dev.towtank.controllers.pipelines.validation;

import dev.towtank.controllers.pipelines.api.Metadata;
import dev.towtank.controllers.pipelines.api.Step;
import dev.towtank.controllers.pipelines.api.StepAction;
import dev.towtank.controllers.pipelines.api.Task;
import dev.towtank.controllers.pipelines.api.TaskSpec;
import dev.towtank.model.Json;
import dev.towtank.model.Names;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Checks of a task, whose steps already have their template under them.
final class TaskChecks {

    private static final int LONGEST_NAME = 63;

    private TaskChecks() {}

    static Problems of(Task task, AllowedFeatures gate) {
        var spec = task.spec();
        return Problems.none()
                .add(metadata(task.metadata()))
                .add(spec(spec, gate).via("spec"))
                .add(ParamChecks.usage(spec.params(), StepUsage.ofAll(spec.steps()))
                        .via("spec"));
    }

    static Problems metadata(Metadata metadata) {
        // The server makes the name of what only says how it begins before it asks anybody.
        var name = metadata.name().isEmpty() && !metadata.generateName().isEmpty()
                ? metadata.generateName() + "xxxxx"
                : metadata.name();
        var problem = Problems.none();
        if (!Names.dnsSubdomain(name).isEmpty()) {
            problem = Problems.generic(
                    "invalid resource name " + GoText.quote(name) + ": must be a valid DNS label", "name");
        } else if (name.length() > LONGEST_NAME) {
            problem = Problems.generic("Invalid resource name: length must be no more than 63 characters", "name");
        }
        return problem.via("metadata");
    }

    static Problems spec(TaskSpec spec, AllowedFeatures gate) {
        var steps = StepUsage.ofAll(spec.steps());
        return Problems.none()
                .add(spec.steps().isEmpty() ? Problems.missing("steps") : Problems.none())
                .add(volumes(spec.volumes()).via("volumes"))
                .add(WorkspaceChecks.declared(spec).via("workspaces"))
                .add(WorkspaceChecks.used(spec, gate))
                .add(steps(spec.steps(), gate).via("steps"))
                .add(sidecars(spec, gate).via("sidecars"))
                .add(ParamChecks.types(spec.params()).via("params"))
                .add(ParamChecks.declarations(spec.params(), steps, gate))
                .add(StepUsage.unknown(steps, "context\\.taskRun", Set.of("name", "namespace", "uid")))
                .add(StepUsage.unknown(steps, "context\\.task", Set.of("name", "retry-count")))
                .add(resultVariables(spec))
                .add(ResultChecks.ofTask(spec.results()).via("results"));
    }

    private static Problems volumes(List<Json.Obj> volumes) {
        var problems = Problems.none();
        var names = new HashSet<String>();
        for (int i = 0; i < volumes.size(); i++) {
            var name = volumes.get(i).string("name");
            problems.add(Problems.none()
                    .addIf(!names.add(name), "multiple volumes with same name " + GoText.quote(name), "name")
                    .viaIndex(i));
        }
        return problems;
    }

    private static Problems steps(List<Step> steps, AllowedFeatures gate) {
        var problems = Problems.none();
        var names = new HashSet<String>();
        for (int i = 0; i < steps.size(); i++) {
            var step = steps.get(i);
            boolean isRepeated = !step.name().isEmpty() && !names.add(step.name());
            problems.add(isRepeated ? repeated(step, gate).viaIndex(i) : Problems.none());
            problems.add(StepChecks.of(step, gate).viaIndex(i));
            if (!step.results().isEmpty()) {
                var declared = ResultChecks.names(step.results());
                problems.add(Variables.unknown(step.script(), "step.results", declared)
                        .via("script")
                        .viaIndex(i));
                problems.add(ResultChecks.ofStep(step.results()).viaIndex(i).via("results"));
            }
            problems.add(WhenChecks.of(step.when(), gate).viaIndex(i));
        }
        return problems;
    }

    private static Problems repeated(Step step, AllowedFeatures gate) {
        return gate.isBeta() ? Problems.invalid(step.name(), "name") : Problems.multipleOneOf("name");
    }

    private static Problems sidecars(TaskSpec spec, AllowedFeatures gate) {
        var problems = Problems.none();
        spec.sidecars()
                .forEach(sidecar ->
                        problems.add(gate.isBeta() ? StepChecks.sidecarName(sidecar, "") : StepChecks.of(sidecar)));
        return problems;
    }

    private static Problems resultVariables(TaskSpec spec) {
        var problems = Problems.none();
        var declared = ResultChecks.names(spec.results());
        for (int i = 0; i < spec.steps().size(); i++) {
            problems.add(Variables.unknown(spec.steps().get(i).script(), "results", declared)
                    .via("script")
                    .viaFieldIndex("steps", i));
        }
        return problems;
    }

    static Problems of(StepAction action, AllowedFeatures gate) {
        return Problems.none()
                .add(metadata(action.metadata()))
                .add(action(action.spec(), gate).via("spec"))
                .add(
                        // The newer version does not look.
                        action.apiVersion().equals("tekton.dev/v1alpha1")
                                ? DefaultReferences.of(action.spec().params()).via("spec")
                                : Problems.none());
    }

    private static Problems action(StepAction.Spec spec, AllowedFeatures gate) {
        var usage = StepUsage.of(spec);
        var results = ResultChecks.names(spec.results());
        var objects = ParamChecks.ofType("object", spec.params());
        var problems = Problems.none()
                .add(spec.image().isEmpty() ? Problems.missing("Image") : Problems.none())
                .add(script(spec, gate))
                .add(usage.unknown("params", ParamChecks.names(spec.params())));
        objects.forEach(object -> problems.add(
                usage.unknown("params\\." + object.name(), object.properties().keySet())));
        return problems.add(usage.wholeObjects(ParamChecks.names(objects)))
                .add(ParamChecks.objectsHaveProperties(spec.params()))
                .add(ParamChecks.types(spec.params()).via("params"))
                .add(ParamChecks.unique(spec.params()))
                .add(ParamChecks.nameFormats(spec.params()))
                .add(usage.arrays(ParamChecks.namesOf("array", spec.params())))
                .add(Variables.unknown(spec.script(), "step.results", results).via("script"))
                .add(Variables.unknown(spec.script(), "results", results).via("script"))
                .add(ResultChecks.ofStep(spec.results()).via("results"))
                .add(mounts(spec).via("volumeMounts"));
    }

    private static Problems script(StepAction.Spec spec, AllowedFeatures gate) {
        if (spec.script().isEmpty()) {
            return Problems.none();
        }
        var params = Variables.in(spec.script(), "params");
        return Problems.none()
                .addIf(!spec.command().isEmpty(), "script cannot be used with command", "script")
                .add(
                        spec.script().strip().startsWith("#!win")
                                ? gate.alpha("windows script support").via("script")
                                : Problems.none())
                .addIf(!params.expressions().isEmpty(), "param substitution in scripts is not allowed.", "script");
    }

    private static Problems mounts(StepAction.Spec spec) {
        var names = ParamChecks.names(spec.params());
        var problems = Problems.none();
        for (int i = 0; i < spec.volumeMounts().size(); i++) {
            var name = spec.volumeMounts().get(i).string("name");
            var variables = Variables.in(name, "params");
            if (variables.wholeNames().size() != 1
                    || !variables.expressions().getFirst().equals(name)) {
                return problems.add(Problems.invalid(name, "name", "expect the Name to be a single param reference")
                        .viaIndex(i));
            }
            problems.add(Variables.unknown(name, "params", names).viaIndex(i));
        }
        return problems;
    }
}

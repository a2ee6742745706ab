package dev.towtank.controllers.pipelines.validation;

import dev.towtank.controllers.pipelines.api.EmbeddedTask;
import dev.towtank.controllers.pipelines.api.PipelineTask;
import dev.towtank.controllers.pipelines.api.Ref;
import dev.towtank.controllers.pipelines.api.Step;
import dev.towtank.controllers.pipelines.api.settings.FeatureFlags;
import dev.towtank.model.Names;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// Checks of one task of a pipeline.
final class PipelineTaskChecks {

    private static final Set<String> OWN_KINDS = Set.of("", "Task");

    private PipelineTaskChecks() {}

    static Problems of(PipelineTask task, AllowedFeatures gate) {
        return Problems.none()
                .add(name(task))
                .add(what(task, gate))
                .add(inlineSpecs(task, gate))
                .add(embedded(task))
                .add(onError(task, gate))
                .add(isCustom(task) ? custom(task) : own(task, gate));
    }

    private static Problems name(PipelineTask task) {
        return Names.dnsLabel(task.name()).isEmpty()
                ? Problems.none()
                : Problems.of(
                        "invalid value " + GoText.quote(task.name()),
                        "Pipeline Task name must be a valid DNS Label.For more info refer to"
                                + " https://kubernetes.io/docs/concepts/overview/working-with-objects/names/#names",
                        "name");
    }

    private static Problems what(PipelineTask task, AllowedFeatures gate) {
        var problems = Problems.none();
        var given = new ArrayList<String>();
        if (task.taskRef().isPresent()) {
            given.add("taskRef");
        }
        if (task.taskSpec().isPresent()) {
            given.add("taskSpec");
        }
        if (task.pipelineRef().isPresent()) {
            problems.add(gate.alpha("pipelineRef"));
            given.add("pipelineRef");
        }
        if (task.pipelineSpec().isPresent()) {
            problems.add(gate.alpha("pipelineSpec"));
            given.add("pipelineSpec");
        }
        if (given.size() > 1) {
            return problems.add(Problems.generic("expected exactly one, got multiple", given.toArray(String[]::new)));
        }
        if (!given.isEmpty()) {
            return problems;
        }
        return gate.flags().allows(FeatureFlags.ALPHA)
                ? Problems.missingOneOf("taskRef", "taskSpec", "pipelineRef", "pipelineSpec")
                : Problems.missingOneOf("taskRef", "taskSpec");
    }

    private static Problems inlineSpecs(PipelineTask task, AllowedFeatures gate) {
        boolean isForbidden = gate.flags().forbidsInlineSpec("pipeline");
        return Problems.none()
                .addIf(isForbidden && task.taskSpec().isPresent(), "must not set the field(s)", "taskSpec")
                .addIf(isForbidden && task.pipelineSpec().isPresent(), "must not set the field(s)", "pipelineSpec");
    }

    private static Problems embedded(PipelineTask task) {
        var problems = Problems.none();
        task.taskSpec().filter(spec -> !spec.steps().isEmpty()).ifPresent(spec -> {
            for (var field : List.of("apiVersion", "kind")) {
                boolean isSet = !(field.equals("kind") ? spec.kind() : spec.apiVersion()).isEmpty();
                problems.addIf(
                        isSet,
                        "taskSpec." + field + " cannot be specified when using taskSpec.steps",
                        "taskSpec." + field);
            }
        });
        return problems;
    }

    private static Problems onError(PipelineTask task, AllowedFeatures gate) {
        var onError = task.onError();
        if (onError.isEmpty() || onError.startsWith("$(params")) {
            return Problems.none();
        }
        var problems = Problems.none().add(gate.beta("OnError"));
        if (!Set.of(Step.CONTINUE, Step.STOP_AND_FAIL).contains(onError)) {
            problems.add(Problems.invalid(
                    onError, "OnError", "PipelineTask OnError must be either \"continue\" or \"stopAndFail\""));
        }
        if (onError.equals(Step.CONTINUE) && task.retries() > 0) {
            problems.add(Problems.generic(
                    "PipelineTask OnError cannot be set to \"continue\" when Retries is greater than 0"));
        }
        return problems;
    }

    private static boolean isCustom(PipelineTask task) {
        return task.taskRef()
                        .filter(ref -> !OWN_KINDS.contains(ref.kind())
                                || !ref.apiVersion().isEmpty())
                        .isPresent()
                || task.taskSpec()
                        .filter(spec -> !OWN_KINDS.contains(spec.kind())
                                || !spec.apiVersion().isEmpty())
                        .isPresent();
    }

    private static Problems custom(PipelineTask task) {
        var problems = Problems.none();
        task.taskRef().ifPresent((Ref ref) -> problems.add(custom("ref", "taskRef", ref.kind(), ref.apiVersion())));
        task.taskSpec()
                .ifPresent((EmbeddedTask spec) ->
                        problems.add(custom("spec", "taskSpec", spec.kind(), spec.apiVersion())));
        return problems;
    }

    private static Problems custom(String what, String field, String kind, String apiVersion) {
        var parts = apiVersion.split("/", -1);
        boolean isWellFormed = parts.length == 2 && !parts[0].isEmpty() && !parts[1].isEmpty();
        return Problems.none()
                .addIf(kind.isEmpty(), "invalid value: custom task " + what + " must specify kind", field + ".kind")
                .addIf(
                        apiVersion.isEmpty(),
                        "invalid value: custom task " + what + " must specify apiVersion",
                        field + ".apiVersion")
                .addIf(
                        !apiVersion.isEmpty() && !isWellFormed,
                        "invalid value: invalid apiVersion format " + GoText.quote(apiVersion)
                                + ", must be in the format \"group/version\"",
                        field + ".apiVersion");
    }

    private static Problems own(PipelineTask task, AllowedFeatures gate) {
        var problems = Problems.none();
        task.taskSpec()
                .ifPresent(spec ->
                        problems.add(TaskChecks.spec(spec.taskSpec(), gate).via("taskSpec")));
        task.taskRef().ifPresent(ref -> problems.add(RefChecks.of(ref, gate).via("taskRef")));
        if (gate.isBeta()) {
            return problems;
        }
        task.pipelineRef().ifPresent(ref -> problems.add(RefChecks.of(ref, gate).via("pipelineRef")));
        task.pipelineSpec()
                .ifPresent(spec -> problems.add(PipelineChecks.spec(spec, gate).via("pipelineSpec")));
        return problems;
    }
}

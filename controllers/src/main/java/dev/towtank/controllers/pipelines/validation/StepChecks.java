package dev.towtank.controllers.pipelines.validation;

import dev.towtank.controllers.pipelines.api.Sidecar;
import dev.towtank.controllers.pipelines.api.Step;
import dev.towtank.model.Durations;
import dev.towtank.model.Names;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/// Checks of one step or sidecar.
final class StepChecks {

    static final Pattern TASK_ARTIFACT = Pattern.compile("\\$\\(tasks\\.([^.]+)\\.(?:inputs|outputs)\\.([^.)]+)\\)");
    private static final Pattern STEP_ARTIFACT =
            Pattern.compile("\\$\\(steps\\.([^.]+)\\.(?:inputs|outputs)\\.([^.)]+)\\)");
    private static final Pattern STEP_RESULT = Pattern.compile("\\$\\(steps\\..*?\\.results\\..*?\\)");
    private static final String RESERVED_SIDECAR = "tekton-log-results";

    private StepChecks() {}

    static Problems of(Step step, AllowedFeatures gate) {
        if (!gate.flags().enableArtifacts() && usesArtifacts(step)) {
            return Problems.generic(
                    "feature flag enable-artifacts should be set to true to use artifacts feature.", "");
        }
        var limit = step.timeLimit().orElse(Duration.ZERO);
        if (limit.isNegative()) {
            return Problems.invalid(Durations.format(limit), "negative timeout");
        }
        return Problems.none()
                .add(step.ref().isPresent() ? withRef(step, gate) : withoutRef(step))
                .add(name(step))
                .add(mounts(step))
                .add(onError(step.onError()))
                .add(streams(step, gate))
                .add(references(step));
    }

    private static boolean usesArtifacts(Step step) {
        var texts = new ArrayList<>(List.of(step.script()));
        texts.addAll(step.command());
        texts.addAll(step.args());
        step.env().forEach(env -> texts.add(env.string("value")));
        return texts.stream()
                .anyMatch(text -> isStepArtifact(text)
                        || TASK_ARTIFACT.matcher(text).find()
                        || text.contains("$(artifacts.path)"));
    }

    private static boolean isStepArtifact(String text) {
        return STEP_ARTIFACT.matcher(text).find() || text.contains("$(step.artifacts.path)");
    }

    private static Problems withRef(Step step, AllowedFeatures gate) {
        return Problems.none()
                .add(RefChecks.of(step.ref().orElseThrow(), gate))
                .addIf(!step.image().isEmpty(), "image cannot be used with Ref", "image")
                .addIf(!step.command().isEmpty(), "command cannot be used with Ref", "command")
                .addIf(!step.args().isEmpty(), "args cannot be used with Ref", "args")
                .addIf(!step.script().isEmpty(), "script cannot be used with Ref", "script")
                .addIf(!step.workingDir().isEmpty(), "working dir cannot be used with Ref", "workingDir")
                .addIf(!step.env().isEmpty(), "env cannot be used with Ref", "env")
                .addIf(!step.volumeMounts().isEmpty(), "volumeMounts cannot be used with Ref", "volumeMounts")
                .addIf(!step.results().isEmpty(), "results cannot be used with Ref", "results");
    }

    private static Problems withoutRef(Step step) {
        return Problems.none()
                .addIf(!step.params().isEmpty(), "params cannot be used without Ref", "params")
                .addIf(step.image().isEmpty(), "missing field(s)", "Image")
                .addIf(
                        !step.script().isEmpty() && !step.command().isEmpty(),
                        "script cannot be used with command",
                        "script");
    }

    private static Problems name(Step step) {
        return step.name().isEmpty() || Names.dnsLabel(step.name()).isEmpty()
                ? Problems.none()
                : Problems.of(
                        "invalid value " + GoText.quote(step.name()),
                        "Task step name must be a valid DNS Label, For more info refer to"
                                + " https://kubernetes.io/docs/concepts/overview/working-with-objects/names/#names",
                        "name");
    }

    private static Problems mounts(Step step) {
        var problems = Problems.none();
        for (int i = 0; i < step.volumeMounts().size(); i++) {
            var mount = step.volumeMounts().get(i);
            var name = mount.string("name");
            var path = WorkspaceChecks.clean(mount.string("mountPath"));
            problems.add(Problems.none()
                    .addIf(
                            path.startsWith("/tekton/") && !path.startsWith("/tekton/home"),
                            "volumeMount cannot be mounted under /tekton/ (volumeMount " + GoText.quote(name)
                                    + " mounted at " + GoText.quote(mount.string("mountPath")) + ")",
                            "mountPath")
                    .addIf(
                            name.startsWith("tekton-internal-"),
                            "volumeMount name " + GoText.quote(name) + " cannot start with \"tekton-internal-\"",
                            "name")
                    .viaFieldIndex("volumeMounts", i));
        }
        return problems;
    }

    private static Problems onError(String onError) {
        return onError.isEmpty()
                        || onError.startsWith("$(params")
                        || Set.of(Step.CONTINUE, Step.STOP_AND_FAIL).contains(onError)
                ? Problems.none()
                : Problems.of(
                        "invalid value: \"" + onError + "\"",
                        "Task step onError must be either \"continue\" or \"stopAndFail\"",
                        "onError");
    }

    private static Problems streams(Step step, AllowedFeatures gate) {
        var problems = Problems.none();
        if (step.script().strip().startsWith("#!win")) {
            problems.add(gate.alpha("windows script support").via("script"));
        }
        if (step.stdoutConfig().isPresent()) {
            problems.add(gate.alpha("step stdout stream support").via("stdoutconfig"));
        }
        if (step.stderrConfig().isPresent()) {
            problems.add(gate.alpha("step stderr stream support").via("stderrconfig"));
        }
        return problems;
    }

    private static Problems references(Step step) {
        var problems = Problems.none();
        Predicate<String> isResult = text -> STEP_RESULT.matcher(text).find();
        for (var place : fixedFields(step)) {
            problems.addIf(
                    isResult.test(place.text()),
                    "stepResult substitutions are only allowed in env, command and args. Found usage in",
                    place.path());
            problems.addIf(
                    !place.path().equals("script") && isStepArtifact(place.text()),
                    "stepArtifact substitutions are only allowed in env, command, args and script. Found usage in",
                    place.path());
        }
        return problems;
    }

    /// The fields that must be known before the pod is made.
    private static List<StepUsage.Place> fixedFields(Step step) {
        var places = new ArrayList<StepUsage.Place>();
        places.add(new StepUsage.Place(step.name(), "name"));
        places.add(new StepUsage.Place(step.image(), "image"));
        places.add(new StepUsage.Place(step.script(), "script"));
        places.add(new StepUsage.Place(step.imagePullPolicy(), "imagePullPolicy"));
        places.add(new StepUsage.Place(step.workingDir(), "workingDir"));
        for (var from : step.envFrom()) {
            places.add(new StepUsage.Place(from.string("prefix"), "envFrom.prefix"));
            places.add(new StepUsage.Place(from.string("configMapRef", "name"), "envFrom.configMapRef"));
            places.add(new StepUsage.Place(from.string("secretRef", "name"), "envFrom.secretRef"));
        }
        for (var mount : step.volumeMounts()) {
            for (var field : List.of("name", "mountPath", "subPath")) {
                places.add(new StepUsage.Place(mount.string(field), "volumeMounts." + field));
            }
        }
        for (var device : step.volumeDevices()) {
            for (var field : List.of("name", "devicePath")) {
                places.add(new StepUsage.Place(device.string(field), "volumeDevices." + field));
            }
        }
        return places;
    }

    static Problems sidecarName(Sidecar sidecar, String path) {
        return Problems.none()
                .addIf(
                        sidecar.name().equals(RESERVED_SIDECAR),
                        "Invalid: cannot use reserved sidecar name " + sidecar.name() + " ",
                        path);
    }

    static Problems of(Sidecar sidecar) {
        return Problems.none()
                .add(sidecarName(sidecar, "name"))
                .addIf(sidecar.image().isEmpty(), "missing field(s)", "image")
                .addIf(
                        !sidecar.script().isEmpty() && !sidecar.command().isEmpty(),
                        "script cannot be used with command",
                        "script");
    }
}

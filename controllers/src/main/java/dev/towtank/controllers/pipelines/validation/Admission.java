package dev.towtank.controllers.pipelines.validation;

import dev.towtank.controllers.pipelines.api.CustomRun;
import dev.towtank.controllers.pipelines.api.Pipeline;
import dev.towtank.controllers.pipelines.api.PipelineRun;
import dev.towtank.controllers.pipelines.api.ResolutionRequest;
import dev.towtank.controllers.pipelines.api.StepAction;
import dev.towtank.controllers.pipelines.api.Task;
import dev.towtank.controllers.pipelines.api.TaskRun;
import dev.towtank.controllers.pipelines.api.VerificationPolicy;
import dev.towtank.controllers.pipelines.api.settings.Settings;
import dev.towtank.controllers.pipelines.conversion.Conversion;
import dev.towtank.controllers.pipelines.substitution.StepTemplates;
import dev.towtank.model.Json;
import dev.towtank.model.Records;
import dev.towtank.model.StatusError;
import java.util.List;
import java.util.Optional;

/// What Tekton's webhooks would say to an object of one of its kinds, in any served version.
public final class Admission {

    private static final String MUTATING = "webhook.pipeline.tekton.dev";
    private static final String VALIDATING = "validation." + MUTATING;

    private Admission() {}

    /// @param undecodable why the object could not even be read
    public record Review(Optional<String> undecodable, List<Problem> problems) {

        public boolean isFine() {
            return undecodable.isEmpty() && problems.isEmpty();
        }

        /// What a client is told.
        public Optional<StatusError> refusal() {
            if (undecodable.isPresent()) {
                return Optional.of(
                        denied(MUTATING, "mutation failed: cannot decode incoming new object: " + undecodable.get()));
            }
            return problems.isEmpty()
                    ? Optional.empty()
                    : Optional.of(denied(VALIDATING, "validation failed: " + Problems.text(problems)));
        }

        private static StatusError denied(String webhook, String why) {
            return StatusError.badRequest("admission webhook \"" + webhook + "\" denied the request: " + why);
        }
    }

    /// The object with what the user left out; doing it twice changes nothing more.
    public static Json.Obj defaults(Json.Obj object, Settings settings) {
        return new Defaulting(settings.defaults()).apply(object);
    }

    /// A new run without the annotations that only a signer may put on it.
    public static Json.Obj unsigned(Json.Obj object) {
        return Defaulting.unsigned(object);
    }

    /// What is wrong with an object that has its defaults.
    ///
    /// @param old what is stored, in the same version; empty where the object is new
    public static Review review(Json.Obj object, Optional<Json.Obj> old, Settings settings) {
        var stored = stored(object);
        var undecodable = Decoding.complaint(stored);
        if (undecodable.isPresent()) {
            return new Review(undecodable, List.of());
        }
        boolean isBeta = isOlder(object);
        var problems = UnsetValues.of(stored);
        if (isBeta) {
            problems.add(BetaChecks.of(object, old.isEmpty()));
        }
        var before = old.map(each -> defaults(each, settings))
                .map(Admission::stored)
                .filter(each -> Decoding.complaint(each).isEmpty());
        problems.add(problems(
                withTemplates(stored), before.map(Admission::withTemplates), new AllowedFeatures(settings, isBeta)));
        if (isBeta && !object.object("spec").has("timeouts")) {
            // It was `timeout` that the user wrote, and about that it is said already.
            problems.without("spec.timeouts.pipeline");
        }
        return new Review(Optional.empty(), problems.merged());
    }

    /// What Tekton says before anybody has looked at the schema: that the object cannot even be read.
    public static Optional<StatusError> unreadable(Json.Obj object) {
        return new Review(Decoding.complaint(stored(object)), List.of()).refusal();
    }

    /// Defaults and review in one, for a file that no server has seen.
    public static Review lint(Json.Obj object, Settings settings) {
        return review(defaults(object, settings), Optional.empty(), settings);
    }

    private static boolean isOlder(Json.Obj object) {
        return object.string("apiVersion").equals("tekton.dev/v1beta1")
                && List.of("Task", "TaskRun", "Pipeline", "PipelineRun").contains(object.string("kind"));
    }

    private static Json.Obj stored(Json.Obj object) {
        if (isOlder(object)) {
            return Conversion.convert(object, "v1beta1", "v1");
        }
        return object.string("apiVersion").equals("resolution.tekton.dev/v1alpha1")
                ? Conversion.convert(object, "v1alpha1", "v1beta1")
                : object;
    }

    private static Problems problems(Json.Obj object, Optional<Json.Obj> old, AllowedFeatures gate) {
        return switch (object.string("kind")) {
            case "Task" -> TaskChecks.of(Records.read(Task.class, object), gate);
            case "Pipeline" -> PipelineChecks.of(Records.read(Pipeline.class, object), gate);
            case "TaskRun" ->
                TaskRunChecks.of(
                        Records.read(TaskRun.class, object), old.map(each -> Records.read(TaskRun.class, each)), gate);
            case "PipelineRun" ->
                PipelineRunChecks.of(
                        Records.read(PipelineRun.class, object),
                        old.map(each -> Records.read(PipelineRun.class, each)),
                        gate);
            case "StepAction" -> TaskChecks.of(Records.read(StepAction.class, object), gate);
            case "CustomRun" -> OtherChecks.of(Records.read(CustomRun.class, object));
            case "ResolutionRequest" -> OtherChecks.of(Records.read(ResolutionRequest.class, object));
            case "VerificationPolicy" -> OtherChecks.of(Records.read(VerificationPolicy.class, object));
            default -> Problems.none();
        };
    }

    /// With the templates of steps under them, as everything that follows looks at them.
    private static Json.Obj withTemplates(Json.Obj object) {
        return TreeChanges.object(object, "spec", spec -> switch (object.string("kind")) {
            case "Task" -> StepTemplates.merge(spec);
            case "Pipeline" -> pipelineTemplates(spec);
            case "TaskRun" -> TreeChanges.object(spec, "taskSpec", StepTemplates::merge);
            case "PipelineRun" -> TreeChanges.object(spec, "pipelineSpec", Admission::pipelineTemplates);
            default -> spec;
        });
    }

    private static Json.Obj pipelineTemplates(Json.Obj spec) {
        var result = spec;
        for (var list : List.of("tasks", "finally")) {
            result = TreeChanges.each(result, list, Admission::taskTemplates);
        }
        return result;
    }

    private static Json.Obj taskTemplates(Json.Obj task) {
        return TreeChanges.object(
                TreeChanges.object(task, "taskSpec", StepTemplates::merge),
                "pipelineSpec",
                Admission::pipelineTemplates);
    }
}

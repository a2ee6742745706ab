package dev.towtank.controllers.pipelines.conversion;

import dev.towtank.model.Json;

/// Converts one object of any of the kinds from one version to another.
public final class Conversion {

    private Conversion() {}

    /// @param from the version that the object is in, such as `v1beta1`
    /// @throws dev.towtank.model.StatusError where it cannot be said in that version
    public static Json.Obj convert(Json.Obj object, String from, String to) {
        if (from.equals(to)) {
            return object;
        }
        return switch (object.string("kind")) {
            case "Task", "Pipeline", "TaskRun", "PipelineRun" ->
                to.equals("v1") ? new Forward(object).convert() : new Backward(object).convert();
            case "ResolutionRequest" ->
                to.equals("v1beta1") ? ResolutionRequests.toBeta(object) : ResolutionRequests.toAlpha(object);
            default -> object;
        };
    }
}

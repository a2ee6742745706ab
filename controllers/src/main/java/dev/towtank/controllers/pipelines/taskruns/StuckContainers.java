package dev.towtank.controllers.pipelines.taskruns;

import dev.towtank.controllers.pipelines.api.settings.Settings;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// Containers that wait for what will not come: an image that cannot be pulled, a ConfigMap that is not there.
record StuckContainers(Resource run, Resource pod, Settings settings, Instant now) {

    record Problem(String reason, String message) {}

    Optional<Problem> problem() {
        for (var prefix : List.of("step", "sidecar")) {
            for (var status : PodFailure.statuses(pod)) {
                if (status.string("name").startsWith(prefix + "-")) {
                    var problem = problem(status, prefix);
                    if (problem.isPresent()) {
                        return problem;
                    }
                }
            }
        }
        return Optional.empty();
    }

    private Optional<Problem> problem(Json.Obj status, String type) {
        var waiting = status.object("state", "waiting");
        var name = status.string("name").substring(type.length() + 1);
        var pulling =
                "the %s \"%s\" in TaskRun \"%s\" failed to pull the image \"%s\". The pod errored with the message: \"%s.\""
                        .formatted(type, name, run.name(), image(status), waiting.string("message"));
        var starting = "the %s \"%s\" in TaskRun \"%s\" failed to start. The pod errored with the message: \"%s.\""
                .formatted(type, name, run.name(), waiting.string("message"));
        return switch (waiting.string("reason")) {
            case "ImagePullBackOff" ->
                mayRecover(settings.defaults().imagePullBackOffTimeout())
                        ? Optional.empty()
                        : Optional.of(new Problem("TaskRunImagePullFailed", pulling));
            case "InvalidImageName" -> Optional.of(new Problem("TaskRunImagePullFailed", pulling));
            case "CreateContainerConfigError" ->
                isSlow(waiting) || waiting.string("message").contains("failed to create subPath directory")
                        ? Optional.empty()
                        : Optional.of(new Problem("CreateContainerConfigError", starting));
            case "CreateContainerError" ->
                isSlow(waiting) ? Optional.empty() : Optional.of(new Problem("PodCreationFailed", starting));
            default -> Optional.empty();
        };
    }

    /// Upstream names the digest alone, which an image that could not be pulled does not have.
    private static String image(Json.Obj status) {
        var pulled = status.string("imageID");
        return pulled.isEmpty() ? status.string("image") : pulled;
    }

    private boolean isSlow(Json.Obj waiting) {
        return waiting.string("message").contains("context deadline exceeded")
                && mayRecover(settings.defaults().createContainerErrorTimeout());
    }

    /// Whether the pod has not yet had all the time that it is given for this.
    private boolean mayRecover(Duration limit) {
        return !limit.isZero()
                && pod.status().objects("conditions").stream()
                        .filter(condition -> List.of("Initialized", "PodReadyToStartContainers")
                                .contains(condition.string("type")))
                        .map(condition -> condition.string("lastTransitionTime"))
                        .filter(text -> !text.isEmpty())
                        .anyMatch(text -> now.isBefore(Instant.parse(text).plus(limit)));
    }
}

package dev.towtank.controllers.notebooks;

import dev.towtank.controllers.notebooks.api.RunOrder;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import java.util.List;
import java.util.Optional;

/// How a run ended.
///
/// @param reason one word, as for a condition
/// @param isPassing whether it may go well another time
record Ending(boolean isSuccess, String reason, String message, boolean isPassing) {

    static Ending failed(String reason, String message) {
        return new Ending(false, reason, message, false);
    }

    /// Empty while the pod still runs.
    ///
    /// @param report what the runner has told; it may have had no time to
    static Optional<Ending> of(Resource pod, Json.Obj report) {
        if (!isOver(pod)) {
            return Optional.empty();
        }
        return Optional.of(fetching(pod)
                .or(() -> outOfMemory(pod))
                .or(() -> told(report))
                .orElseGet(() -> untold(pod, pod.status().string("phase"))));
    }

    static boolean isOver(Resource pod) {
        return List.of("Succeeded", "Failed").contains(pod.status().string("phase"));
    }

    private static Optional<Ending> fetching(Resource pod) {
        return terminated(pod, "initContainerStatuses").stream()
                .filter(state -> state.integer("exitCode") != 0)
                .findFirst()
                .map(state -> {
                    var message = state.string("message");
                    boolean isPassing = state.integer("exitCode") == RunOrder.TRY_AGAIN;
                    return new Ending(
                            false,
                            message.startsWith("There is no") ? "ConfigurationError" : "GitCloneFailed",
                            message.isEmpty() ? "The repository could not be fetched." : message,
                            isPassing);
                });
    }

    private static List<Json.Obj> terminated(Resource pod, String field) {
        return pod.status().objects(field).stream()
                .map(status -> status.object("state", "terminated"))
                .filter(state -> state.size() > 0)
                .toList();
    }

    private static Optional<Ending> outOfMemory(Resource pod) {
        return terminated(pod, "containerStatuses").stream()
                .filter(state -> state.string("reason").equals("OOMKilled"))
                .findFirst()
                .map(_ -> failed(
                        "OOMKilled",
                        "The notebook needed more memory than its limit of %s. Raise podConfig.resources.limits.memory."
                                .formatted(memory(pod))));
    }

    private static String memory(Resource pod) {
        return pod.spec().objects("containers").stream()
                .map(container -> container.string("resources", "limits", "memory"))
                .filter(text -> !text.isEmpty())
                .findFirst()
                .orElse("this machine");
    }

    private static Optional<Ending> told(Json.Obj report) {
        return switch (report.string("status")) {
            case "succeeded" -> Optional.of(new Ending(true, "ValidationComplete", report.string("message"), false));
            case "failed" -> Optional.of(failed(report.string("reason"), report.string("message")));
            default -> Optional.empty();
        };
    }

    private static Ending untold(Resource pod, String phase) {
        if (pod.status().string("reason").equals("DeadlineExceeded")) {
            return failed("ValidationTimeout", "The pod was still running long after the job's timeout.");
        }
        var code = terminated(pod, "containerStatuses").stream()
                .map(state -> state.integer("exitCode"))
                .findFirst();
        return failed(
                "PodFailed",
                "The pod ended as %s%s without a result; see its log."
                        .formatted(
                                phase,
                                code.map(number -> " with exit code " + number).orElse("")));
    }
}

package dev.towtank.controllers.pipelines.taskruns;

import dev.towtank.controllers.pipelines.entrypoint.TerminationMessage;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/// Why the pod of a task failed: a reason, and the words for it.
record PodFailure(String reason, String message) {

    private record Culprit(String reason, Json.Obj container, boolean isInit) {}

    static boolean didFail(Resource pod) {
        return pod.status().string("phase").equals("Failed")
                || statuses(pod).stream()
                        .filter(PodFailure::isStep)
                        .anyMatch(status -> failed(status) || isOutOfMemory(status));
    }

    static PodFailure of(Resource pod) {
        if (pod.status().string("reason").equals("Evicted")) {
            return new PodFailure("PodEvicted", pod.status().string("message"));
        }
        var culprit = culprit(pod);
        var reason = culprit.map(Culprit::reason).orElse("Failed");
        var words = culprit.flatMap(found ->
                words(found.container()).map(text -> found.isInit() ? "init container failed, " + text : text));
        return new PodFailure(reason, words.orElseGet(() -> fallback(pod)));
    }

    private static String fallback(Resource pod) {
        var message = pod.status().string("message");
        if (!message.isEmpty()) {
            return message;
        }
        return statuses(pod).stream().anyMatch(PodFailure::isOutOfMemory)
                ? "OOMKilled"
                : "build failed for unspecified reasons.";
    }

    /// A sidecar that failed comes before the steps: it is likely the cause.
    private static Optional<Culprit> culprit(Resource pod) {
        var init = pod.status().objects("initContainerStatuses");
        var main = statuses(pod);
        return first(init, PodFailure::isOutOfMemory, PodFailure::isSidecar, "SidecarOOM", true)
                .or(() -> first(init, PodFailure::isOutOfMemory, not(PodFailure::isSidecar), "InitContainerOOM", true))
                .or(() -> first(init, PodFailure::failed, PodFailure::isSidecar, "SidecarFailed", true))
                .or(() -> first(init, PodFailure::failed, not(PodFailure::isSidecar), "InitContainerFailed", true))
                .or(() -> first(main, PodFailure::isOutOfMemory, PodFailure::isSidecar, "SidecarOOM", false))
                .or(() -> first(main, PodFailure::isOutOfMemory, PodFailure::isStep, "StepOOM", false))
                .or(() -> first(main, PodFailure::failed, PodFailure::isSidecar, "SidecarFailed", false))
                .or(() -> first(main, PodFailure::failed, PodFailure::isStep, "StepFailed", false));
    }

    private static Predicate<Json.Obj> not(Predicate<Json.Obj> condition) {
        return condition.negate();
    }

    private static Optional<Culprit> first(
            List<Json.Obj> statuses,
            Predicate<Json.Obj> happened,
            Predicate<Json.Obj> is,
            String reason,
            boolean isInit) {
        return statuses.stream()
                .filter(happened.and(is))
                .findFirst()
                .map(container -> new Culprit(reason, container, isInit));
    }

    private static Optional<String> words(Json.Obj status) {
        var ended = status.object("state", "terminated");
        var name = status.string("name");
        var message = TerminationMessage.parse(ended.string("message"));
        if (message.flatMap(all -> all.internal("Reason"))
                .filter("TimeoutExceeded"::equals)
                .isPresent()) {
            return Optional.of("\"%s\" exited because the step exceeded the specified timeout limit".formatted(name));
        }
        var code = ended.integer("exitCode");
        if (code == 0) {
            return Optional.empty();
        }
        var why = message.flatMap(all -> all.internal("Problem")).orElse(ended.string("reason"));
        return Optional.of("\"%s\" exited with code %d%s".formatted(name, code, why.isEmpty() ? "" : ": " + why));
    }

    /// In the order of the containers, whatever order the node reports them in.
    static List<Json.Obj> statuses(Resource pod) {
        var statuses = pod.status().objects("containerStatuses");
        return pod.spec().objects("containers").stream()
                .flatMap(container ->
                        statuses.stream().filter(status -> status.string("name").equals(container.string("name"))))
                .toList();
    }

    static boolean isStep(Json.Obj status) {
        return status.string("name").startsWith("step-");
    }

    static boolean isSidecar(Json.Obj status) {
        return status.string("name").startsWith("sidecar-");
    }

    static boolean isOver(Json.Obj status) {
        return status.object("state").has("terminated");
    }

    static boolean failed(Json.Obj status) {
        return status.object("state", "terminated").integer("exitCode") != 0;
    }

    static boolean isOutOfMemory(Json.Obj status) {
        return status.string("state", "terminated", "reason").equals("OOMKilled");
    }
}

package dev.towtank.controllers.gitops.sync;

import dev.towtank.controllers.gitops.api.ResourceKey;
import dev.towtank.model.Json;
import java.util.List;

/// What came of one object in one phase, as `status.operationState.syncResult.resources` keeps it.
///
/// @param status `Synced`, `SyncFailed`, `Pruned` or `PruneSkipped`
/// @param state `Running`, `Succeeded`, `Failed` or `Error`
/// @param images those of its pods
public record Result(
        ResourceKey key,
        String version,
        Phase phase,
        boolean isHook,
        String status,
        String state,
        String message,
        List<String> images) {

    // Where the pods of an object are described: of itself, of those that it makes, of the jobs that it makes.
    private static final List<List<String>> PODS = List.of(
            List.of("spec"),
            List.of("spec", "template", "spec"),
            List.of("spec", "jobTemplate", "spec", "template", "spec"));

    public Result {
        images = List.copyOf(images);
    }

    public static List<String> images(Json.Obj object) {
        return PODS.stream()
                .flatMap(path -> object.object(path.toArray(String[]::new)).objects("containers").stream())
                .map(container -> container.string("image"))
                .filter(image -> !image.isEmpty())
                .toList();
    }

    public static Result read(Json.Obj json) {
        return new Result(
                new ResourceKey(
                        json.string("group"), json.string("kind"), json.string("namespace"), json.string("name")),
                json.string("version"),
                Phase.read(json.string("syncPhase")).orElse(Phase.SYNC),
                !json.string("hookType").isEmpty(),
                json.string("status"),
                json.string("hookPhase"),
                json.string("message"),
                json.array("images").strings());
    }

    public Json.Obj json() {
        return Json.Obj.builder()
                .put("group", key.group())
                .put("version", version)
                .put("kind", key.kind())
                .put("namespace", key.namespace())
                .put("name", key.name())
                .putNonEmpty("status", status)
                .putNonEmpty("message", message)
                .putNonEmpty("hookType", isHook ? phase.wire() : "")
                .putNonEmpty("hookPhase", state)
                .put("syncPhase", phase.wire())
                .putNonEmpty("images", Json.Arr.ofStrings(images))
                .build();
    }

    static Result of(Task task, String status, String state, String message) {
        return new Result(
                task.key(),
                task.object().version(),
                task.phase(),
                task.isHook(),
                status,
                state,
                message,
                images(task.object().object()));
    }

    Result with(String newState, String newMessage) {
        return new Result(key, version, phase, isHook, status, newState, newMessage, images);
    }

    /// @param end `Failed` or `Error`
    Result failed(String end, String why) {
        return new Result(key, version, phase, isHook, "SyncFailed", end, why, images);
    }

    /// Which object it is about, in which phase.
    public record Place(ResourceKey key, Phase phase) {}

    public Place place() {
        return new Place(key, phase);
    }

    public boolean isRunning() {
        return state.equals("Running");
    }

    public boolean isCompleted() {
        return !state.isEmpty() && !isRunning();
    }

    public boolean isSuccessful() {
        return state.equals("Succeeded");
    }
}

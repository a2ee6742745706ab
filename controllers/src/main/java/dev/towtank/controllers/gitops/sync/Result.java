package dev.towtank.controllers.gitops.sync;

import dev.towtank.controllers.gitops.api.ResourceKey;
import dev.towtank.model.Json;

/// What came of one object in one phase, as `status.operationState.syncResult.resources` keeps it.
///
/// @param status `Synced`, `SyncFailed`, `Pruned` or `PruneSkipped`
/// @param state `Running`, `Succeeded`, `Failed` or `Error`
public record Result(
        ResourceKey key, String version, Phase phase, boolean isHook, String status, String state, String message) {

    public static Result read(Json.Obj json) {
        return new Result(
                new ResourceKey(
                        json.string("group"), json.string("kind"), json.string("namespace"), json.string("name")),
                json.string("version"),
                Phase.read(json.string("syncPhase")).orElse(Phase.SYNC),
                !json.string("hookType").isEmpty(),
                json.string("status"),
                json.string("hookPhase"),
                json.string("message"));
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
                .build();
    }

    static Result of(Task task, String status, String state, String message) {
        return new Result(task.key(), task.object().version(), task.phase(), task.isHook(), status, state, message);
    }

    Result with(String newState, String newMessage) {
        return new Result(key, version, phase, isHook, status, newState, newMessage);
    }

    boolean isAbout(Task task) {
        return key.equals(task.key()) && phase == task.phase();
    }

    /// Whether it is about the same object in the same phase.
    public boolean isSameAs(Result other) {
        return key.equals(other.key) && phase == other.phase;
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

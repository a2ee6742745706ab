package dev.towtank.controllers.gitops.sync;

import dev.towtank.controllers.gitops.api.ResourceKey;
import dev.towtank.model.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// What to do next in a sync, and how it then stands.
///
/// @param results those so far, as they now are
/// @param state of the whole sync: `Running`, `Succeeded`, `Failed` or `Error`
/// @param isLast whether the sync is at its end when all actions succeed
public record SyncStep(List<Action> actions, List<Result> results, String state, String message, boolean isLast) {

    public SyncStep {
        actions = List.copyOf(actions);
        results = List.copyOf(results);
    }

    public enum Verb {
        APPLY,
        DELETE,
        /// Takes away the finalizer that keeps a hook until its end was seen.
        RELEASE
    }

    /// @param object the target of an apply; otherwise what lives
    /// @param expected the result when it succeeds; empty where nobody keeps it
    public record Action(Verb verb, ResourceKey key, Json.Obj object, Optional<Result> expected) {}

    /// What came of an action.
    public record Outcome(boolean isDone, String message) {

        public Json.Obj json() {
            return Json.Obj.of("done", Json.of(isDone), "message", Json.of(message));
        }

        public static Outcome read(Json.Obj json) {
            return new Outcome(json.flag("done"), json.string("message"));
        }
    }

    /// @param outcomes in the order of the actions
    public SyncStep after(List<Outcome> outcomes) {
        var all = new ArrayList<>(results);
        boolean hasFailed = false;
        for (int i = 0; i < actions.size(); i++) {
            var expected = actions.get(i).expected();
            if (expected.isEmpty()) {
                continue;
            }
            var outcome = outcomes.get(i);
            hasFailed |= !outcome.isDone();
            var old = expected.get();
            var message = outcome.message().isEmpty() ? old.message() : outcome.message();
            all.add(outcome.isDone() ? old.with(old.state(), message) : old.failed("Failed", message));
        }
        return isLast && !hasFailed
                ? new SyncStep(List.of(), all, "Succeeded", "successfully synced (all tasks run)", true)
                : new SyncStep(List.of(), all, state, message, false);
    }
}

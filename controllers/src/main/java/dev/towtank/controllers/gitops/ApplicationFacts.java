package dev.towtank.controllers.gitops;

import dev.towtank.controllers.gitops.sync.Managed;
import dev.towtank.controllers.gitops.sync.Situation;
import dev.towtank.model.Json;
import java.util.List;
import java.util.Optional;

/// What is known about an Application.
///
/// @param isPending whether more will be known soon
/// @param problems why it cannot be compared
/// @param warnings what its user should know
/// @param compared what the repository wants and what lives; empty while that is not known
/// @param sync what the next step of the running operation depends on
/// @param remains what is left of an application that is being deleted
record ApplicationFacts(
        boolean isPending,
        List<Condition> problems,
        List<Condition> warnings,
        Optional<Compared> compared,
        Optional<Situation> sync,
        List<Managed> remains) {

    /// @param type such as `ComparisonError`
    record Condition(String type, String message) {}

    /// @param revisions one for each source
    /// @param resources without hooks
    record Compared(List<String> revisions, List<String> sourceTypes, List<Managed> resources) {
        String revision() {
            return revisions.getFirst();
        }
    }

    ApplicationFacts {
        problems = List.copyOf(problems);
        warnings = List.copyOf(warnings);
        remains = List.copyOf(remains);
    }

    static ApplicationFacts pending() {
        return new ApplicationFacts(true, List.of(), List.of(), Optional.empty(), Optional.empty(), List.of());
    }

    static ApplicationFacts failed(List<Condition> problems) {
        return new ApplicationFacts(false, problems, List.of(), Optional.empty(), Optional.empty(), List.of());
    }

    static ApplicationFacts deleting(List<Managed> remains) {
        return new ApplicationFacts(false, List.of(), List.of(), Optional.empty(), Optional.empty(), remains);
    }

    /// Whether a running operation is to take its next step.
    static boolean isStepping(Json.Obj operationState) {
        return operationState.string("phase").equals("Running") && !operationState.has("finishedAt");
    }
}

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
/// @param begins the commits that an operation is about that is to begin
/// @param remains what is left of an application that is being deleted, or runs of an operation that is to end
record ApplicationFacts(
        boolean isPending,
        List<Condition> problems,
        List<Condition> warnings,
        Optional<Compared> compared,
        Optional<Situation> sync,
        List<Managed> remains,
        List<String> begins) {

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
        begins = List.copyOf(begins);
    }

    static ApplicationFacts pending() {
        return new ApplicationFacts(
                true, List.of(), List.of(), Optional.empty(), Optional.empty(), List.of(), List.of());
    }

    static ApplicationFacts failed(List<Condition> problems) {
        return new ApplicationFacts(
                false, problems, List.of(), Optional.empty(), Optional.empty(), List.of(), List.of());
    }

    static ApplicationFacts compared(List<Condition> warnings, Compared compared) {
        return new ApplicationFacts(
                false, List.of(), warnings, Optional.of(compared), Optional.empty(), List.of(), List.of());
    }

    static ApplicationFacts beginning(List<Condition> warnings, Compared compared, List<String> commits) {
        return new ApplicationFacts(
                false, List.of(), warnings, Optional.of(compared), Optional.empty(), List.of(), commits);
    }

    static ApplicationFacts syncing(
            List<Condition> problems, List<Condition> warnings, Compared compared, Situation situation) {
        return new ApplicationFacts(
                false, problems, warnings, Optional.of(compared), Optional.of(situation), List.of(), List.of());
    }

    /// What the operation is about cannot be read.
    static ApplicationFacts stuck(List<Condition> problems, List<Condition> warnings, Compared compared) {
        return new ApplicationFacts(
                false, problems, warnings, Optional.of(compared), Optional.empty(), List.of(), List.of());
    }

    static ApplicationFacts terminating(List<Condition> warnings, Compared compared, List<Managed> hooks) {
        return new ApplicationFacts(
                false, List.of(), warnings, Optional.of(compared), Optional.empty(), hooks, List.of());
    }

    static ApplicationFacts deleting(List<Managed> remains) {
        return new ApplicationFacts(
                false, List.of(), List.of(), Optional.empty(), Optional.empty(), remains, List.of());
    }

    /// Whether a running operation is to take its next step.
    static boolean isStepping(Json.Obj operationState) {
        return operationState.string("phase").equals("Running") && !operationState.has("finishedAt");
    }
}

package dev.towtank.controllers.gitops;

import dev.towtank.controllers.gitops.sync.Managed;
import dev.towtank.controllers.gitops.sync.Situation;
import dev.towtank.model.Json;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// What is known about an Application.
///
/// @param isPending whether more will be known soon
/// @param problems why it cannot be compared
/// @param warnings what its user should know
/// @param compared what the repository wants and what lives; empty while that is not known
/// @param sync what the next step of the running operation depends on
/// @param begins the commits that an operation is about that is to begin
/// @param deletion hooks of an application that is being deleted
/// @param remains what is left of an application that is being deleted, or runs of an operation that is to end
record ApplicationFacts(
        boolean isPending,
        List<Condition> problems,
        List<Condition> warnings,
        Optional<Compared> compared,
        Optional<Situation> sync,
        List<Managed> remains,
        List<String> begins,
        Optional<Deletion> deletion,
        Pace pace) {

    /// How the message begins where the destination does not answer.
    static final String UNREACHABLE = "cannot reach the cluster ";

    /// @param type such as `ComparisonError`
    record Condition(String type, String message) {}

    /// Whether it is not known how things are there, and may be soon.
    boolean isUnreachable() {
        return problems.stream().anyMatch(each -> each.message().startsWith(UNREACHABLE));
    }

    /// When a sync may take its steps.
    ///
    /// @param betweenWaves how long a wave is given before the next, as Argo CD gives it; none by default
    record Pace(SyncWindows windows, Duration betweenWaves) {
        static final Pace FREE = new Pace(SyncWindows.NONE, Duration.ZERO);
    }

    /// What is to be done when an application is deleted, beside the deletion of its objects.
    record Deletion(List<Managed> before, List<Managed> after) {
        Deletion {
            before = List.copyOf(before);
            after = List.copyOf(after);
        }
    }

    /// @param revisions one for each source
    /// @param resources without hooks
    /// @param hooks those of the last operation that live
    /// @param deletionHooks the names of the phases of a deletion that have hooks
    record Compared(
            List<String> revisions,
            List<String> sourceTypes,
            List<Managed> resources,
            List<Managed> hooks,
            Set<String> deletionHooks) {
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

    private static final ApplicationFacts NOTHING = new ApplicationFacts(
            false,
            List.of(),
            List.of(),
            Optional.empty(),
            Optional.empty(),
            List.of(),
            List.of(),
            Optional.empty(),
            Pace.FREE);

    ApplicationFacts at(Pace newPace) {
        return new ApplicationFacts(isPending, problems, warnings, compared, sync, remains, begins, deletion, newPace);
    }

    private ApplicationFacts with(List<Condition> newProblems) {
        return new ApplicationFacts(isPending, newProblems, warnings, compared, sync, remains, begins, deletion, pace);
    }

    private ApplicationFacts leaving(List<Managed> newRemains) {
        return new ApplicationFacts(isPending, problems, warnings, compared, sync, newRemains, begins, deletion, pace);
    }

    static ApplicationFacts pending() {
        return new ApplicationFacts(
                true,
                List.of(),
                List.of(),
                Optional.empty(),
                Optional.empty(),
                List.of(),
                List.of(),
                Optional.empty(),
                Pace.FREE);
    }

    static ApplicationFacts failed(List<Condition> problems) {
        return NOTHING.with(problems);
    }

    static ApplicationFacts compared(List<Condition> warnings, Compared compared) {
        return beginning(warnings, compared, List.of());
    }

    static ApplicationFacts beginning(List<Condition> warnings, Compared compared, List<String> commits) {
        return new ApplicationFacts(
                false,
                List.of(),
                warnings,
                Optional.of(compared),
                Optional.empty(),
                List.of(),
                commits,
                Optional.empty(),
                Pace.FREE);
    }

    static ApplicationFacts syncing(
            List<Condition> problems, List<Condition> warnings, Compared compared, Situation situation) {
        return new ApplicationFacts(
                false,
                problems,
                warnings,
                Optional.of(compared),
                Optional.of(situation),
                List.of(),
                List.of(),
                Optional.empty(),
                Pace.FREE);
    }

    /// What the operation is about cannot be read.
    static ApplicationFacts stuck(List<Condition> problems, List<Condition> warnings, Compared compared) {
        return compared(warnings, compared).with(problems);
    }

    static ApplicationFacts terminating(List<Condition> warnings, Compared compared, List<Managed> hooks) {
        return compared(warnings, compared).leaving(hooks);
    }

    static ApplicationFacts deleting(List<Managed> remains, Deletion deletion) {
        return new ApplicationFacts(
                false,
                List.of(),
                List.of(),
                Optional.empty(),
                Optional.empty(),
                remains,
                List.of(),
                Optional.of(deletion),
                Pace.FREE);
    }

    /// Whether a running operation is to take its next step.
    static boolean isStepping(Json.Obj operationState) {
        return operationState.string("phase").equals("Running") && !operationState.has("finishedAt");
    }
}

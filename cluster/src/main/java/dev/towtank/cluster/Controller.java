package dev.towtank.cluster;

import dev.towtank.model.Kind;
import dev.towtank.model.Resource;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// A reconciler and all that a [ControlLoop] needs to run it, as a value: nothing happens until a loop starts it.
///
/// @param name for logs, metrics and field ownership
/// @param workers how many objects are looked at in parallel
public record Controller<T, F>(
        String name,
        Kind<T> kind,
        Facts<T, F> facts,
        Reconciler<T, F> reconciler,
        List<Trigger> triggers,
        int workers) {

    private static final int USUAL_WORKERS = 4;

    public Controller {
        triggers = List.copyOf(triggers);
        if (workers < 1) {
            throw new IllegalArgumentException(name + " needs at least one worker");
        }
    }

    public static <T, F> Controller<T, F> of(
            String name, Kind<T> kind, Facts<T, F> facts, Reconciler<T, F> reconciler) {
        return new Controller<>(name, kind, facts, reconciler, List.of(), USUAL_WORKERS);
    }

    public Controller<T, F> wokenBy(Trigger trigger) {
        var more = new ArrayList<>(triggers);
        more.add(trigger);
        return new Controller<>(name, kind, facts, reconciler, more, workers);
    }

    public Controller<T, F> withWorkers(int count) {
        return new Controller<>(name, kind, facts, reconciler, triggers, count);
    }

    /// What to do about a primary object, given what the caches behind the facts say now.
    public Plan decide(Resource primary, Instant now) {
        return decide(primary, Optional.empty(), now);
    }

    /// @param problem why the last plan could not be carried out, where it could not
    public Plan decide(Resource primary, Optional<String> problem, Instant now) {
        var observed = Observed.of(kind, primary, problem);
        return reconciler.reconcile(observed, facts.gather(observed), now);
    }
}

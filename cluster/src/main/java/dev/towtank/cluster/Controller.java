package dev.towtank.cluster;

import dev.towtank.model.Kind;
import dev.towtank.model.Resource;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntSupplier;
import java.util.function.Predicate;

/// A reconciler and all that a [ControlLoop] needs to run it, as a value: nothing happens until a loop starts it.
///
/// @param name for logs, metrics and field ownership
/// @param concerns whether a change to this state of a primary object is worth a look; what triggers wake is looked
///     at
///     in any case
/// @param wakers what else wakes primary objects
/// @param doers who carries out the deeds in its plans, by their class
/// @param workers how many objects are looked at in parallel, as it is wanted at the moment
public record Controller<T, F>(
        String name,
        Kind<T> kind,
        Facts<T, F> facts,
        Reconciler<T, F> reconciler,
        Predicate<Resource> concerns,
        List<Trigger> triggers,
        List<Waker> wakers,
        Map<Class<?>, Deed.Doer<?>> doers,
        IntSupplier workers) {

    private static final int USUAL_WORKERS = 4;

    public Controller {
        triggers = List.copyOf(triggers);
        wakers = List.copyOf(wakers);
        doers = Map.copyOf(doers);
    }

    public static <T, F> Controller<T, F> of(
            String name, Kind<T> kind, Facts<T, F> facts, Reconciler<T, F> reconciler) {
        return new Controller<>(
                name, kind, facts, reconciler, _ -> true, List.of(), List.of(), Map.of(), () -> USUAL_WORKERS);
    }

    public Controller<T, F> wokenBy(Trigger trigger) {
        var more = new ArrayList<>(triggers);
        more.add(trigger);
        return new Controller<>(name, kind, facts, reconciler, concerns, more, wakers, doers, workers);
    }

    /// For what is no object, such as an answer from [Outside].
    public Controller<T, F> wokenBy(Waker waker) {
        var more = new ArrayList<>(wakers);
        more.add(waker);
        return new Controller<>(name, kind, facts, reconciler, concerns, triggers, more, doers, workers);
    }

    /// Its plans may have deeds of this type.
    public <D extends Deed> Controller<T, F> doing(Class<D> type, Deed.Doer<D> doer) {
        var more = new HashMap<>(doers);
        more.put(type, doer);
        return new Controller<>(name, kind, facts, reconciler, concerns, triggers, wakers, more, workers);
    }

    /// For a kind of which most objects are none of the controller's business: to wake a worker costs more than to
    /// ask.
    ///
    /// @param concern is asked on the thread that reads changes, when the caches hold the change already
    public Controller<T, F> onlyFor(Predicate<Resource> concern) {
        return new Controller<>(name, kind, facts, reconciler, concern, triggers, wakers, doers, workers);
    }

    public Controller<T, F> withWorkers(int count) {
        if (count < 1) {
            throw new IllegalArgumentException(name + " needs at least one worker");
        }
        return withWorkers(() -> count);
    }

    /// For as many as somebody may decide while it runs.
    public Controller<T, F> withWorkers(IntSupplier count) {
        return new Controller<>(name, kind, facts, reconciler, concerns, triggers, wakers, doers, count);
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

package dev.towtank.cluster;

import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.Resource;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// What a [Reconciler] decided: changes in their order, and when to look again though nothing changed.
///
/// Carrying it out half-way is normal; a later change may rely on the ones before it.
public record Plan(List<Change> changes, Optional<Instant> lookAgain) {

    /// Nothing to do.
    public static final Plan NONE = new Plan(List.of(), Optional.empty());

    public Plan {
        changes = List.copyOf(changes);
    }

    public static Plan none() {
        return NONE;
    }

    public static Plan of(Change... changes) {
        return new Plan(List.of(changes), Optional.empty());
    }

    public static Plan lookAgainAt(Instant moment) {
        return new Plan(List.of(), Optional.of(moment));
    }

    public boolean isNone() {
        return equals(NONE);
    }

    /// First this plan, then the other; the earlier moment counts.
    public Plan then(Plan next) {
        if (isNone()) {
            return next;
        }
        var all = new ArrayList<>(changes);
        all.addAll(next.changes);
        var moment = lookAgain.isPresent() && next.lookAgain.isPresent()
                ? Optional.of(lookAgain.get().isBefore(next.lookAgain.get()) ? lookAgain.get() : next.lookAgain.get())
                : lookAgain.or(() -> next.lookAgain);
        return new Plan(all, moment);
    }

    public Plan then(Change next) {
        return then(of(next));
    }

    public Plan create(Kind<?> kind, Resource object) {
        return then(new Change.Create(kind, object));
    }

    public Plan patch(Kind<?> kind, Resource seen, Json.Obj fields) {
        return then(new Change.PatchFields(kind, seen, fields));
    }

    /// Nothing when the status is already this one.
    public Plan setStatus(Kind<?> kind, Resource seen, Json.Obj status) {
        return seen.status().equals(status) ? this : then(new Change.SetStatus(kind, seen, status));
    }

    /// Nothing when the deletion has already begun.
    public Plan delete(Kind<?> kind, Resource seen) {
        return seen.isDeleting() ? this : then(new Change.Delete(kind, seen));
    }

    /// Collects many changes without a new plan for each.
    public static final class Builder {
        private final List<Change> changes = new ArrayList<>();

        public Builder add(Change change) {
            changes.add(change);
            return this;
        }

        public Builder add(Plan plan) {
            changes.addAll(plan.changes);
            return this;
        }

        public Builder create(Kind<?> kind, Resource object) {
            return add(new Change.Create(kind, object));
        }

        public Builder patch(Kind<?> kind, Resource seen, Json.Obj fields) {
            return add(new Change.PatchFields(kind, seen, fields));
        }

        /// Nothing when the status is already this one.
        public Builder setStatus(Kind<?> kind, Resource seen, Json.Obj status) {
            return seen.status().equals(status) ? this : add(new Change.SetStatus(kind, seen, status));
        }

        /// Nothing when the deletion has already begun.
        public Builder delete(Kind<?> kind, Resource seen) {
            return seen.isDeleting() ? this : add(new Change.Delete(kind, seen));
        }

        public boolean isEmpty() {
            return changes.isEmpty();
        }

        public Plan build() {
            return changes.isEmpty() ? NONE : new Plan(changes, Optional.empty());
        }

        public Plan build(Optional<Instant> lookAgain) {
            return new Plan(changes, lookAgain);
        }
    }

    /// The changes as a list that a scenario can be compared with.
    public Json.Arr json() {
        var all = new ArrayList<Json>();
        changes.forEach(change -> all.add(change.json()));
        lookAgain.ifPresent(moment -> all.add(Json.Obj.of("lookAgain", Json.of(moment.toString()))));
        return new Json.Arr(all);
    }

    @Override
    public String toString() {
        if (isNone()) {
            return "nothing to do";
        }
        var lines = new ArrayList<String>();
        changes.forEach(change -> lines.add(change.toString()));
        lookAgain.ifPresent(moment -> lines.add("look again at " + moment));
        return String.join("\n", lines);
    }
}

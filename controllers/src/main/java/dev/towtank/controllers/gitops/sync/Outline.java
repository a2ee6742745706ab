package dev.towtank.controllers.gitops.sync;

import dev.towtank.controllers.gitops.api.ResourceKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// All that a sync will do, in its order, before anything is touched.
///
/// @param failures what would end it before it begins
public record Outline(List<Group> groups, List<Failure> failures) {

    /// What is done at once, and awaited before the next begins.
    public record Group(Phase phase, int wave, List<Entry> entries) {
        public Group {
            entries = List.copyOf(entries);
        }
    }

    /// @param isHook something to be done, in place of something to be there
    public record Entry(Managed object, boolean isHook, Verb verb) {
        public ResourceKey key() {
            return object.key();
        }

        /// For people: the end of a generated name is another for each sync.
        public String shownName() {
            return isHook
                    ? key().name().replaceFirst("[0-9a-f]{0,7}-(presync|sync|postsync|syncfail)-\\d+$", "*")
                    : key().name();
        }

        public boolean isPrune() {
            return verb == Verb.PRUNE || verb == Verb.LEAVE;
        }
    }

    public enum Verb {
        CREATE,
        CHANGE,
        /// As it is wanted already.
        KEEP,
        RUN,
        PRUNE,
        /// It is wanted no longer, but nobody may take it away.
        LEAVE
    }

    public record Failure(ResourceKey key, String message) {}

    public Outline {
        groups = List.copyOf(groups);
        failures = List.copyOf(failures);
    }

    /// @param situation of a sync that has not begun
    public static Outline of(Situation situation) {
        var groups = new ArrayList<Group>();
        for (var task : TaskList.of(situation)) {
            var entry = new Entry(task.object(), task.isHook(), verb(task, situation.wishes()));
            var last = groups.isEmpty() ? Optional.<Group>empty() : Optional.of(groups.getLast());
            if (last.filter(it -> it.phase() == task.phase() && it.wave() == task.wave())
                    .isPresent()) {
                var entries = new ArrayList<>(groups.removeLast().entries());
                entries.add(entry);
                groups.add(new Group(task.phase(), task.wave(), entries));
            } else {
                groups.add(new Group(task.phase(), task.wave(), List.of(entry)));
            }
        }
        var failures = SyncPlanner.next(situation).results().stream()
                .filter(result -> result.status().equals("SyncFailed"))
                .map(result -> new Failure(result.key(), result.message()))
                .distinct()
                .toList();
        return new Outline(groups, failures);
    }

    private static Verb verb(Task task, Situation.Wishes wishes) {
        if (task.isPrune()) {
            boolean isKept = !wishes.prune() || wishes.pruning(task.object()).equals("false");
            return isKept ? Verb.LEAVE : Verb.PRUNE;
        }
        if (task.isHook()) {
            return Verb.RUN;
        }
        return task.object().live().isEmpty() ? Verb.CREATE : task.object().isSynced() ? Verb.KEEP : Verb.CHANGE;
    }
}

package dev.towtank.controllers.gitops.sync;

import dev.towtank.controllers.gitops.api.ResourceKey;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// All that the next step of a sync depends on.
///
/// @param resources what belongs to the application, hooks not among it
/// @param hooks those that this sync runs
/// @param namespace to be made first, where it is not there
/// @param results what this sync has done so far
public record Situation(
        List<Managed> resources, List<Hook> hooks, Optional<Managed> namespace, List<Result> results, Wishes wishes) {

    public record Hook(Phase phase, Managed object) {}

    /// @param isDryRun nothing is to be changed
    /// @param selected all where it is empty
    /// @param options of the whole sync, such as `PruneLast=true`
    /// @param isConfirmed whether somebody agreed to the deletion of what asks for that
    /// @param operation differs for each sync, so that a hook can tell which one it belongs to
    public record Wishes(
            boolean prune,
            boolean isDryRun,
            Set<ResourceKey> selected,
            Set<String> options,
            boolean isConfirmed,
            String operation) {
        public Wishes {
            selected = Set.copyOf(selected);
            options = Set.copyOf(options);
        }

        boolean isSelected(ResourceKey key) {
            return selected.isEmpty()
                    || selected.contains(key)
                    || selected.contains(new ResourceKey(key.group(), key.kind(), "", key.name()));
        }

        /// What an object says about its pruning counts more than what is said about all.
        String pruning(Managed managed) {
            return Marks.option(managed.object(), "Prune")
                    .or(() -> Marks.value(options, "Prune"))
                    .orElse("true");
        }
    }

    public Situation {
        resources = List.copyOf(resources);
        hooks = List.copyOf(hooks);
        results = List.copyOf(results);
    }
}

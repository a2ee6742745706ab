package dev.towtank.controllers.pipelines.pipelineruns;

import dev.towtank.controllers.pipelines.graph.Gate;
import dev.towtank.controllers.pipelines.graph.Progress;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import java.util.List;
import java.util.Optional;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/// Keeps what is worked out about one run from one look to the next, so that a look costs what has changed.
///
/// Only one worker looks at a run at a time; nothing here changes what a look decides.
public final class Memory {

    private record Plan(Json.Obj spec, Optional<Json.Obj> pinned, Blueprint blueprint) {}

    private record Seen(Blueprint blueprint, boolean isWhole, Children children, Progress progress) {}

    private @Nullable Plan plan;
    private @Nullable Seen seen;
    private Children last = Children.NONE;

    /// The children as they are now.
    synchronized Children children(List<Resource> runs) {
        last = Children.of(runs, last);
        return last;
    }

    /// @param pinned the pipeline that the run began with
    synchronized Optional<Blueprint> blueprint(Json.Obj spec, Optional<Json.Obj> pinned) {
        var known = plan;
        // What a user may change of a run that has begun is its status alone.
        return known != null
                        && known.spec.without("status").equals(spec.without("status"))
                        && (known.pinned.isEmpty() || known.pinned.equals(pinned))
                ? Optional.of(known.blueprint)
                : Optional.empty();
    }

    synchronized Blueprint keep(Json.Obj spec, Optional<Json.Obj> pinned, Blueprint blueprint) {
        plan = new Plan(spec, pinned, blueprint);
        return blueprint;
    }

    /// How far the run has come.
    ///
    /// @param isWhole whether a task of a matrix is over only when all its runs have been created
    synchronized Progress progress(
            Blueprint blueprint,
            Children children,
            Gate gate,
            ToIntFunction<PlannedTask> combinations,
            boolean isWhole) {
        ToIntFunction<PlannedTask> expected = isWhole ? combinations : _ -> 0;
        var before = seen;
        Progress progress;
        if (before == null
                || !before.blueprint.equals(blueprint)
                || before.isWhole != isWhole
                || !children.continues(before.children)) {
            progress = blueprint.graph().start(gate).after(children.states(blueprint, expected), gate);
        } else {
            var changes = children.changedSince(before.children, blueprint, expected);
            changes.entrySet().removeIf(change -> before.progress.run(change.getKey()) == change.getValue());
            progress = changes.isEmpty() ? before.progress : before.progress.after(changes, gate);
        }
        seen = new Seen(blueprint, isWhole, children, progress);
        return progress;
    }
}

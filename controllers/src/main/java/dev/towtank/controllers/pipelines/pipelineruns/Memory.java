package dev.towtank.controllers.pipelines.pipelineruns;

import dev.towtank.cluster.Observed;
import dev.towtank.controllers.pipelines.api.PipelineRun;
import dev.towtank.controllers.pipelines.graph.Progress;
import dev.towtank.controllers.pipelines.substitution.Growth;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Keeps what is worked out about one run from one gathering of facts to the next, so that a look costs what has
/// changed. Nothing here changes what is decided.
///
/// Only one worker looks at a run at a time.
final class Memory {

    private record Plan(Json.Obj spec, Optional<Json.Obj> pinned, Blueprint blueprint) {}

    private record Seen(Blueprint blueprint, Children children, Progress progress) {}

    private @Nullable Plan plan;
    private @Nullable Seen seen;
    private Children last = Children.NONE;

    /// The children as they are now.
    synchronized Children children(List<Resource> runs) {
        last = Children.of(runs, last);
        return last;
    }

    /// What can be said about the run before anybody decides. What went wrong, the decision finds out again and tells.
    synchronized Draft draft(Observed<PipelineRun> observed, PipelineRunFacts facts) {
        if (isIdle(observed.object(), observed.value())) {
            return Draft.NONE;
        }
        try {
            return blueprint(observed.object(), observed.value(), facts)
                    .map(blueprint ->
                            new Draft(Optional.of(blueprint), progress(observed.object(), blueprint, facts.children())))
                    .orElse(Draft.NONE);
        } catch (Growth.TooLong e) {
            return Draft.NONE;
        }
    }

    /// Nothing of it is going to start.
    private static boolean isIdle(Resource run, PipelineRun value) {
        return value.isCancelled()
                || PipelineRunReconciler.isOfOthers(value)
                || (value.isPending() && !run.status().has("startTime"));
    }

    private Optional<Blueprint> blueprint(Resource run, PipelineRun value, PipelineRunFacts facts) {
        var pinned = value.status().pipelineSpec();
        var known = plan;
        // What a user may change of a run that has begun is its status alone.
        if (known != null
                && known.spec.without("status").equals(run.spec().without("status"))
                && (known.pinned.isEmpty() || known.pinned.equals(pinned))) {
            return Optional.of(known.blueprint);
        }
        if (new BlueprintBuilder(run, value, facts).build() instanceof BlueprintBuilder.Result.Ready(var blueprint)) {
            plan = new Plan(run.spec(), pinned, blueprint);
            return Optional.of(blueprint);
        }
        return Optional.empty();
    }

    /// How far the run has come, where a task of a matrix is over only when all its runs have been created.
    private Optional<Progress> progress(Resource run, Blueprint blueprint, Children children) {
        var values = new TaskValues(run.namespace(), run.name(), blueprint, children);
        try {
            var progress = progress(blueprint, children, values);
            seen = new Seen(blueprint, children, progress);
            return Optional.of(progress);
        } catch (TaskValues.Broken e) {
            return Optional.empty();
        }
    }

    private Progress progress(Blueprint blueprint, Children children, TaskValues values) {
        var before = seen;
        if (before == null || !before.blueprint.equals(blueprint) || !children.continues(before.children)) {
            return values.progress(true);
        }
        var changes = children.changedSince(before.children, blueprint, values::combinations);
        changes.entrySet().removeIf(change -> before.progress.run(change.getKey()) == change.getValue());
        return changes.isEmpty() ? before.progress : before.progress.after(changes, values.gate());
    }
}

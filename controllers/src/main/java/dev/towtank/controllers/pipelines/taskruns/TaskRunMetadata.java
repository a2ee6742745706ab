package dev.towtank.controllers.pipelines.taskruns;

import dev.towtank.cluster.Plan;
import dev.towtank.controllers.pipelines.api.TaskRun;
import dev.towtank.controllers.pipelines.api.settings.ReleaseMark;
import dev.towtank.controllers.pipelines.runs.PipelineKinds;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/// Labels and annotations that a run gets from its task.
final class TaskRunMetadata {

    static final String LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

    private TaskRunMetadata() {}

    /// As all runs are that we looked at.
    static Resource marked(Resource run) {
        var annotations = run.metadata().object("annotations");
        return run.with(run.json()
                .with(
                        "metadata",
                        run.metadata()
                                .with(
                                        "annotations",
                                        annotations.with(ReleaseMark.ANNOTATION, Json.of(ReleaseMark.VALUE)))));
    }

    /// What brings them to the run; nothing where it has them.
    static Plan put(Resource run, Resource labelled) {
        return labelled.labels().equals(run.labels()) && labelled.annotations().equals(run.annotations())
                ? Plan.NONE
                : Plan.NONE.patch(PipelineKinds.TASK_RUN, run, patch(run, labelled));
    }

    /// The run's own win over the task's.
    static Resource merged(Resource run, TaskRun value, String taskName, TaskPreparation.Found found) {
        var labels = new LinkedHashMap<String, String>();
        var annotations = new LinkedHashMap<String, String>();
        found.task().ifPresent(task -> {
            labels.putAll(task.object().stringMap("metadata", "labels"));
            annotations.putAll(task.object().stringMap("metadata", "annotations"));
            annotations.remove(LAST_APPLIED);
        });
        labels.putAll(run.labels());
        annotations.putAll(run.annotations());
        if (value.spec().taskRef().isPresent() && found.task().isPresent()) {
            labels.put("tekton.dev/task", taskName);
        }
        annotations.put(ReleaseMark.ANNOTATION, ReleaseMark.VALUE);
        var metadata = run.metadata().with("annotations", Json.Obj.ofStrings(annotations));
        if (!labels.isEmpty()) {
            metadata = metadata.with("labels", Json.Obj.ofStrings(labels));
        }
        var changed = run.with(run.json().with("metadata", metadata));
        return changed.labels().equals(run.labels()) && changed.annotations().equals(run.annotations()) ? run : changed;
    }

    private static Json.Obj patch(Resource before, Resource after) {
        var metadata = Json.Obj.builder();
        metadata.putNonEmpty("labels", Json.Obj.ofStrings(added(before.labels(), after.labels())));
        metadata.putNonEmpty("annotations", Json.Obj.ofStrings(added(before.annotations(), after.annotations())));
        return Json.Obj.of("metadata", metadata.build());
    }

    private static Map<String, String> added(Map<String, String> before, Map<String, String> after) {
        var added = new LinkedHashMap<String, String>();
        after.forEach((key, value) -> {
            if (!Objects.equals(before.get(key), value)) {
                added.put(key, value);
            }
        });
        return added;
    }

    /// The steps of a run that comes to no pod.
    static Json.Arr steps(Json.Obj task, TaskPreparation.Found found) {
        var steps = new ArrayList<Json>();
        for (var step : task.objects("steps")) {
            var given = step.string("name");
            var name = given.isEmpty() ? "unnamed-" + steps.size() : given;
            var source = found.stepSources().get(name);
            var provenance = source == null ? Json.Obj.EMPTY : Json.Obj.of("refSource", source);
            steps.add(Json.Obj.of("name", Json.of(name), "provenance", provenance));
        }
        return new Json.Arr(steps);
    }

    /// The steps before their pod is there, for the sources of their step actions.
    static Json.Arr steps(TaskPreparation.Found found) {
        return new Json.Arr(List.copyOf(found.stepSources().entrySet().stream()
                .map(entry -> (Json) Json.Obj.of(
                        "name", Json.of(entry.getKey()), "provenance", Json.Obj.of("refSource", entry.getValue())))
                .toList()));
    }
}

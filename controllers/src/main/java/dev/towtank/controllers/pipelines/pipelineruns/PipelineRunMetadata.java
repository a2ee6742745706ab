package dev.towtank.controllers.pipelines.pipelineruns;

import dev.towtank.controllers.pipelines.runs.ChildNames;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/// Labels and annotations that a run gets from its pipeline.
final class PipelineRunMetadata {

    private static final String PIPELINE = "tekton.dev/pipeline";
    private static final String LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

    private PipelineRunMetadata() {}

    /// The run's own win over the pipeline's.
    static Resource merged(Resource run, Blueprint blueprint) {
        var labels = new LinkedHashMap<String, String>();
        var annotations = new LinkedHashMap<String, String>();
        blueprint.source().ifPresent(found -> {
            labels.putAll(found.object().stringMap("metadata", "labels"));
            annotations.putAll(found.object().stringMap("metadata", "annotations"));
            annotations.remove(LAST_APPLIED);
        });
        labels.putAll(run.labels());
        annotations.putAll(run.annotations());
        labels.putIfAbsent(PIPELINE, pipelineName(run, blueprint));
        if (labels.equals(run.labels()) && annotations.equals(run.annotations())) {
            return run;
        }
        return run.with(run.json()
                .with(
                        "metadata",
                        run.metadata()
                                .with("labels", Json.Obj.ofStrings(labels))
                                .with("annotations", Json.Obj.ofStrings(annotations))));
    }

    private static String pipelineName(Resource run, Blueprint blueprint) {
        if (!run.spec().has("pipelineSpec")) {
            return blueprint.pipelineName().isEmpty() ? run.name() : blueprint.pipelineName();
        }
        var name = ChildNames.restricted(run.metadata().string("generateName"));
        return name.isEmpty() ? run.name() : name;
    }

    static Json.Obj patch(Resource before, Resource after) {
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
}

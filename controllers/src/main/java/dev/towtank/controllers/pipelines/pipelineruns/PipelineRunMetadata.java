package dev.towtank.controllers.pipelines.pipelineruns;

import dev.towtank.cluster.Plan;
import dev.towtank.controllers.pipelines.api.PipelineRun;
import dev.towtank.controllers.pipelines.api.Ref;
import dev.towtank.controllers.pipelines.runs.ChildNames;
import dev.towtank.controllers.pipelines.runs.PipelineKinds;
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

    /// What the run says of itself, before its pipeline is found.
    static Resource named(Resource run, PipelineRun value) {
        if (run.labels().containsKey(PIPELINE)) {
            return run;
        }
        var labels = new LinkedHashMap<>(run.labels());
        labels.put(PIPELINE, name(run, value));
        return with(run, labels, run.annotations());
    }

    private static String name(Resource run, PipelineRun value) {
        var reference = value.spec().pipelineRef();
        var name = reference.map(Ref::name).orElse("");
        if (!name.isEmpty()) {
            return name;
        }
        if (value.spec().pipelineSpec().isPresent()) {
            var generated = ChildNames.restricted(run.metadata().string("generateName"));
            return generated.isEmpty() ? run.name() : generated;
        }
        var params = new LinkedHashMap<String, String>();
        reference.ifPresent(remote -> remote.params()
                .forEach(param -> params.put(param.name(), param.value().textOrEmpty())));
        return "pipeline".equals(params.get("kind")) ? params.getOrDefault("name", "") : run.name();
    }

    /// The run's own win over the pipeline's, but for the name of the pipeline.
    static Resource merged(Resource run, PipelineRun value, Definition definition) {
        var named = named(run, value);
        if (value.status().pipelineSpec().isPresent()) {
            return named;
        }
        var labels = new LinkedHashMap<String, String>();
        var annotations = new LinkedHashMap<String, String>();
        definition.source().ifPresent(found -> {
            labels.putAll(found.object().stringMap("metadata", "labels"));
            annotations.putAll(found.object().stringMap("metadata", "annotations"));
            annotations.remove(LAST_APPLIED);
        });
        labels.putAll(named.labels());
        annotations.putAll(named.annotations());
        var isGenerated = definition
                .source()
                .map(found -> found.object().object("metadata"))
                .orElse(run.metadata())
                .has("generateName");
        if (!definition.pipelineName().isEmpty() && !isGenerated) {
            labels.put(PIPELINE, definition.pipelineName());
        }
        return with(run, labels, annotations);
    }

    private static Resource with(Resource run, Map<String, String> labels, Map<String, String> annotations) {
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

    /// What brings them to the run; nothing where it has them.
    static Plan put(Resource run, Resource labelled) {
        return labelled.equals(run)
                ? Plan.NONE
                : Plan.NONE.patch(PipelineKinds.PIPELINE_RUN, run, patch(run, labelled));
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
}

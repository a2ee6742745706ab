package dev.towtank.app.run.input;

import dev.towtank.controllers.pipelines.runs.PipelineKinds;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.kinds.BuiltinKinds;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The kinds that objects in files may have: the built-in ones, Tekton's, and those that the files define.
public final class KnownKinds {

    private final Map<String, Kind<?>> kinds = new HashMap<>();

    public static KnownKinds with(List<Document> documents) {
        var known = new KnownKinds();
        BuiltinKinds.ALL.forEach(known::add);
        List.of(
                        PipelineKinds.TASK,
                        PipelineKinds.PIPELINE,
                        PipelineKinds.TASK_RUN,
                        PipelineKinds.PIPELINE_RUN,
                        PipelineKinds.STEP_ACTION,
                        PipelineKinds.CUSTOM_RUN,
                        PipelineKinds.RESOLUTION_REQUEST,
                        Kind.namespaced("tekton.dev", "v1alpha1", "StepAction", "stepactions"),
                        Kind.namespaced("tekton.dev", "v1alpha1", "VerificationPolicy", "verificationpolicies"))
                .forEach(known::add);
        documents.stream()
                .filter(document -> document.kind().equals("CustomResourceDefinition"))
                .forEach(known::define);
        return known;
    }

    private void add(Kind<?> kind) {
        kinds.put(kind.apiVersion() + " " + kind.kind(), kind);
    }

    private void define(Document definition) {
        var spec = definition.json().object("spec");
        for (var version : spec.objects("versions")) {
            var kind = spec.string("names", "kind");
            var plural = spec.string("names", "plural");
            add(
                    spec.string("scope").equals("Cluster")
                            ? Kind.clusterScoped(spec.string("group"), version.string("name"), kind, plural)
                            : Kind.namespaced(spec.string("group"), version.string("name"), kind, plural));
        }
    }

    public Optional<Kind<?>> find(Document document) {
        return Optional.ofNullable(kinds.get(document.json().string("apiVersion") + " " + document.kind()));
    }

    /// The document with the namespace that it is applied to, where it names none.
    public Document placed(Document document) {
        var namespaced = find(document).filter(Kind::isNamespaced).isPresent();
        var metadata = document.json().object("metadata");
        return namespaced && metadata.string("namespace").isEmpty()
                ? document.with(document.json().with(List.of("metadata", "namespace"), Json.of("default")))
                : document;
    }
}

package dev.towtank.app.run.input;

import dev.towtank.controllers.pipelines.runs.PipelineKinds;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.crd.CustomResourceDefinitions;
import dev.towtank.model.kinds.BuiltinKinds;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/// The kinds that objects in files may have: the built-in ones, Tekton's, those that the files define, and those that
/// features bring, which are read only where a file has one of them.
public final class KnownKinds {

    private final Map<String, Kind<?>> kinds = new HashMap<>();
    private final Supplier<List<Json.Obj>> definitions;
    private boolean hasDefinitions;

    private KnownKinds(Supplier<List<Json.Obj>> definitions) {
        this.definitions = definitions;
    }

    /// @param definitions what features bring with them
    public static KnownKinds with(List<Document> documents, Supplier<List<Json.Obj>> definitions) {
        var known = new KnownKinds(definitions);
        BuiltinKinds.ALL.forEach(known::add);
        known.add(CustomResourceDefinitions.KIND);
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
        documents.stream().map(Document::json).filter(KnownKinds::isDefinition).forEach(known::define);
        return known;
    }

    private static boolean isDefinition(Json.Obj object) {
        return object.string("kind").equals("CustomResourceDefinition");
    }

    private void add(Kind<?> kind) {
        kinds.put(kind.apiVersion() + " " + kind.kind(), kind);
    }

    private void define(Json.Obj definition) {
        var spec = definition.object("spec");
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
        var name = document.json().string("apiVersion") + " " + document.kind();
        if (!kinds.containsKey(name) && !hasDefinitions) {
            hasDefinitions = true;
            definitions.get().stream().filter(KnownKinds::isDefinition).forEach(this::define);
        }
        return Optional.ofNullable(kinds.get(name));
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

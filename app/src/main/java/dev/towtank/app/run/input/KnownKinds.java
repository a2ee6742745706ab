package dev.towtank.app.run.input;

import dev.towtank.app.lint.finding.FieldNames;
import dev.towtank.app.lint.finding.Similar;
import dev.towtank.controllers.pipelines.runs.PipelineKinds;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.Schemas;
import dev.towtank.model.crd.CustomResourceDefinitions;
import dev.towtank.model.crd.DefinedKinds;
import dev.towtank.model.kinds.BuiltinKinds;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;

/// The kinds that objects in files may have: the built-in ones, Tekton's, those that the files define, and those that
/// features bring, which are read only where a file has one of them.
public final class KnownKinds {

    /// Where objects are when nobody says otherwise.
    public static final String NAMESPACE = "default";

    private static final String METADATA = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta";

    private final Map<String, Kind<?>> kinds = new HashMap<>();
    private final Map<String, Json.Obj> schemas = new HashMap<>();
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
        DefinedKinds.served(definition).forEach(this::add);
        var spec = definition.object("spec");
        for (var version : spec.objects("versions")) {
            var name = spec.string("group") + "/" + version.string("name") + " " + spec.string("names", "kind");
            schemas.putIfAbsent(name, version.object("schema", "openAPIV3Schema"));
        }
    }

    public Optional<Kind<?>> find(Document document) {
        var name = name(document);
        if (!kinds.containsKey(name)) {
            readDefinitions();
        }
        return Optional.ofNullable(kinds.get(name));
    }

    /// What may be meant by a kind that is not found.
    Optional<String> similar(Document document) {
        var group = document.json().string("apiVersion") + " ";
        var candidates = kinds.keySet().stream()
                .filter(name -> name.startsWith(group))
                .map(name -> name.substring(group.length()))
                .toList();
        return Similar.to(document.kind(), candidates).or(() -> otherVersion(document));
    }

    /// A group has few versions, and whoever names another means one of these.
    private Optional<String> otherVersion(Document document) {
        var version = document.json().string("apiVersion");
        var group = version.substring(0, version.indexOf('/') + 1);
        return kinds.keySet().stream()
                .filter(name -> name.startsWith(group) && name.endsWith(" " + document.kind()))
                .map(name -> name.substring(0, name.indexOf(' ')))
                .filter(other -> other.lastIndexOf('/') == group.length() - 1)
                .min(Comparator.comparingInt(String::length).thenComparing(Comparator.naturalOrder()))
                .map(other -> "apiVersion: " + other);
    }

    private static String name(Document document) {
        return document.json().string("apiVersion") + " " + document.kind();
    }

    private void readDefinitions() {
        if (!hasDefinitions) {
            hasDefinitions = true;
            definitions.get().stream().filter(KnownKinds::isDefinition).forEach(this::define);
        }
    }

    /// The names that fields may have at a place in an object; none where that is not known.
    List<String> fieldsAt(Document document, String path) {
        var type = find(document).flatMap(Schemas.builtin()::find);
        if (type.isPresent()) {
            return FieldNames.at(type.get(), path);
        }
        if (path.equals("metadata") || path.startsWith("metadata.")) {
            return Schemas.builtin().type(METADATA).stream()
                    .flatMap(metadata ->
                            FieldNames.at(metadata, path.substring(Math.min(path.length(), "metadata.".length())))
                                    .stream())
                    .toList();
        }
        readDefinitions();
        return FieldNames.at(schemas.getOrDefault(name(document), Json.Obj.EMPTY), path);
    }

    /// The names of all fields of a group's custom kinds: some keep parts of objects without saying what may be in
    /// them.
    Set<String> fieldsOfGroup(String group) {
        readDefinitions();
        var names = new TreeSet<String>();
        schemas.forEach((name, schema) -> {
            if (name.startsWith(group + "/")) {
                collect(schema, names);
            }
        });
        return names;
    }

    private static void collect(Json.Obj schema, Set<String> names) {
        var properties = schema.object("properties");
        names.addAll(properties.keys());
        properties.keys().forEach(name -> collect(properties.object(name), names));
        for (var inner : List.of("items", "additionalProperties")) {
            if (schema.has(inner)) {
                collect(schema.object(inner), names);
            }
        }
    }

    /// The document in a namespace, where it names none and can be in one.
    public Document placed(Document document, String namespace) {
        var namespaced = find(document).filter(Kind::isNamespaced).isPresent();
        var metadata = document.json().object("metadata");
        return namespaced && metadata.string("namespace").isEmpty()
                ? document.with(document.json().with(List.of("metadata", "namespace"), Json.of(namespace)))
                : document;
    }
}

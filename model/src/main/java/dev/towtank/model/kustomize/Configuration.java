package dev.towtank.model.kustomize;

import dev.towtank.model.Json;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/// Where kustomizations change fields beyond those that everybody knows: `configurations`, and what `crds` tell about
/// kinds. What a base knows, those above it know.
///
/// @param places by the transformation that looks at them, such as `commonLabels`
/// @param references names of other objects
record Configuration(Map<String, List<FieldSpec>> places, List<NameReferences.Reference> references) {

    static final Configuration NONE = new Configuration(Map.of(), List.of());
    private static final Set<String> FIELDS = Set.of(
            "namePrefix",
            "nameSuffix",
            "namespace",
            "commonLabels",
            "labels",
            "templateLabels",
            "volumeClaimTemplateLabels",
            "commonAnnotations",
            "varReference",
            "images",
            "replicas");
    private static final Set<String> HEADER = Set.of("apiVersion", "kind", "metadata");
    private static final int DEEPEST = 30;

    Configuration {
        places = Map.copyOf(places);
        references = List.copyOf(references);
    }

    List<FieldSpec> at(String transformation) {
        return places.getOrDefault(transformation, List.of());
    }

    Configuration and(Configuration other) {
        if (equals(NONE) || other.equals(NONE)) {
            return equals(NONE) ? other : this;
        }
        var all = new TreeMap<String, List<FieldSpec>>(places);
        other.places.forEach((field, more) -> all.merge(field, more, Configuration::union));
        return new Configuration(all, union(references, other.references));
    }

    private static <T> List<T> union(List<T> one, List<T> other) {
        var all = new LinkedHashSet<>(one);
        all.addAll(other);
        return List.copyOf(all);
    }

    /// What the files say that a kustomization names.
    static Configuration read(Folder folder, Json.Obj fields) {
        var all = NONE;
        for (var file : fields.array("configurations").strings()) {
            for (var document : folder.documents(file)) {
                if (!(document instanceof Json.Obj written)) {
                    throw new KustomizeError(folder.resolve(file) + ": expected a mapping of transformations");
                }
                all = all.and(of(folder.resolve(file), written));
            }
        }
        for (var file : fields.array("crds").strings()) {
            for (var document : folder.documents(file)) {
                if (document instanceof Json.Obj definitions) {
                    all = all.and(new Definitions(definitions).configuration());
                }
            }
        }
        return all;
    }

    private static Configuration of(String file, Json.Obj written) {
        var places = new TreeMap<String, List<FieldSpec>>();
        var references = new ArrayList<NameReferences.Reference>();
        written.forEach((field, value) -> {
            if (field.equals("nameReference")) {
                written.objects(field).forEach(each -> references.addAll(references(each)));
            } else if (FIELDS.contains(field)) {
                places.put(
                        field,
                        written.objects(field).stream().map(FieldSpec::of).toList());
            } else if (!HEADER.contains(field)) {
                throw new KustomizeError(file + ": unknown field \"" + field + "\"");
            }
        });
        return new Configuration(places, references);
    }

    private static List<NameReferences.Reference> references(Json.Obj entry) {
        return entry.objects("fieldSpecs").stream()
                .map(place -> new NameReferences.Reference(
                        entry.string("kind"),
                        entry.string("group").isEmpty() ? "*" : entry.string("group"),
                        entry.string("version").isEmpty() ? "*" : entry.string("version"),
                        FieldSpec.of(place)))
                .toList();
    }

    /// Definitions of types, with marks at the fields that hold labels, annotations and names.
    private record Definitions(Json.Obj all) {

        Configuration configuration() {
            var places = new TreeMap<String, List<FieldSpec>>();
            var references = new ArrayList<NameReferences.Reference>();
            for (var name : all.keys()) {
                var properties = properties(name);
                if (properties.has("kind") && properties.has("apiVersion") && properties.has("metadata")) {
                    look(name, name.substring(name.lastIndexOf('.') + 1), "", places, references, 0);
                }
            }
            return new Configuration(places, references);
        }

        private Json.Obj properties(String name) {
            var definition = all.object(name);
            return definition.has("Schema")
                    ? definition.object("Schema").object("properties")
                    : definition.object("properties");
        }

        private void look(
                String name,
                String kind,
                String path,
                Map<String, List<FieldSpec>> places,
                List<NameReferences.Reference> references,
                int depth) {
            if (depth > DEEPEST) {
                return;
            }
            properties(name).forEach((field, value) -> {
                if (!(value instanceof Json.Obj property)) {
                    return;
                }
                var here = path.isEmpty() ? field : path + "/" + field;
                var marks = Map.of(
                        "x-kubernetes-annotation", "commonAnnotations",
                        "x-kubernetes-label-selector", "commonLabels",
                        "x-kubernetes-identity", "namePrefix");
                marks.forEach((mark, transformation) -> {
                    if (property.has(mark)) {
                        places.computeIfAbsent(transformation, _ -> new ArrayList<>())
                                .add(new FieldSpec("*", kind, here, false));
                    }
                });
                if (property.has("x-kubernetes-object-ref-api-version")
                        && property.has("x-kubernetes-object-ref-kind")) {
                    var key = property.string("x-kubernetes-object-ref-name-key");
                    references.add(new NameReferences.Reference(
                            property.string("x-kubernetes-object-ref-kind"),
                            "*",
                            property.string("x-kubernetes-object-ref-api-version"),
                            new FieldSpec("*", kind, here + "/" + (key.isEmpty() ? "name" : key), false)));
                }
                if (!property.string("$ref").isEmpty()) {
                    look(property.string("$ref"), kind, here, places, references, depth + 1);
                }
            });
        }
    }
}

package dev.towtank.model.kinds.storage;

import dev.towtank.model.Column;
import dev.towtank.model.FieldError;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.Names;
import dev.towtank.model.Rules;
import dev.towtank.model.kinds.Field;
import dev.towtank.model.kinds.Fill;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

public final class StorageClasses {

    public static final Kind<Json.Obj> KIND = Kind.clusterScoped(
                    "storage.k8s.io", "v1", "StorageClass", "storageclasses")
            .withShortNames("sc")
            .withRules(new StorageClassRules())
            .withColumns(
                    new Column("Name", "string", "name", "", 0, (object, _) -> Json.of(shownName(object))),
                    Column.path("Provisioner", "provisioner"),
                    Column.text("ReclaimPolicy", (object, _) -> orDefault(object, "reclaimPolicy", "Delete")),
                    Column.text(
                            "VolumeBindingMode", (object, _) -> orDefault(object, "volumeBindingMode", "Immediate")),
                    Column.text("AllowVolumeExpansion", (object, _) -> Json.of(object.flag("allowVolumeExpansion"))),
                    Column.ofAge());

    private static final List<String> DEFAULT_MARKS =
            List.of("storageclass.kubernetes.io/is-default-class", "storageclass.beta.kubernetes.io/is-default-class");

    private static final int MAX_PARAMETERS = 512;
    private static final int MAX_PARAMETER_BYTES = 256 * 1024;

    private StorageClasses() {}

    /// Whether claims that name no class get this one.
    public static boolean isDefault(Json.Obj object) {
        return DEFAULT_MARKS.stream()
                .anyMatch(mark -> object.string("metadata", "annotations", mark).equals("true"));
    }

    private static String shownName(Json.Obj object) {
        return object.string("metadata", "name") + (isDefault(object) ? " (default)" : "");
    }

    private static Json orDefault(Json.Obj object, String field, String value) {
        return Json.of(object.string(field).isEmpty() ? value : object.string(field));
    }

    private static final class StorageClassRules implements Rules {

        @Override
        public Json.Obj defaults(Json.Obj object) {
            return Fill.missing(Fill.missing(object, "reclaimPolicy", "Delete"), "volumeBindingMode", "Immediate");
        }

        @Override
        public void validate(Json.Obj object, FieldError.Collector errors) {
            var root = Field.root(object, errors);
            root.at("provisioner")
                    .required("")
                    .matchesIfSet(name -> Names.qualifiedName(name.toLowerCase(Locale.ROOT)));
            validateParameters(root.at("parameters"));
            if (!root.at("reclaimPolicy").isEmpty()) {
                root.at("reclaimPolicy").oneOf("Delete", "Retain");
            }
            var binding = root.at("volumeBindingMode");
            if (binding.isPresent()) {
                binding.oneOf("Immediate", "WaitForFirstConsumer");
            } else {
                binding.required("");
            }
            validateTopologies(root.at("allowedTopologies"));
        }

        private static void validateParameters(Field parameters) {
            if (parameters.size() > MAX_PARAMETERS) {
                parameters.tooLong(MAX_PARAMETERS);
                return;
            }
            long bytes = 0;
            for (var parameter : parameters.object()) {
                if (parameter.getKey().isEmpty()) {
                    parameters.with(Json.of("")).invalid("field can not be empty.");
                }
                bytes += utf8Length(parameter.getKey())
                        + utf8Length(parameter.getValue().display());
            }
            if (bytes > MAX_PARAMETER_BYTES) {
                parameters.tooLong(MAX_PARAMETER_BYTES);
            }
        }

        private static int utf8Length(String text) {
            return text.getBytes(StandardCharsets.UTF_8).length;
        }

        private static void validateTopologies(Field topologies) {
            var seen = new HashSet<Map<String, Set<String>>>();
            topologies.each(term -> {
                var expressions = term.at("matchLabelExpressions");
                if (!seen.add(validateTerm(expressions))) {
                    expressions.errors().duplicate(expressions.path(), Json.of(""));
                }
            });
        }

        private static Map<String, Set<String>> validateTerm(Field expressions) {
            var term = new TreeMap<String, Set<String>>();
            expressions.each(requirement -> {
                var values = new TreeSet<String>();
                requirement.at("values").required("").each(value -> value.unique(values));
                var key = requirement.at("key").matches(Names::qualifiedName);
                if (term.put(key.text(), values) != null) {
                    key.errors().duplicate(key.path(), Json.of(key.text()));
                }
            });
            return term;
        }

        @Override
        public boolean returnsDeletedObject() {
            return true;
        }

        @Override
        public void validateUpdate(Json.Obj object, Json.Obj old, FieldError.Collector errors) {
            var root = Field.root(object, errors);
            for (var fixed : List.of("parameters", "provisioner", "reclaimPolicy", "volumeBindingMode")) {
                root.at(fixed).immutable(old.get(fixed));
            }
        }
    }
}

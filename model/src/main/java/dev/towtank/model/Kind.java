package dev.towtank.model;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A kind of object in one API version, as a value: its names, where it lives, how it is read, checked and shown.
///
/// Adding a kind is adding such a value. `T` is the record that controllers read it as; kinds that nobody reads as a
/// record are a `Kind<Json.Obj>`.
///
/// @param schema name of the type in [Schemas], or empty where any fields are allowed
public record Kind<T>(
        String group,
        String version,
        String kind,
        Names names,
        Scope scope,
        Class<T> type,
        String schema,
        Rules rules,
        List<Column> columns,
        boolean hasStatus,
        Optional<Scale> scale) {

    public enum Scope {
        NAMESPACED,
        CLUSTER
    }

    public record Names(String plural, String singular, List<String> shortNames, List<String> categories) {
        public Names {
            shortNames = List.copyOf(shortNames);
            categories = List.copyOf(categories);
        }
    }

    /// Where the `scale` subresource finds its numbers; paths are of object keys, the selector may be absent.
    public record Scale(List<String> specReplicas, List<String> statusReplicas, Optional<List<String>> selector) {
        public Scale {
            specReplicas = List.copyOf(specReplicas);
            statusReplicas = List.copyOf(statusReplicas);
        }

        /// The object as the `scale` subresource shows it.
        public Json.Obj of(Json.Obj object) {
            var metadata = Json.Obj.builder();
            for (var field : List.of("name", "namespace", "uid", "resourceVersion", "creationTimestamp")) {
                metadata.putNonEmpty(field, object.string("metadata", field));
            }
            var status = Json.Obj.builder().put("replicas", number(object, statusReplicas));
            selector.ifPresent(
                    path -> status.putNonEmpty("selector", selector(object.at(path.toArray(String[]::new)))));
            return Json.Obj.builder()
                    .put("kind", "Scale")
                    .put("apiVersion", "autoscaling/v1")
                    .put("metadata", metadata.build())
                    .put("spec", spec(number(object, specReplicas)))
                    .put("status", status.build())
                    .build();
        }

        /// The object with the number of replicas that a scale asks for.
        public Json.Obj applied(Json.Obj scale, Json.Obj object) {
            return object.with(specReplicas, Json.of(scale.integer("spec", "replicas")));
        }

        private static Json.Obj spec(long replicas) {
            return replicas == 0 ? Json.Obj.EMPTY : Json.Obj.of("replicas", Json.of(replicas));
        }

        private static long number(Json.Obj object, List<String> path) {
            return object.integer(path.toArray(String[]::new));
        }

        // Built-in kinds keep a selector object, the oldest of them the labels themselves, custom resources a text.
        private static String selector(@Nullable Json value) {
            if (value instanceof Json.Obj object) {
                return selectorOf(object).toString();
            }
            return value instanceof Json.Str(var text) ? text : "";
        }

        private static LabelSelector selectorOf(Json.Obj object) {
            boolean isLabels = object.size() > 0 && object.value(0) instanceof Json.Str;
            return isLabels ? LabelSelector.of(object.stringMap()) : LabelSelector.of(object);
        }
    }

    public Kind {
        columns = List.copyOf(columns);
    }

    public static Kind<Json.Obj> namespaced(String group, String version, String kind, String plural) {
        return plain(group, version, kind, plural, Scope.NAMESPACED);
    }

    public static Kind<Json.Obj> clusterScoped(String group, String version, String kind, String plural) {
        return plain(group, version, kind, plural, Scope.CLUSTER);
    }

    private static Kind<Json.Obj> plain(String group, String version, String kind, String plural, Scope scope) {
        return new Kind<>(
                group,
                version,
                kind,
                new Names(plural, kind.toLowerCase(Locale.ROOT), List.of(), List.of()),
                scope,
                Json.Obj.class,
                kind,
                Rules.NONE,
                List.of(),
                false,
                Optional.empty());
    }

    public Kind<T> withShortNames(String... shortNames) {
        return withNames(new Names(names.plural, names.singular, List.of(shortNames), names.categories));
    }

    public Kind<T> withCategories(String... categories) {
        return withNames(new Names(names.plural, names.singular, names.shortNames, List.of(categories)));
    }

    private Kind<T> withNames(Names changed) {
        return new Kind<>(group, version, kind, changed, scope, type, schema, rules, columns, hasStatus, scale);
    }

    public Kind<T> withRules(Rules changed) {
        return new Kind<>(group, version, kind, names, scope, type, schema, changed, columns, hasStatus, scale);
    }

    public Kind<T> withColumns(Column... changed) {
        return new Kind<>(group, version, kind, names, scope, type, schema, rules, List.of(changed), hasStatus, scale);
    }

    public Kind<T> withStatus() {
        return new Kind<>(group, version, kind, names, scope, type, schema, rules, columns, true, scale);
    }

    public Kind<T> withScale(Scale changed) {
        return new Kind<>(
                group, version, kind, names, scope, type, schema, rules, columns, hasStatus, Optional.of(changed));
    }

    public <R> Kind<R> readAs(Class<R> record) {
        return new Kind<>(group, version, kind, names, scope, record, schema, rules, columns, hasStatus, scale);
    }

    /// The object with what its author left out: defaults, and in built-in kinds the zero values that Go writes.
    public Json.Obj completed(Json.Obj object) {
        var filled = rules.defaults(object);
        return Schemas.builtin()
                .find(this)
                .map(found -> Zeros.fill(filled, found))
                .orElse(filled);
    }

    public String apiVersion() {
        return group.isEmpty() ? version : group + "/" + version;
    }

    public String plural() {
        return names.plural;
    }

    public boolean isNamespaced() {
        return scope == Scope.NAMESPACED;
    }

    public GroupResource resource() {
        return new GroupResource(group, names.plural);
    }

    public T read(Resource resource) {
        return Records.read(type, resource.json());
    }

    @Override
    public String toString() {
        return apiVersion() + " " + kind;
    }
}

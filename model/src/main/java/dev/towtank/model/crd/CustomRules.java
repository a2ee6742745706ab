package dev.towtank.model.crd;

import dev.towtank.model.FieldError;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.Names;
import dev.towtank.model.Path;
import dev.towtank.model.Rules;
import dev.towtank.model.StatusError;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The rules of one version of a custom kind: those of its schema.
final class CustomRules implements Rules {

    private final Json.Obj version;
    private final Supplier<CompiledSchema> schema;
    private final Optional<Kind.Scale> scale;
    private final Optional<KindBehaviour> behaviour;

    CustomRules(
            Json.Obj version,
            Supplier<CompiledSchema> schema,
            Optional<Kind.Scale> scale,
            Optional<KindBehaviour> behaviour) {
        this.behaviour = behaviour;
        this.version = version;
        this.schema = schema;
        this.scale = scale;
    }

    @Override
    public Names.Rule nameRule() {
        return behaviour.map(KindBehaviour::nameRule).orElse(Names.Rule.DNS_SUBDOMAIN);
    }

    @Override
    public Json.Obj prune(Json.Obj object, Consumer<String> unknownField) {
        var known = schema.get().prune(object, unknownField);
        return behaviour.isEmpty() ? known : behaviour.get().prune(known, unknownField);
    }

    @Override
    public Json.Obj defaults(Json.Obj object) {
        var filled = schema.get().defaults(object);
        return behaviour.isEmpty()
                ? filled
                : schema.get().defaults(behaviour.get().defaults(filled));
    }

    @Override
    public Json.Obj prepareCreate(Json.Obj object) {
        return behaviour.isEmpty() ? object : behaviour.get().prepareCreate(object);
    }

    @Override
    public Json.Obj prepareUpdate(Json.Obj object, Json.Obj old) {
        return behaviour.isEmpty() ? object : behaviour.get().prepareUpdate(object, old);
    }

    @Override
    public Optional<StatusError> unreadable(Json.Obj object) {
        return behaviour.flatMap(each -> each.unreadable(object));
    }

    @Override
    public Optional<StatusError> refusal(Json.Obj object, Json.@Nullable Obj old) {
        return behaviour.flatMap(each -> each.refusal(object, old));
    }

    // Not in validate, which does not know the old object: what is unchanged is let through.
    @Override
    public void validateCreate(Json.Obj object, FieldError.Collector errors) {
        schema.get().validate(object, errors);
        scale.ifPresent(paths -> {
            checkReplicas(object, paths.specReplicas(), errors);
            checkReplicas(object, paths.statusReplicas(), errors);
        });
    }

    @Override
    public void validateUpdate(Json.Obj object, Json.Obj old, FieldError.Collector errors) {
        schema.get().validateUpdate(object, old, errors);
        scale.ifPresent(paths -> {
            checkReplicas(object, paths.specReplicas(), errors);
            checkReplicas(object, paths.statusReplicas(), errors);
        });
    }

    @Override
    public void validateStatus(Json.Obj object, Json.Obj old, FieldError.Collector errors) {
        schema.get().validateStatus(object, old, errors);
        scale.ifPresent(paths -> checkReplicas(object, paths.statusReplicas(), errors));
    }

    private static void checkReplicas(Json.Obj object, List<String> path, FieldError.Collector errors) {
        var value = object.at(path.toArray(new String[0]));
        var at = new Path("." + String.join(".", path));
        if (value instanceof Json.Int(var replicas)) {
            if (replicas < 0) {
                errors.invalid(at, value, "should be a non-negative integer");
            } else if (replicas > Integer.MAX_VALUE) {
                errors.invalid(at, value, "should be less than or equal to " + Integer.MAX_VALUE);
            }
        }
    }

    @Override
    public List<String> warnings(Json.Obj object) {
        var warnings = new ArrayList<>(deprecation(object.string("apiVersion"), object.string("kind")));
        behaviour.ifPresent(each -> warnings.addAll(each.warnings(object)));
        return warnings;
    }

    @Override
    public List<String> deprecation(Kind<?> kind) {
        return deprecation(kind.apiVersion(), kind.kind());
    }

    private List<String> deprecation(String apiVersion, String kind) {
        if (!version.flag("deprecated")) {
            return List.of();
        }
        var warning = version.string("deprecationWarning");
        return List.of(warning.isEmpty() ? apiVersion + " " + kind + " is deprecated" : warning);
    }

    @Override
    public Map<String, Function<Json.Obj, String>> selectableFields() {
        var fields = new LinkedHashMap<String, Function<Json.Obj, String>>();
        for (var field : version.objects("selectableFields")) {
            var keys = CrdKinds.keys(field.string("jsonPath"));
            var path = keys.toArray(new String[0]);
            fields.put(String.join(".", keys), object -> {
                var value = object.at(path);
                return value == null || value instanceof Json.Null ? "" : value.display();
            });
        }
        return fields;
    }

    @Override
    public boolean allowsUnconditionalUpdate() {
        return false;
    }

    @Override
    public boolean countsGenerations() {
        return true;
    }

    @Override
    public Set<String> metadataKeptByStatus() {
        return Set.of("annotations", "finalizers", "generateName", "labels", "ownerReferences");
    }

    /// Kubernetes 1.35 drops them from the object, and not from the account of who owns what.
    @Override
    public Set<String> metadataUnownedByStatus() {
        return Set.of();
    }
}

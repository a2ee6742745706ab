package dev.towtank.model.crd;

import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/// Makes kinds of definitions: one for each version that is served.
public final class CrdKinds {

    private final SchemaCache schemas;
    private final Map<GroupKind, KindBehaviour> behaviours = new HashMap<>();

    private record GroupKind(String group, String kind) {}

    /// @param behaviours of the kinds that do more than their schemas say, one for a kind
    public CrdKinds(SchemaCache schemas, List<KindBehaviour> behaviours) {
        this.schemas = schemas;
        for (var behaviour : behaviours) {
            var key = new GroupKind(behaviour.group(), behaviour.kind());
            if (this.behaviours.put(key, behaviour) != null) {
                throw new IllegalArgumentException("two behaviours for " + key);
            }
        }
    }

    /// What the kind of a definition does beyond its schema.
    public Optional<KindBehaviour> behaviour(Json.Obj crd) {
        return Optional.ofNullable(
                behaviours.get(new GroupKind(crd.string("spec", "group"), crd.string("spec", "names", "kind"))));
    }

    /// The kinds of a definition, the preferred version first. Whether its names are accepted is for [CrdStatus] to
    /// say.
    ///
    /// @param later the definition again, when a schema is needed; so the kinds do not hold on to it
    public List<Kind<Json.Obj>> served(Json.Obj crd, Supplier<Json.Obj> later) {
        var kinds = new ArrayList<Kind<Json.Obj>>();
        for (var version : crd.objects("spec", "versions")) {
            if (version.flag("served")) {
                kinds.add(kind(crd, version, later));
            }
        }
        kinds.sort(Comparator.comparing(Kind::version, VersionOrder.PREFERRED_FIRST));
        return kinds;
    }

    /// The schemas of all versions, served or not, by version with its group.
    public Map<String, Supplier<CompiledSchema>> schemas(Json.Obj crd, Supplier<Json.Obj> later) {
        var all = new HashMap<String, Supplier<CompiledSchema>>();
        for (var version : crd.objects("spec", "versions")) {
            var name = version.string("name");
            all.put(crd.string("spec", "group") + "/" + name, new LazySchema(schemas, later, name));
        }
        return all;
    }

    /// The schema of a version as the definition has it; empty where it has none.
    public static Json.Obj openApiSchema(Json.Obj crd, String version) {
        return crd.objects("spec", "versions").stream()
                .filter(each -> each.string("name").equals(version))
                .map(each -> each.object("schema", "openAPIV3Schema"))
                .findFirst()
                .orElse(Json.Obj.EMPTY);
    }

    /// The version in which objects are kept.
    public static String storageVersion(Json.Obj crd) {
        return crd.objects("spec", "versions").stream()
                .filter(version -> version.flag("storage"))
                .map(version -> version.string("name"))
                .findFirst()
                .orElse("");
    }

    private Kind<Json.Obj> kind(Json.Obj crd, Json.Obj version, Supplier<Json.Obj> later) {
        var accepted = crd.object("status", "acceptedNames");
        var names = accepted.has("plural") ? accepted : crd.object("spec", "names");
        var subresources = version.object("subresources");
        boolean hasStatus = subresources.has("status");
        var scale = scale(subresources);
        var schema = new LazySchema(schemas, later, version.string("name"));
        return new Kind<>(
                crd.string("spec", "group"),
                version.string("name"),
                names.string("kind"),
                new Kind.Names(
                        names.string("plural"),
                        names.string("singular"),
                        names.array("shortNames").strings(),
                        names.array("categories").strings()),
                crd.string("spec", "scope").equals("Cluster") ? Kind.Scope.CLUSTER : Kind.Scope.NAMESPACED,
                Json.Obj.class,
                "",
                new CustomRules(version.without("schema"), schema, scale, behaviour(crd)),
                PrinterColumns.of(version),
                hasStatus,
                scale);
    }

    private static Optional<Kind.Scale> scale(Json.Obj subresources) {
        if (!(subresources.get("scale") instanceof Json.Obj scale)) {
            return Optional.empty();
        }
        var selector = scale.string("labelSelectorPath");
        return Optional.of(new Kind.Scale(
                keys(scale.string("specReplicasPath")),
                keys(scale.string("statusReplicasPath")),
                selector.isEmpty() ? Optional.empty() : Optional.of(keys(selector))));
    }

    static List<String> keys(String path) {
        return List.of((path.startsWith(".") ? path.substring(1) : path).split("\\.", -1));
    }
}

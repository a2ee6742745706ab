package dev.towtank.model.crd;

import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

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
        return Optional.ofNullable(behaviours.get(
                new GroupKind(crd.string("spec", "group"), crd.string("spec", "names", "kind"))));
    }

    /// The kinds of a definition, in its order of versions. Whether its names are accepted is for [CrdStatus] to say.
    public List<Kind<Json.Obj>> served(Json.Obj crd) {
        var kinds = new ArrayList<Kind<Json.Obj>>();
        for (var version : crd.objects("spec", "versions")) {
            if (version.flag("served")) {
                kinds.add(kind(crd, version));
            }
        }
        return kinds;
    }

    /// The version in which objects are kept.
    public static String storageVersion(Json.Obj crd) {
        return crd.objects("spec", "versions").stream()
                .filter(version -> version.flag("storage"))
                .map(version -> version.string("name"))
                .findFirst()
                .orElse("");
    }

    /// An object in another version of its kind, for the strategy `None`: only the apiVersion changes.
    public static Json.Obj convert(Json.Obj object, Kind<?> to) {
        return object.string("apiVersion").equals(to.apiVersion())
                ? object
                : object.with("apiVersion", Json.of(to.apiVersion()));
    }

    private Kind<Json.Obj> kind(Json.Obj crd, Json.Obj version) {
        var names = crd.object("spec", "names");
        var subresources = version.object("subresources");
        boolean hasStatus = subresources.has("status");
        var scale = scale(subresources);
        var openApi = version.object("schema", "openAPIV3Schema");
        var schema = openApi.size() == 0 || crd.flag("spec", "preserveUnknownFields")
                ? CompiledSchema.OPEN
                : schemas.get(openApi);
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
                new CustomRules(version, schema, scale, behaviour(crd)),
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

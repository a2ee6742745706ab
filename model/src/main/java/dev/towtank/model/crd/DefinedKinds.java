package dev.towtank.model.crd;

import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// The kinds of definitions by their names alone: enough to read and write objects, without any schema.
public final class DefinedKinds {

    private DefinedKinds() {}

    /// One for each version that is served.
    public static List<Kind<Json.Obj>> served(Json.Obj definition) {
        var spec = definition.object("spec");
        return spec.objects("versions").stream()
                .filter(version -> version.flag("served"))
                .map(version -> kind(spec, version.string("name")))
                .toList();
    }

    /// The kind that objects call so.
    public static Optional<Kind<Json.Obj>> find(Stream<Json.Obj> definitions, String apiVersion, String kind) {
        return definitions
                .filter(each -> isCalled(each, apiVersion, kind))
                .flatMap(each -> served(each).stream())
                .filter(each -> each.apiVersion().equals(apiVersion))
                .findFirst();
    }

    // Most definitions are of other groups, and need no look at their versions.
    private static boolean isCalled(Json.Obj definition, String apiVersion, String kind) {
        return definition.string("spec", "names", "kind").equals(kind)
                && apiVersion.startsWith(definition.string("spec", "group") + "/");
    }

    /// Whether a definition is the one of a kind, in its version, and the server has taken it up.
    public static boolean serves(Json.Obj definition, Kind<?> kind) {
        return definition.string("spec", "group").equals(kind.group())
                && definition.string("spec", "names", "plural").equals(kind.plural())
                && CrdStatus.isEstablished(definition)
                && definition.objects("spec", "versions").stream()
                        .anyMatch(version ->
                                version.flag("served") && version.string("name").equals(kind.version()));
    }

    private static Kind<Json.Obj> kind(Json.Obj spec, String version) {
        var group = spec.string("group");
        var kind = spec.string("names", "kind");
        var plural = spec.string("names", "plural");
        return spec.string("scope").equals("Cluster")
                ? Kind.clusterScoped(group, version, kind, plural)
                : Kind.namespaced(group, version, kind, plural);
    }
}

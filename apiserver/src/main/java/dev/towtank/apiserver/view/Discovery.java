package dev.towtank.apiserver.view;

import dev.towtank.apiserver.Catalog.Served;
import dev.towtank.apiserver.Verb;
import dev.towtank.apiserver.view.Subresources.Subresource;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The documents by which clients find out what is served, made from the kinds of a logical cluster.
///
/// The first version of a group is the preferred one.
public final class Discovery {

    private final Map<String, Map<String, List<Served>>> groups = new LinkedHashMap<>();

    public Discovery(List<Served> served) {
        for (var each : served) {
            var kind = each.kind();
            groups.computeIfAbsent(kind.group(), _ -> new LinkedHashMap<>())
                    .computeIfAbsent(kind.version(), _ -> new ArrayList<>())
                    .add(each);
        }
    }

    /// The document at a path such as `/apis/apps/v1`, if there is one.
    ///
    /// @param segments of the path
    public Optional<Json.Obj> find(List<String> segments, Form form, String serverAddress) {
        boolean all = form.shape() == Form.Shape.DISCOVERY;
        return switch (segments.getFirst()) {
            case "api" ->
                switch (segments.size()) {
                    case 1 -> Optional.of(all ? aggregated(true, form.version()) : legacyVersions(serverAddress));
                    case 2 -> resources("", segments.get(1));
                    default -> Optional.empty();
                };
            case "apis" ->
                switch (segments.size()) {
                    case 1 -> Optional.of(all ? aggregated(false, form.version()) : groupList());
                    case 2 -> group(segments.get(1));
                    case 3 -> resources(segments.get(1), segments.get(2));
                    default -> Optional.empty();
                };
            default -> Optional.empty();
        };
    }

    /// Every path that has a document, for the index at `/`.
    public List<String> paths() {
        List<String> paths = new ArrayList<>(List.of("/api", "/apis"));
        groups.forEach((group, versions) -> {
            if (!group.isEmpty()) {
                paths.add("/apis/" + group);
            }
            for (var version : versions.keySet()) {
                paths.add(group.isEmpty() ? "/api/" + version : "/apis/" + group + "/" + version);
            }
        });
        return paths.stream().sorted().toList();
    }

    private Json.Obj legacyVersions(String serverAddress) {
        var versions = groups.getOrDefault("", Map.of()).keySet();
        return Json.Obj.of(
                "kind", Json.of("APIVersions"),
                "versions", Json.Arr.ofStrings(List.copyOf(versions)),
                "serverAddressByClientCIDRs",
                        Json.Arr.of(Json.Obj.of(
                                "clientCIDR", Json.of("0.0.0.0/0"), "serverAddress", Json.of(serverAddress))));
    }

    private Json.Obj groupList() {
        var named = groups.keySet().stream()
                .filter(group -> !group.isEmpty())
                .<Json>map(this::groupVersions)
                .toList();
        return Json.Obj.of(
                "kind", Json.of("APIGroupList"),
                "apiVersion", Json.of("v1"),
                "groups", new Json.Arr(named));
    }

    private Optional<Json.Obj> group(String group) {
        if (group.isEmpty() || !groups.containsKey(group)) {
            return Optional.empty();
        }
        var builder = Json.Obj.builder().put("kind", "APIGroup").put("apiVersion", "v1");
        groupVersions(group).forEach(builder::put);
        return Optional.of(builder.build());
    }

    private Json.Obj groupVersions(String group) {
        var versions = groups.getOrDefault(group, Map.of()).keySet().stream()
                .<Json>map(version ->
                        Json.Obj.of("groupVersion", Json.of(group + "/" + version), "version", Json.of(version)))
                .toList();
        return Json.Obj.of(
                "name", Json.of(group),
                "versions", new Json.Arr(versions),
                "preferredVersion", versions.getFirst());
    }

    private Optional<Json.Obj> resources(String group, String version) {
        var all = groups.getOrDefault(group, Map.of()).get(version);
        if (all == null) {
            return Optional.empty();
        }
        List<Json> resources = new ArrayList<>();
        for (var served : all) {
            resources.add(resource(served));
            Subresources.of(served.kind()).forEach(each -> resources.add(subresource(served.kind(), each)));
        }
        var builder = Json.Obj.builder().put("kind", "APIResourceList");
        if (!group.isEmpty()) {
            builder.put("apiVersion", "v1");
        }
        return Optional.of(builder.put("groupVersion", group.isEmpty() ? version : group + "/" + version)
                .put("resources", new Json.Arr(resources))
                .build());
    }

    private static Json resource(Served served) {
        var kind = served.kind();
        return Json.Obj.builder()
                .put("name", kind.plural())
                .put("singularName", kind.names().singular())
                .put("namespaced", kind.isNamespaced())
                .put("kind", kind.kind())
                .put("verbs", verbs(served))
                .putNonEmpty("shortNames", Json.Arr.ofStrings(kind.names().shortNames()))
                .putNonEmpty("categories", Json.Arr.ofStrings(kind.names().categories()))
                .build();
    }

    private static Json subresource(Kind<?> kind, Subresource part) {
        var builder = Json.Obj.builder()
                .put("name", kind.plural() + "/" + part.name())
                .put("singularName", "")
                .put("namespaced", kind.isNamespaced());
        if (!part.group().equals(kind.group()) || !part.version().equals(kind.version())) {
            builder.putNonEmpty("group", part.group()).put("version", part.version());
        }
        return builder.put("kind", part.kind())
                .put("verbs", Json.Arr.ofStrings(part.verbs()))
                .build();
    }

    private Json.Obj aggregated(boolean core, String version) {
        List<Json> items = new ArrayList<>();
        groups.forEach((group, versions) -> {
            if (group.isEmpty() == core) {
                items.add(Json.Obj.of(
                        "metadata",
                        Json.Obj.builder().putNonEmpty("name", group).build(),
                        "versions",
                        new Json.Arr(versions.entrySet().stream()
                                .map(each -> aggregatedVersion(each.getKey(), each.getValue()))
                                .toList())));
            }
        });
        return Json.Obj.builder()
                .put("kind", "APIGroupDiscoveryList")
                .put("apiVersion", "apidiscovery.k8s.io/" + version)
                .put("metadata", Json.Obj.EMPTY)
                .put("items", new Json.Arr(items))
                .build();
    }

    private static Json aggregatedVersion(String version, List<Served> kinds) {
        return Json.Obj.of(
                "version", Json.of(version),
                "resources",
                        new Json.Arr(kinds.stream()
                                .map(Discovery::aggregatedResource)
                                .toList()),
                "freshness", Json.of("Current"));
    }

    private static Json aggregatedResource(Served served) {
        var kind = served.kind();
        var parts = Subresources.of(kind).stream()
                .<Json>map(part -> Json.Obj.of(
                        "subresource", Json.of(part.name()),
                        "responseKind", responseKind(part.group(), part.version(), part.kind()),
                        "verbs", Json.Arr.ofStrings(part.verbs())))
                .toList();
        return Json.Obj.builder()
                .put("resource", kind.plural())
                .put("responseKind", responseKind(kind.group(), kind.version(), kind.kind()))
                .put("scope", kind.isNamespaced() ? "Namespaced" : "Cluster")
                .put("singularResource", kind.names().singular())
                .put("verbs", verbs(served))
                .putNonEmpty("shortNames", Json.Arr.ofStrings(kind.names().shortNames()))
                .putNonEmpty("categories", Json.Arr.ofStrings(kind.names().categories()))
                .putNonEmpty("subresources", new Json.Arr(parts))
                .build();
    }

    private static Json verbs(Served served) {
        return Json.Arr.ofStrings(
                served.verbs().stream().map(Verb::toString).sorted().toList());
    }

    private static Json responseKind(String group, String version, String kind) {
        return Json.Obj.of("group", Json.of(group), "version", Json.of(version), "kind", Json.of(kind));
    }
}

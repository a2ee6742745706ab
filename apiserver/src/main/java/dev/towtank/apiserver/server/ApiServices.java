package dev.towtank.apiserver.server;

import dev.towtank.apiserver.Catalog;
import dev.towtank.apiserver.catalog.ViewedKinds;
import dev.towtank.apiserver.registry.View;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.LogicalCluster;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// One APIService for each version of a group, all answered by this server itself.
///
/// @param since when it began to
record ApiServices(Catalog catalog, Instant since) implements View {

    private static final String ELSEWHERE = "APIServices cannot be written: this server answers all groups of its API"
            + " itself and passes no request on to another server. Kinds of one's own are CustomResourceDefinitions";

    private static final long CUSTOM_PRIORITY = 1000;
    private static final long CUSTOM_VERSION_PRIORITY = 100;
    private static final long VERSION_PRIORITY = 15;

    private static final Map<String, Long> PRIORITIES = Map.ofEntries(
            Map.entry("", 18000L),
            Map.entry("apps", 17800L),
            Map.entry("events.k8s.io", 17750L),
            Map.entry("authentication.k8s.io", 17700L),
            Map.entry("authorization.k8s.io", 17600L),
            Map.entry("autoscaling", 17500L),
            Map.entry("batch", 17400L),
            Map.entry("networking.k8s.io", 17200L),
            Map.entry("policy", 17100L),
            Map.entry("rbac.authorization.k8s.io", 17000L),
            Map.entry("storage.k8s.io", 16800L),
            Map.entry("apiextensions.k8s.io", 16700L),
            Map.entry("admissionregistration.k8s.io", 16700L),
            Map.entry("scheduling.k8s.io", 16600L),
            Map.entry("coordination.k8s.io", 16500L),
            Map.entry("discovery.k8s.io", 16200L));

    @Override
    public List<Json.Obj> objects(LogicalCluster cluster, String namespace) {
        var versions = new LinkedHashMap<String, Kind<?>>();
        for (var served : catalog.served(cluster)) {
            var kind = served.kind();
            // It is about the others.
            if (!kind.group().equals(ViewedKinds.API_SERVICE.group())) {
                versions.putIfAbsent(kind.version() + "." + kind.group(), kind);
            }
        }
        return versions.entrySet().stream()
                .map(each -> service(each.getKey(), each.getValue()))
                .toList();
    }

    private Json.Obj service(String name, Kind<?> kind) {
        boolean builtin = PRIORITIES.containsKey(kind.group());
        var time = Json.of(since.truncatedTo(ChronoUnit.SECONDS).toString());
        var labels = Json.Obj.of("kube-aggregator.kubernetes.io/automanaged", Json.of(builtin ? "onstart" : "true"));
        var spec = Json.Obj.builder()
                .putNonEmpty("group", kind.group())
                .put("version", kind.version())
                .put("groupPriorityMinimum", PRIORITIES.getOrDefault(kind.group(), CUSTOM_PRIORITY))
                .put("versionPriority", versionPriority(kind, builtin));
        var condition = Json.Obj.builder()
                .put("type", "Available")
                .put("status", "True")
                .put("lastTransitionTime", time)
                .put("reason", "Local")
                .put("message", "Local APIServices are always available")
                .build();
        return Json.Obj.builder()
                .put("kind", ViewedKinds.API_SERVICE.kind())
                .put("apiVersion", ViewedKinds.API_SERVICE.apiVersion())
                .put(
                        "metadata",
                        Json.Obj.of(
                                // That of the group without a name ends with its dot.
                                "name", Json.of(name), "creationTimestamp", time, "labels", labels))
                .put("spec", spec.build())
                .put("status", Json.Obj.of("conditions", Json.Arr.of(condition)))
                .build();
    }

    private static long versionPriority(Kind<?> kind, boolean builtin) {
        if (kind.group().isEmpty()) {
            return 1;
        }
        if (!builtin) {
            return CUSTOM_VERSION_PRIORITY;
        }
        return kind.version().equals("v2") ? 2 * VERSION_PRIORITY : VERSION_PRIORITY;
    }

    @Override
    public String whyNotWritten() {
        return ELSEWHERE;
    }
}

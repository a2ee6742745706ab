package dev.towtank.apiserver.server;

import dev.towtank.apiserver.catalog.ViewedKinds;
import dev.towtank.apiserver.registry.View;
import dev.towtank.apiserver.store.Range;
import dev.towtank.apiserver.store.Store;
import dev.towtank.apiserver.store.Stored;
import dev.towtank.cluster.pods.PodAccess;
import dev.towtank.cluster.pods.Usage;
import dev.towtank.model.GroupResource;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Resource;
import dev.towtank.model.kinds.core.Nodes;
import dev.towtank.model.kinds.core.Pods;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// `metrics.k8s.io`: what pods and nodes use, for `kubectl top`.
final class UsageViews {

    private static final String MEASURED = "what pods and nodes use is measured, not written";

    private final Store store;
    private final PodAccess access;

    UsageViews(Store store, PodAccess access) {
        this.store = store;
        this.access = access;
    }

    Map<GroupResource, View> all() {
        return Map.of(
                ViewedKinds.POD_METRICS.resource(), view(this::pods),
                ViewedKinds.NODE_METRICS.resource(), view((cluster, _) -> nodes(cluster)));
    }

    private interface Objects {
        List<Json.Obj> in(LogicalCluster cluster, String namespace);
    }

    private static View view(Objects objects) {
        return new View() {
            @Override
            public List<Json.Obj> objects(LogicalCluster cluster, String namespace) {
                return objects.in(cluster, namespace);
            }

            @Override
            public String whyNotWritten() {
                return MEASURED;
            }
        };
    }

    private List<Json.Obj> pods(LogicalCluster cluster, String namespace) {
        var pods = Pods.KIND.resource();
        var range = namespace.isEmpty() ? Range.of(pods, cluster) : Range.of(pods, cluster, namespace);
        var found = new ArrayList<Json.Obj>();
        for (var stored : stored(range)) {
            if (stored.tree().string("status", "phase").equals("Running")) {
                ofPod(new Resource(cluster, stored.tree())).ifPresent(found::add);
            }
        }
        return found;
    }

    /// Only of a pod whose containers are all known: half of it would look like little.
    private Optional<Json.Obj> ofPod(Resource pod) {
        var usage = access.usage(pod);
        if (usage.isEmpty() || !usage.keySet().containsAll(running(pod))) {
            return Optional.empty();
        }
        var containers = usage.entrySet().stream()
                .<Json>map(each -> Json.Obj.of("name", Json.of(each.getKey()), "usage", amounts(each.getValue())))
                .toList();
        var oldest = usage.values().stream()
                .min((one, other) -> one.at().compareTo(other.at()))
                .orElseThrow();
        return Optional.of(
                object(ViewedKinds.POD_METRICS, pod.json(), oldest).with("containers", new Json.Arr(containers)));
    }

    private static List<String> running(Resource pod) {
        return pod.status().objects("containerStatuses").stream()
                .filter(status -> status.object("state").has("running"))
                .map(status -> status.string("name"))
                .toList();
    }

    /// All of them are this machine.
    private List<Json.Obj> nodes(LogicalCluster cluster) {
        var usage = access.machineUsage();
        return usage.isEmpty()
                ? List.of()
                : stored(Range.of(Nodes.KIND.resource(), cluster)).stream()
                        .map(node -> object(ViewedKinds.NODE_METRICS, node.tree(), usage.get())
                                .with("usage", amounts(usage.get())))
                        .toList();
    }

    private List<Stored> stored(Range range) {
        return store.list(range, 0, null, 0).items();
    }

    private static Json.Obj object(Kind<?> kind, Json.Obj about, Usage usage) {
        var time = Json.of(usage.at().truncatedTo(ChronoUnit.SECONDS).toString());
        var metadata = Json.Obj.builder()
                .put("name", about.string("metadata", "name"))
                .putNonEmpty("namespace", about.string("metadata", "namespace"))
                .put("creationTimestamp", time)
                .putNonEmpty("labels", about.object("metadata", "labels"));
        return Json.Obj.builder()
                .put("kind", kind.kind())
                .put("apiVersion", kind.apiVersion())
                .put("metadata", metadata.build())
                .put("timestamp", time)
                .put("window", seconds(usage.window()))
                .build();
    }

    private static String seconds(Duration window) {
        return String.format(Locale.ROOT, "%.3fs", window.toMillis() / 1000.0);
    }

    private static Json.Obj amounts(Usage usage) {
        return Json.Obj.of(
                "cpu", Json.of(usage.nanoCores() + "n"), "memory", Json.of(usage.memoryBytes() / 1024 + "Ki"));
    }
}

package dev.towtank.controllers.workloads.services;

import dev.towtank.cluster.Observed;
import dev.towtank.cluster.Plan;
import dev.towtank.cluster.Reconciler;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.Resource;
import dev.towtank.model.kinds.core.Endpoints;
import dev.towtank.model.kinds.core.Services;
import dev.towtank.model.kinds.discovery.EndpointSlices;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// Keeps the Service `kubernetes` by which pods find the API server, in the namespace `default` of every cluster.
public final class KubernetesServiceReconciler implements Reconciler<Json.Obj, KubernetesServiceReconciler.Facts> {

    public static final String NAME = "kubernetes";
    public static final String NAMESPACE = "default";

    /// The first address of the range that Services get theirs from, kept for this one.
    public static final String CLUSTER_IP = "127.96.0.1";

    /// Where the API server listens.
    public record Listener(String ip, int port) {}

    public record Facts(Optional<Resource> service, Optional<Resource> slice, Optional<Resource> endpoints) {}

    private final Listener listener;

    public KubernetesServiceReconciler(Listener listener) {
        this.listener = listener;
    }

    @Override
    public Plan reconcile(Observed<Json.Obj> primary, Facts facts, Instant now) {
        var namespace = primary.object();
        if (!namespace.name().equals(NAMESPACE) || namespace.isDeleting()) {
            return Plan.none();
        }
        var plan = new Plan.Builder();
        if (facts.service.isEmpty()) {
            plan.create(Services.KIND, namespace.with(service()));
        }
        keep(plan, namespace, EndpointSlices.KIND, facts.slice, slice(), List.of("endpoints", "ports"));
        keep(plan, namespace, Endpoints.KIND, facts.endpoints, endpoints(), List.of("subsets"));
        return plan.build();
    }

    private static void keep(
            Plan.Builder plan,
            Resource namespace,
            Kind<?> kind,
            Optional<Resource> known,
            Json.Obj wanted,
            List<String> fields) {
        if (known.isEmpty()) {
            plan.create(kind, namespace.with(wanted));
            return;
        }
        var patch = Json.Obj.EMPTY;
        for (var field : fields) {
            if (!wanted.array(field).equals(known.get().json().array(field))) {
                patch = patch.with(field, wanted.array(field));
            }
        }
        if (patch.size() > 0) {
            plan.patch(kind, known.get(), patch);
        }
    }

    private Json.Obj object(String apiVersion, String kind, Json.Obj labels) {
        return Json.Obj.builder()
                .put("apiVersion", apiVersion)
                .put("kind", kind)
                .put("metadata", Json.Obj.of("name", Json.of(NAME), "namespace", Json.of(NAMESPACE), "labels", labels))
                .build();
    }

    private Json.Obj service() {
        var port = port().with("port", Json.of(443)).with("targetPort", Json.of(listener.port));
        var spec = Json.Obj.builder()
                .put("type", "ClusterIP")
                .put("clusterIP", CLUSTER_IP)
                .put("clusterIPs", Json.Arr.of(Json.of(CLUSTER_IP)))
                .put("ports", Json.Arr.of(port))
                .build();
        var labels = Json.Obj.of("component", Json.of("apiserver"), "provider", Json.of("kubernetes"));
        return object("v1", "Service", labels).with("spec", spec);
    }

    private Json.Obj port() {
        return Json.Obj.builder()
                .put("name", "https")
                .put("port", listener.port)
                .put("protocol", "TCP")
                .build();
    }

    private Json.Obj slice() {
        var endpoint = Json.Obj.of(
                "addresses", Json.Arr.of(Json.of(listener.ip)), "conditions", Json.Obj.of("ready", Json.Bool.TRUE));
        return object(
                        EndpointSlices.KIND.apiVersion(),
                        EndpointSlices.KIND.kind(),
                        Json.Obj.of(EndpointSliceReconciler.SERVICE, Json.of(NAME)))
                .with("addressType", Json.of("IPv4"))
                .with("endpoints", Json.Arr.of(endpoint))
                .with("ports", Json.Arr.of(port()));
    }

    private Json.Obj endpoints() {
        var address = Json.Arr.of(Json.Obj.of("ip", Json.of(listener.ip)));
        // Marked so that nobody makes a second EndpointSlice of it.
        var labels = Json.Obj.of("endpointslice.kubernetes.io/skip-mirror", Json.of("true"));
        return object("v1", "Endpoints", labels)
                .with("subsets", Json.Arr.of(Json.Obj.of("addresses", address, "ports", Json.Arr.of(port()))));
    }
}

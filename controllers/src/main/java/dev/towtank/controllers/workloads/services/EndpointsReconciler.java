package dev.towtank.controllers.workloads.services;

import dev.towtank.cluster.Observed;
import dev.towtank.cluster.Plan;
import dev.towtank.cluster.Reconciler;
import dev.towtank.controllers.workloads.pods.Children;
import dev.towtank.controllers.workloads.pods.Pod;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.model.kinds.core.Endpoints;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Keeps the Endpoints of a Service, for those who do not know EndpointSlices.
public final class EndpointsReconciler implements Reconciler<Json.Obj, EndpointsReconciler.Facts> {

    public record Facts(List<Pod> pods, Optional<Resource> endpoints) {}

    private static final int MOST = 1000;
    private static final String OVER_CAPACITY = "endpoints.kubernetes.io/over-capacity";
    private static final Json.Obj MANAGED =
            Json.Obj.of("endpoints.kubernetes.io/managed-by", Json.of("endpoint-controller"));

    @Override
    public Plan reconcile(Observed<Json.Obj> primary, Facts facts, Instant now) {
        var service = primary.object();
        if (!ServicePods.isManaged(service) || service.isDeleting()) {
            return Plan.none();
        }
        var pods = facts.pods.stream()
                .filter(pod -> ServicePods.isReachable(pod, service.spec().flag("publishNotReadyAddresses")))
                .toList();
        var subsets = subsets(service, pods.subList(0, Math.min(pods.size(), MOST)));
        var annotations = pods.size() > MOST ? Json.Obj.of(OVER_CAPACITY, Json.of("truncated")) : Json.Obj.EMPTY;
        var labels = ServicePods.labels(service, MANAGED);
        return facts.endpoints
                .map(known -> update(known, labels, annotations, subsets))
                .orElseGet(() -> Plan.none().create(Endpoints.KIND, endpoints(service, labels, annotations, subsets)));
    }

    private record Addresses(List<Json> ready, List<Json> notReady) {}

    /// Pods with the same ports share a subset.
    private static Json.Arr subsets(Resource service, List<Pod> pods) {
        Map<Json.Arr, Addresses> byPorts = new LinkedHashMap<>();
        boolean headlessWithoutPorts = service.spec().array("ports").size() == 0;
        for (var pod : pods) {
            var ports = ServicePods.ports(service, pod);
            var family = service.spec().array("ipFamilies").strings().stream().findFirst();
            var ip = ServicePods.ip(pod, family.orElse("IPv4"));
            if (ip.isEmpty() || (ports.size() == 0 && !headlessWithoutPorts)) {
                continue;
            }
            var group = byPorts.computeIfAbsent(ports, _ -> new Addresses(new ArrayList<>(), new ArrayList<>()));
            boolean ready = pod.isReady() || service.spec().flag("publishNotReadyAddresses");
            (ready ? group.ready : group.notReady).add(address(service, pod, ip.get()));
        }
        var subsets = new ArrayList<Json>();
        byPorts.forEach((ports, group) -> subsets.add(Json.Obj.builder()
                .putNonEmpty("addresses", new Json.Arr(group.ready))
                .putNonEmpty("notReadyAddresses", new Json.Arr(group.notReady))
                .putNonEmpty("ports", ports.map(EndpointsReconciler::withoutEmptyName))
                .build()));
        return new Json.Arr(subsets);
    }

    private static Json withoutEmptyName(Json port) {
        return port instanceof Json.Obj fields && fields.string("name").isEmpty() ? fields.without("name") : port;
    }

    private static Json.Obj address(Resource service, Pod pod, String ip) {
        return Json.Obj.builder()
                .put("ip", ip)
                .putNonEmpty("hostname", ServicePods.hostname(service, pod))
                .putNonEmpty("nodeName", pod.nodeName())
                .put("targetRef", ServicePods.reference(pod))
                .build();
    }

    private static Plan update(Resource known, Json.Obj labels, Json.Obj annotations, Json.Arr subsets) {
        var fields = Json.Obj.EMPTY;
        if (!known.json().array("subsets").equals(subsets)) {
            fields = fields.with("subsets", subsets.size() == 0 ? Json.Null.NULL : subsets);
        }
        var before = known.json().object("metadata", "labels");
        if (!before.equals(labels)) {
            fields = fields.with(List.of("metadata", "labels"), Labels.replacing(before, labels));
        }
        var mark = known.json().at("metadata", "annotations", OVER_CAPACITY);
        if ((mark == null) != (annotations.size() == 0)) {
            fields = fields.with(
                    List.of("metadata", "annotations"),
                    annotations.size() == 0 ? Json.Obj.of(OVER_CAPACITY, Json.Null.NULL) : annotations);
        }
        return fields.size() == 0 || known.isDeleting()
                ? Plan.none()
                : Plan.none().patch(Endpoints.KIND, known, fields);
    }

    private static Resource endpoints(Resource service, Json.Obj labels, Json.Obj annotations, Json.Arr subsets) {
        var metadata = Json.Obj.builder()
                .put("name", service.name())
                .putNonEmpty("namespace", service.namespace())
                .put("labels", labels)
                .putNonEmpty("annotations", annotations)
                // Kubernetes has none here and deletes by name; this way garbage collection does it.
                .put("ownerReferences", Children.owners(service))
                .build();
        return service.with(Json.Obj.builder()
                .put("apiVersion", Endpoints.KIND.apiVersion())
                .put("kind", Endpoints.KIND.kind())
                .put("metadata", metadata)
                .putNonEmpty("subsets", subsets)
                .build());
    }
}

package dev.towtank.controllers.workloads.services;

import dev.towtank.cluster.Observed;
import dev.towtank.cluster.Plan;
import dev.towtank.cluster.Reconciler;
import dev.towtank.controllers.workloads.pods.Children;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.model.kinds.discovery.EndpointSlices;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Makes EndpointSlices of the Endpoints that people write for a Service without selector.
public final class MirrorReconciler implements Reconciler<Json.Obj, MirrorReconciler.Facts> {

    /// @param slices that were made of these Endpoints
    public record Facts(Optional<Resource> service, List<Resource> slices) {}

    private static final String MANAGER = "endpointslicemirroring-controller.k8s.io";
    private static final int MOST = 1000;

    @Override
    public Plan reconcile(Observed<Json.Obj> primary, Facts facts, Instant now) {
        var endpoints = primary.object();
        var plan = new Plan.Builder();
        var known = new HashMap<String, Resource>();
        facts.slices.forEach(slice -> known.put(slice.name(), slice));
        if (isMirrored(endpoints, facts.service)) {
            var subsets = endpoints.json().objects("subsets");
            for (int i = 0; i < subsets.size(); i++) {
                for (var family : List.of("IPv4", "IPv6")) {
                    var addresses = addresses(subsets.get(i), family);
                    if (!addresses.isEmpty()) {
                        write(plan, endpoints, i + "/" + family, family, subsets.get(i), addresses, known);
                    }
                }
            }
        }
        known.values().forEach(slice -> plan.delete(EndpointSlices.KIND, slice));
        return plan.build();
    }

    private static boolean isMirrored(Resource endpoints, Optional<Resource> service) {
        return !endpoints.isDeleting()
                && !endpoints
                        .json()
                        .string("metadata", "labels", "endpointslice.kubernetes.io/skip-mirror")
                        .equals("true")
                && !endpoints.annotations().containsKey("control-plane.alpha.kubernetes.io/leader")
                && service.filter(found -> found.spec().object("selector").size() == 0)
                        .isPresent();
    }

    private static List<Json> addresses(Json.Obj subset, String family) {
        var found = new ArrayList<Json>();
        for (var field : List.of("addresses", "notReadyAddresses")) {
            for (var address : subset.objects(field)) {
                if (address.string("ip").contains(":") == family.equals("IPv6") && found.size() < MOST) {
                    found.add(endpoint(address, field.equals("addresses")));
                }
            }
        }
        return found;
    }

    private static Json.Obj endpoint(Json.Obj address, boolean ready) {
        return Json.Obj.builder()
                .put("addresses", Json.Arr.of(Json.of(address.string("ip"))))
                .put("conditions", Json.Obj.of("ready", Json.of(ready)))
                .putNonEmpty("hostname", address.string("hostname"))
                .putNonEmpty("targetRef", address.object("targetRef"))
                .putNonEmpty("nodeName", address.string("nodeName"))
                .build();
    }

    private static void write(
            Plan.Builder plan,
            Resource endpoints,
            String slot,
            String family,
            Json.Obj subset,
            List<Json> addresses,
            Map<String, Resource> known) {
        var name = Children.name(endpoints, slot);
        var wanted = slice(endpoints, name, family, subset, addresses);
        var old = known.remove(name);
        if (old == null) {
            plan.create(EndpointSlices.KIND, wanted);
        } else if (!old.json().array("endpoints").equals(wanted.json().array("endpoints"))
                || !old.json().array("ports").equals(wanted.json().array("ports"))) {
            plan.patch(
                    EndpointSlices.KIND,
                    old,
                    Json.Obj.of(
                            "endpoints",
                            wanted.json().array("endpoints"),
                            "ports",
                            wanted.json().array("ports")));
        }
    }

    private static Resource slice(
            Resource endpoints, String name, String family, Json.Obj subset, List<Json> addresses) {
        var labels = endpoints.json().object("metadata", "labels").toBuilder()
                .put(EndpointSliceReconciler.SERVICE, endpoints.name())
                .put(EndpointSliceReconciler.MANAGED_BY, MANAGER)
                .build();
        var metadata = Json.Obj.builder()
                .put("name", name)
                .put("generateName", endpoints.name() + "-")
                .putNonEmpty("namespace", endpoints.namespace())
                .put("labels", labels)
                .put("ownerReferences", Children.owners(endpoints))
                .build();
        var ports = subset.array("ports")
                .map(port -> port instanceof Json.Obj fields && !fields.has("name")
                        ? fields.with("name", Json.of(""))
                        : port);
        return endpoints.with(Json.Obj.builder()
                .put("apiVersion", EndpointSlices.KIND.apiVersion())
                .put("kind", EndpointSlices.KIND.kind())
                .put("metadata", metadata)
                .put("addressType", family)
                .put("endpoints", new Json.Arr(addresses))
                .put("ports", ports)
                .build());
    }
}

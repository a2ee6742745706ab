package dev.towtank.controllers.workloads.services;

import dev.towtank.cluster.Observed;
import dev.towtank.cluster.Plan;
import dev.towtank.cluster.Reconciler;
import dev.towtank.controllers.workloads.pods.Children;
import dev.towtank.controllers.workloads.pods.Pod;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.model.kinds.discovery.EndpointSlices;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Keeps the EndpointSlices of a Service: a hundred pods in each, and each pod where it was.
public final class EndpointSliceReconciler implements Reconciler<Json.Obj, EndpointSliceReconciler.Facts> {

    /// @param slices that belong to the Service
    public record Facts(List<Pod> pods, List<Resource> slices) {}

    static final String SERVICE = "kubernetes.io/service-name";
    static final String MANAGED_BY = "endpointslice.kubernetes.io/managed-by";
    private static final String MANAGER = "endpointslice-controller.k8s.io";
    private static final int MOST = 100;

    /// What the endpoints of a slice share.
    private record Group(String family, Json.Arr ports) {}

    public static boolean isOurs(Resource slice) {
        return slice.json().string("metadata", "labels", MANAGED_BY).equals(MANAGER);
    }

    @Override
    public Plan reconcile(Observed<Json.Obj> primary, Facts facts, Instant now) {
        var service = primary.object();
        if (!ServicePods.isManaged(service) || service.isDeleting()) {
            return Plan.none();
        }
        return new Look(service, facts.slices).run(groups(service, facts.pods));
    }

    /// The endpoints of each group by the uid of their pod.
    private static Map<Group, Map<String, Json.Obj>> groups(Resource service, List<Pod> pods) {
        var groups = new LinkedHashMap<Group, Map<String, Json.Obj>>();
        for (var family : families(service)) {
            for (var pod : pods) {
                var ip = ServicePods.ip(pod, family);
                if (ip.isPresent() && ServicePods.isReachable(pod, true)) {
                    groups.computeIfAbsent(
                                    new Group(family, ServicePods.ports(service, pod)), _ -> new LinkedHashMap<>())
                            .put(pod.uid(), endpoint(service, pod, ip.get()));
                }
            }
        }
        return groups;
    }

    private static List<String> families(Resource service) {
        var families = service.spec().array("ipFamilies").strings();
        return families.isEmpty() ? List.of("IPv4") : families;
    }

    private static Json.Obj endpoint(Resource service, Pod pod, String ip) {
        boolean serving = pod.isReady();
        boolean ready = service.spec().flag("publishNotReadyAddresses") || (serving && !pod.isDeleting());
        var conditions = Json.Obj.builder()
                .put("ready", ready)
                .put("serving", serving)
                .put("terminating", pod.isDeleting())
                .build();
        return Json.Obj.builder()
                .put("addresses", Json.Arr.of(Json.of(ip)))
                .put("conditions", conditions)
                .putNonEmpty("hostname", ServicePods.hostname(service, pod))
                .put("targetRef", ServicePods.reference(pod))
                .putNonEmpty("nodeName", pod.nodeName())
                .build();
    }

    private static final class Look {
        private final Resource service;
        private final List<Resource> slices;
        private final Plan.Builder changes = new Plan.Builder();
        private final Plan.Builder deletions = new Plan.Builder();
        private final Set<String> names = new HashSet<>();
        private int kept;

        Look(Resource service, List<Resource> slices) {
            this.service = service;
            this.slices = slices.stream().filter(slice -> !slice.isDeleting()).toList();
            slices.forEach(slice -> names.add(slice.name()));
        }

        Plan run(Map<Group, Map<String, Json.Obj>> groups) {
            var left = new ArrayList<>(slices);
            groups.forEach((group, endpoints) -> {
                var mine = left.stream()
                        .filter(slice -> group(slice).equals(Optional.of(group)))
                        .toList();
                left.removeAll(mine);
                place(group, mine, new LinkedHashMap<>(endpoints));
            });
            // One empty slice says that the Service is known and nobody answers for it.
            if (kept == 0) {
                var family = families(service).getFirst();
                var placeholder = left.stream()
                        .filter(slice -> slice.json().string("addressType").equals(family))
                        .findFirst();
                placeholder.ifPresent(left::remove);
                write(new Group(family, Json.Arr.EMPTY), placeholder, List.of());
            }
            left.forEach(slice -> deletions.delete(EndpointSlices.KIND, slice));
            return changes.add(deletions.build()).build();
        }

        private static Optional<Group> group(Resource slice) {
            return slice.json().array("endpoints").size() == 0
                    ? Optional.empty()
                    : Optional.of(new Group(
                            slice.json().string("addressType"), slice.json().array("ports")));
        }

        /// Leaves endpoints where they are, fills what has room, and makes new slices for the rest.
        private void place(Group group, List<Resource> mine, Map<String, Json.Obj> endpoints) {
            var contents = new LinkedHashMap<Resource, List<Json>>();
            for (var slice : mine) {
                var stay = new ArrayList<Json>();
                for (var known : slice.json().objects("endpoints")) {
                    var wanted = endpoints.remove(known.string("targetRef", "uid"));
                    if (wanted != null) {
                        stay.add(wanted);
                    }
                }
                contents.put(slice, stay);
            }
            var rest = new ArrayList<Json>(endpoints.values());
            contents.forEach((slice, stay) -> {
                var more = rest.subList(0, Math.min(rest.size(), MOST - stay.size()));
                stay.addAll(more);
                more.clear();
                if (stay.isEmpty()) {
                    deletions.delete(EndpointSlices.KIND, slice);
                } else {
                    write(group, Optional.of(slice), stay);
                }
            });
            while (!rest.isEmpty()) {
                var part = rest.subList(0, Math.min(rest.size(), MOST));
                write(group, Optional.empty(), List.copyOf(part));
                part.clear();
            }
        }

        private void write(Group group, Optional<Resource> slice, List<Json> endpoints) {
            kept++;
            var labels = ServicePods.labels(
                    service, Json.Obj.of(SERVICE, Json.of(service.name()), MANAGED_BY, Json.of(MANAGER)));
            slice.ifPresentOrElse(
                    known -> update(known, group, labels, new Json.Arr(endpoints)),
                    () -> changes.create(EndpointSlices.KIND, slice(group, labels, new Json.Arr(endpoints))));
        }

        private void update(Resource slice, Group group, Json.Obj labels, Json.Arr endpoints) {
            var fields = Json.Obj.EMPTY;
            if (!slice.json().array("endpoints").equals(endpoints)) {
                fields = fields.with("endpoints", endpoints);
            }
            if (!slice.json().array("ports").equals(group.ports)) {
                fields = fields.with("ports", group.ports);
            }
            var known = slice.json().object("metadata", "labels");
            if (!known.equals(labels)) {
                fields = fields.with("metadata", Json.Obj.of("labels", Labels.replacing(known, labels)));
            }
            if (fields.size() > 0) {
                changes.patch(EndpointSlices.KIND, slice, fields);
            }
        }

        private Resource slice(Group group, Json.Obj labels, Json.Arr endpoints) {
            var name = Children.freeNames(service, names::contains, 1).getFirst();
            names.add(name);
            var metadata = Json.Obj.builder()
                    .put("name", name)
                    .put("generateName", service.name() + "-")
                    .putNonEmpty("namespace", service.namespace())
                    .put("labels", labels)
                    .put("ownerReferences", Children.owners(service))
                    .build();
            return service.with(Json.Obj.builder()
                    .put("apiVersion", EndpointSlices.KIND.apiVersion())
                    .put("kind", EndpointSlices.KIND.kind())
                    .put("metadata", metadata)
                    .put("addressType", group.family)
                    .put("endpoints", endpoints)
                    .put("ports", group.ports)
                    .build());
        }
    }
}

package dev.towtank.model.kinds;

import dev.towtank.model.GroupResource;
import dev.towtank.model.Json;
import dev.towtank.model.Quantity;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// What an object takes from a ResourceQuota.
public final class QuotaUsage {

    private static final Quantity ONE = Quantity.of(1);
    private static final String BY_CLASS = ".storageclass.storage.k8s.io/";

    // These can be counted under a name of their own besides `count/…`.
    private static final Set<String> SHORT_COUNTS =
            Set.of("configmaps", "secrets", "services", "resourcequotas", "replicationcontrollers");

    private static final Set<String> MUST_BE_SAID =
            Set.of("cpu", "memory", "requests.cpu", "requests.memory", "limits.cpu", "limits.memory");

    private QuotaUsage() {}

    /// What the object uses, whether a quota asks about it or not.
    public static Map<String, Quantity> of(GroupResource resource, Json.Obj object, Instant now) {
        var usage = new TreeMap<String, Quantity>();
        usage.put("count/" + resource, ONE);
        if (!resource.group().isEmpty()) {
            return usage;
        }
        switch (resource.resource()) {
            case "pods" -> addPod(usage, object, now);
            case "persistentvolumeclaims" -> addClaim(usage, object);
            case "services" -> addService(usage, object);
            default -> {
                if (SHORT_COUNTS.contains(resource.resource())) {
                    usage.put(resource.resource(), ONE);
                }
            }
        }
        return usage;
    }

    /// What the object takes from this quota: only what `spec.hard` names, and nothing where a scope leaves it out.
    public static Map<String, Quantity> charged(Json.Obj quota, GroupResource resource, Json.Obj object, Instant now) {
        if (!inScope(quota, resource, object)) {
            return Map.of();
        }
        var usage = of(resource, object, now);
        usage.keySet().retainAll(quota.object("spec", "hard").keys());
        return usage;
    }

    /// Whether every scope of the quota takes the object in; without scopes everything is.
    public static boolean inScope(Json.Obj quota, GroupResource resource, Json.Obj object) {
        var scopes = new ArrayList<>(quota.objects("spec", "scopeSelector", "matchExpressions"));
        for (var scope : quota.array("spec", "scopes").strings()) {
            scopes.add(Json.Obj.of("scopeName", Json.of(scope), "operator", Json.of("Exists")));
        }
        return scopes.stream().allMatch(scope -> switch (resource.toString()) {
            case "pods" -> podFits(scope, object.object("spec"));
            case "persistentvolumeclaims" -> claimFits(scope, object);
            default -> false;
        });
    }

    /// A pod under a quota for cpu or memory has to say how much it wants: `must specify limits.cpu for: app`.
    public static Optional<String> unsaid(Json.Obj quota, Json.Obj pod) {
        if (pod.object("spec", "resources").size() > 0) {
            return Optional.empty();
        }
        var missing = new TreeMap<String, Set<String>>();
        for (var list : List.of("containers", "initContainers")) {
            for (var container : pod.objects("spec", list)) {
                var said = compute(
                                PodResources.amounts(container.object("resources", "requests")),
                                PodResources.amounts(container.object("resources", "limits")))
                        .keySet();
                quota.object("spec", "hard").keys().stream()
                        .filter(name -> MUST_BE_SAID.contains(name) && !said.contains(name))
                        .forEach(name -> missing.computeIfAbsent(name, _ -> new TreeSet<>())
                                .add(container.string("name")));
            }
        }
        if (missing.isEmpty()) {
            return Optional.empty();
        }
        var parts = missing.entrySet().stream()
                .map(entry -> entry.getKey() + " for: " + String.join(",", entry.getValue()))
                .toList();
        return Optional.of("must specify " + String.join("; ", parts));
    }

    private static void addPod(Map<String, Quantity> usage, Json.Obj pod, Instant now) {
        if (isOver(pod, now)) {
            return;
        }
        usage.put("pods", ONE);
        var spec = pod.object("spec");
        usage.putAll(compute(PodResources.requests(spec), PodResources.limits(spec)));
    }

    private static Map<String, Quantity> compute(Map<String, Quantity> requests, Map<String, Quantity> limits) {
        var usage = new TreeMap<String, Quantity>();
        requests.forEach((name, amount) -> {
            if (Set.of("cpu", "memory", "ephemeral-storage").contains(name) || name.startsWith("hugepages-")) {
                usage.put(name, amount);
                usage.put("requests." + name, amount);
            } else if (ResourceLists.isExtended(name)) {
                usage.put("requests." + name, amount);
            }
        });
        for (var name : List.of("cpu", "memory", "ephemeral-storage")) {
            var limit = limits.get(name);
            if (limit != null) {
                usage.put("limits." + name, limit);
            }
        }
        return usage;
    }

    // Pods that ended, or that should be gone by now, do not keep others from running.
    private static boolean isOver(Json.Obj pod, Instant now) {
        if (Set.of("Failed", "Succeeded").contains(pod.string("status", "phase"))) {
            return true;
        }
        var deletion = pod.string("metadata", "deletionTimestamp");
        if (deletion.isEmpty() || pod.at("metadata", "deletionGracePeriodSeconds") == null) {
            return false;
        }
        try {
            var grace = pod.integer("metadata", "deletionGracePeriodSeconds");
            return now.isAfter(Instant.parse(deletion).plusSeconds(grace));
        } catch (DateTimeParseException e) {
            return false;
        }
    }

    private static void addClaim(Map<String, Quantity> usage, Json.Obj claim) {
        usage.put("persistentvolumeclaims", ONE);
        var asked = ResourceLists.quantity(claim.at("spec", "resources", "requests", "storage"));
        var allocated = ResourceLists.quantity(claim.at("status", "allocatedResources", "storage"));
        var storage =
                allocated.isPresent() && asked.isPresent() && allocated.get().compareTo(asked.get()) > 0
                        ? allocated
                        : asked;
        storage.ifPresent(amount -> usage.put("requests.storage", amount));
        var storageClass = claim.string("spec", "storageClassName");
        if (!storageClass.isEmpty()) {
            usage.put(storageClass + BY_CLASS + "persistentvolumeclaims", ONE);
            storage.ifPresent(amount -> usage.put(storageClass + BY_CLASS + "requests.storage", amount));
        }
    }

    private static void addService(Map<String, Quantity> usage, Json.Obj service) {
        var spec = service.object("spec");
        var type = spec.string("type");
        var ports = spec.objects("ports");
        long withNodePort =
                ports.stream().filter(port -> port.integer("nodePort") != 0).count();
        long nodePorts = switch (type) {
            case "NodePort" -> ports.size();
            case "LoadBalancer" ->
                spec.has("allocateLoadBalancerNodePorts") && !spec.flag("allocateLoadBalancerNodePorts")
                        ? withNodePort
                        : ports.size();
            default -> 0;
        };
        usage.put("services", ONE);
        usage.put("services.nodeports", Quantity.of(nodePorts));
        usage.put("services.loadbalancers", Quantity.of(type.equals("LoadBalancer") ? 1 : 0));
    }

    private static boolean podFits(Json.Obj scope, Json.Obj spec) {
        return switch (scope.string("scopeName")) {
            case "Terminating" -> isTerminating(spec);
            case "NotTerminating" -> !isTerminating(spec);
            case "BestEffort" -> PodResources.qosClass(spec).equals("BestEffort");
            case "NotBestEffort" -> !PodResources.qosClass(spec).equals("BestEffort");
            case "PriorityClass" -> selects(scope, spec.string("priorityClassName"));
            case "CrossNamespacePodAffinity" -> looksIntoOtherNamespaces(spec.object("affinity"));
            default -> false;
        };
    }

    private static boolean claimFits(Json.Obj scope, Json.Obj claim) {
        return scope.string("scopeName").equals("VolumeAttributesClass")
                && selects(scope, claim.string("spec", "volumeAttributesClassName"));
    }

    private static boolean isTerminating(Json.Obj spec) {
        return spec.has("activeDeadlineSeconds") && spec.integer("activeDeadlineSeconds") >= 0;
    }

    private static boolean selects(Json.Obj scope, String value) {
        var values = scope.array("values").strings();
        return switch (scope.string("operator")) {
            case "In" -> !value.isEmpty() && values.contains(value);
            case "NotIn" -> !values.contains(value);
            case "Exists" -> !value.isEmpty();
            case "DoesNotExist" -> value.isEmpty();
            default -> false;
        };
    }

    private static boolean looksIntoOtherNamespaces(Json.Obj affinity) {
        for (var kind : List.of("podAffinity", "podAntiAffinity")) {
            var terms = new ArrayList<>(affinity.objects(kind, "requiredDuringSchedulingIgnoredDuringExecution"));
            affinity.objects(kind, "preferredDuringSchedulingIgnoredDuringExecution")
                    .forEach(weighted -> terms.add(weighted.object("podAffinityTerm")));
            if (terms.stream().anyMatch(term -> term.array("namespaces").size() > 0 || term.has("namespaceSelector"))) {
                return true;
            }
        }
        return false;
    }
}

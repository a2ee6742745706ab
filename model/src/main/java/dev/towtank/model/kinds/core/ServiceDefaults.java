package dev.towtank.model.kinds.core;

import dev.towtank.model.Json;
import dev.towtank.model.kinds.Field;
import dev.towtank.model.kinds.Fill;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/// What a Service says where its author said nothing, and what an update takes over from before.
final class ServiceDefaults {

    private static final Json.Obj THREE_HOURS = Json.Obj.of("clientIP", Json.Obj.of("timeoutSeconds", Json.of(10800)));

    private ServiceDefaults() {}

    static boolean usesClusterIp(Json.Obj spec) {
        return !spec.string("type").equals("ExternalName");
    }

    static boolean usesNodePorts(Json.Obj spec) {
        return spec.string("type").equals("NodePort")
                || (spec.string("type").equals("LoadBalancer")
                        && (!spec.has("allocateLoadBalancerNodePorts") || spec.flag("allocateLoadBalancerNodePorts")));
    }

    static boolean isReachableFromOutside(Json.Obj spec) {
        return Set.of("NodePort", "LoadBalancer").contains(spec.string("type"))
                || (spec.string("type").equals("ClusterIP")
                        && spec.array("externalIPs").size() > 0);
    }

    static boolean usesHealthCheckPort(Json.Obj spec) {
        return spec.string("type").equals("LoadBalancer")
                && spec.string("externalTrafficPolicy").equals("Local");
    }

    static Json.Obj spec(Json.Obj given) {
        var spec = Fill.missing(given, "type", "ClusterIP");
        spec = sessionAffinity(Fill.missing(spec, "sessionAffinity", "None"));
        spec = Fill.each(spec, "ports", ServiceDefaults::port);
        if (isReachableFromOutside(spec)) {
            spec = Fill.missing(spec, "externalTrafficPolicy", "Cluster");
        }
        if (spec.string("type").equals("LoadBalancer")) {
            spec = Fill.missing(spec, "allocateLoadBalancerNodePorts", true);
        }
        if (!usesClusterIp(spec)) {
            return spec;
        }
        spec = Fill.missing(spec, "internalTrafficPolicy", "Cluster");
        if (!spec.string("clusterIP").isEmpty()) {
            spec = Fill.missing(spec, "clusterIPs", Json.Arr.of(Json.of(spec.string("clusterIP"))));
        }
        return addressFamilies(spec);
    }

    private static Json.Obj sessionAffinity(Json.Obj spec) {
        return switch (spec.string("sessionAffinity")) {
            case "None" -> spec.without("sessionAffinityConfig");
            case "ClientIP" ->
                spec.at("sessionAffinityConfig", "clientIP", "timeoutSeconds") == null
                        ? spec.with("sessionAffinityConfig", THREE_HOURS)
                        : spec;
            default -> spec;
        };
    }

    private static Json.Obj port(Json.Obj port) {
        var filled = Fill.missing(port, "protocol", "TCP");
        var target = filled.get("targetPort");
        return target == null || target.isEmpty() ? filled.with("targetPort", Json.of(port.integer("port"))) : filled;
    }

    // Without addresses and without pods to follow, nothing says which family is meant: both are.
    private static Json.Obj addressFamilies(Json.Obj spec) {
        var anyFamily = spec.string("clusterIP").equals("None")
                && spec.object("selector").size() == 0;
        var filled = Fill.missing(spec, "ipFamilyPolicy", anyFamily ? "RequireDualStack" : "SingleStack");
        if (filled.array("ipFamilies").size() > 0) {
            return filled;
        }
        var first = filled.string("clusterIP").contains(":") ? "IPv6" : "IPv4";
        var both = anyFamily && !filled.string("ipFamilyPolicy").equals("SingleStack");
        return filled.with("ipFamilies", Json.Arr.ofStrings(both ? List.of("IPv4", "IPv6") : List.of(first)));
    }

    /// Values from the pools survive an update that does not mention them, and go when the new type has no use for
    /// them.
    static Json.Obj carryOver(Json.Obj given, Json.Obj old) {
        var spec = Fill.missing(given, "type", "ClusterIP");
        if (usesClusterIp(spec) && usesClusterIp(old)) {
            if (spec.string("clusterIP").isEmpty() && !old.string("clusterIP").isEmpty()) {
                // Families filled in by default know nothing of the address that there is.
                spec = spec.without("ipFamilies").without("ipFamilyPolicy");
            }
            spec = copyMissing(spec, old, "clusterIP");
            if (spec.string("clusterIP").equals(old.string("clusterIP"))) {
                spec = copyMissing(spec, old, "clusterIPs");
                spec = copyMissing(spec, old, "ipFamilies");
                spec = copyMissing(spec, old, "ipFamilyPolicy");
            }
        } else if (usesClusterIp(old)) {
            for (var field :
                    List.of("clusterIP", "clusterIPs", "ipFamilies", "ipFamilyPolicy", "internalTrafficPolicy")) {
                spec = dropUnchanged(spec, old, field);
            }
        }
        if (usesNodePorts(spec) && usesNodePorts(old)) {
            spec = carryNodePorts(spec, old);
        } else if (usesNodePorts(old) && nodePorts(spec).equals(nodePorts(old))) {
            spec = Fill.each(spec, "ports", port -> port.without("nodePort"));
        }
        if (usesHealthCheckPort(spec) && usesHealthCheckPort(old)) {
            spec = Fill.zero(spec, "healthCheckNodePort", old.integer("healthCheckNodePort"));
        } else if (usesHealthCheckPort(old)) {
            spec = dropUnchanged(spec, old, "healthCheckNodePort");
        }
        return dropForType(spec, old);
    }

    private static Json.Obj dropForType(Json.Obj given, Json.Obj old) {
        var spec = given;
        if (old.string("type").equals("LoadBalancer") && !spec.string("type").equals("LoadBalancer")) {
            spec = dropUnchanged(spec, old, "allocateLoadBalancerNodePorts");
            spec = dropUnchanged(spec, old, "loadBalancerClass");
        }
        return isReachableFromOutside(old) && !isReachableFromOutside(spec)
                ? dropUnchanged(spec, old, "externalTrafficPolicy")
                : spec;
    }

    private static Json.Obj copyMissing(Json.Obj spec, Json.Obj old, String field) {
        var value = old.get(field);
        var mine = spec.get(field);
        return value != null && (mine == null || mine.isEmpty()) ? spec.with(field, value) : spec;
    }

    private static Json.Obj dropUnchanged(Json.Obj spec, Json.Obj old, String field) {
        return Field.same(spec.get(field), old.get(field)) ? spec.without(field) : spec;
    }

    private static Set<Long> nodePorts(Json.Obj spec) {
        return spec.objects("ports").stream()
                .map(port -> port.integer("nodePort"))
                .filter(port -> port != 0)
                .collect(Collectors.toSet());
    }

    private static Json.Obj carryNodePorts(Json.Obj spec, Json.Obj old) {
        Map<String, Long> byName = old.objects("ports").stream()
                .collect(Collectors.toMap(
                        port -> port.string("name"), port -> port.integer("nodePort"), (first, _) -> first));
        var taken = new HashSet<>(nodePorts(spec));
        return Fill.each(spec, "ports", port -> {
            long before = byName.getOrDefault(port.string("name"), 0L);
            return port.integer("nodePort") == 0 && before != 0 && taken.add(before)
                    ? port.with("nodePort", Json.of(before))
                    : port;
        });
    }
}

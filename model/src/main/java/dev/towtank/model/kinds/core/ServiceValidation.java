package dev.towtank.model.kinds.core;

import dev.towtank.model.Json;
import dev.towtank.model.Names;
import dev.towtank.model.kinds.Field;
import dev.towtank.model.kinds.IntOrStrings;
import dev.towtank.model.kinds.IpAddresses;
import dev.towtank.model.kinds.ObjectMetas;
import java.util.HashSet;
import java.util.List;

/// The rules for the spec of a Service.
final class ServiceValidation {

    private static final int MAX_AFFINITY_SECONDS = 86400;

    private ServiceValidation() {}

    static void validate(Field spec) {
        var type = spec.at("type").text();
        if (!isHeadless(spec.object()) && !type.equals("ExternalName")) {
            spec.at("ports").required("");
        }
        validateForType(spec, type);
        validatePorts(spec.at("ports"), type);
        ObjectMetas.validateLabels(spec.at("selector"));
        validateAffinity(spec);
        validateAddresses(spec, type);
        spec.at("externalIPs")
                .each(ip -> ip.matches(text -> {
                    var problems = IpAddresses.problems(text);
                    return problems.isEmpty() ? IpAddresses.externalProblems(text) : problems;
                }));
        spec.at("type").requiredOneOf("ClusterIP", "ExternalName", "LoadBalancer", "NodePort");
        refuseDuplicatePorts(spec.at("ports"));
        validateLoadBalancer(spec, type.equals("LoadBalancer"));
        validateTraffic(spec, type);
    }

    static void validateUpdate(Field spec, Json.Obj old) {
        var type = spec.at("type").text();
        if (!type.equals("ExternalName") && !old.string("type").equals("ExternalName")) {
            validateAddressChange(spec, old);
        }
        if (type.equals("LoadBalancer")
                && old.string("type").equals("LoadBalancer")
                && !Field.same(spec.at("loadBalancerClass").value(), old.get("loadBalancerClass"))) {
            spec.at("loadBalancerClass").invalid("may not change once set");
        }
        if (ServiceDefaults.usesHealthCheckPort(old)
                && ServiceDefaults.usesHealthCheckPort(spec.object())
                && old.integer("healthCheckNodePort")
                        != spec.at("healthCheckNodePort").number()) {
            spec.at("healthCheckNodePort").forbidden("field is immutable");
        }
    }

    private static void validateAddressChange(Field spec, Json.Obj old) {
        if (isHeadless(spec.object()) && isHeadless(old)) {
            return;
        }
        var ips = spec.at("clusterIPs");
        var now = spec.object().array("clusterIPs").strings();
        var before = old.array("clusterIPs").strings();
        for (int i = 0; i < Math.min(now.size(), before.size()); i++) {
            if (!now.get(i).equals(before.get(i))) {
                ips.reportedAt(ips.path().index(i)).invalid("may not change once set");
            }
        }
        if (now.isEmpty() && !before.isEmpty()) {
            ips.reportedAt(ips.path().index(0)).invalid("primary clusterIP can not be unset");
        }
        var families = spec.at("ipFamilies");
        if (old.array("ipFamilies").size() > 0
                && families.size() > 0
                && !isHeadless(spec.object())
                && !isHeadless(old)
                && !spec.object()
                        .array("ipFamilies")
                        .get(0)
                        .equals(old.array("ipFamilies").get(0))) {
            families.reportedAt(families.path().index(0)).invalid("may not change once set");
        }
    }

    private static boolean isHeadless(Json.Obj spec) {
        return spec.array("clusterIPs").strings().equals(List.of("None"));
    }

    private static void validateForType(Field spec, String type) {
        switch (type) {
            case "LoadBalancer", "NodePort" -> {
                if (isHeadless(spec.object())) {
                    spec.at("clusterIPs")
                            .items()
                            .getFirst()
                            .invalid("may not be set to 'None' for " + type + " services");
                }
            }
            case "ExternalName" -> {
                if (!spec.at("clusterIP").isEmpty() && spec.at("clusterIPs").isEmpty()) {
                    spec.at("clusterIPs").forbidden("may not be set for ExternalName services");
                }
                for (var field : List.of("clusterIPs", "ipFamilies", "ipFamilyPolicy")) {
                    if (!spec.at(field).isEmpty()) {
                        spec.at(field).forbidden("may not be set for ExternalName services");
                    }
                }
                var name = spec.at("externalName");
                var text = name.text().endsWith(".")
                        ? name.text().substring(0, name.text().length() - 1)
                        : name.text();
                name.with(Json.of(text)).required("").matchesIfSet(Names::dnsSubdomain);
            }
            default -> {}
        }
    }

    private static void validatePorts(Field ports, String type) {
        var names = new HashSet<String>();
        for (var port : ports.items()) {
            var name = port.at("name");
            if (ports.size() > 1) {
                name.required("");
            }
            if (!name.isEmpty()) {
                name.matches(Names::dnsLabel).unique(names);
            }
            port.at("port").port();
            port.at("protocol").requiredOneOf("SCTP", "TCP", "UDP");
            IntOrStrings.validatePort(port.at("targetPort"));
            if (port.has("appProtocol")) {
                port.at("appProtocol").matches(Names::qualifiedName);
            }
        }
        if (type.equals("ClusterIP")) {
            ports.each(port -> {
                if (!port.at("nodePort").isEmpty()) {
                    port.at("nodePort").forbidden("may not be used when `type` is 'ClusterIP'");
                }
            });
        }
    }

    private static void refuseDuplicatePorts(Field ports) {
        var nodePorts = new HashSet<String>();
        for (var port : ports.items()) {
            var nodePort = port.at("nodePort");
            if (!nodePort.isEmpty() && !nodePorts.add(port.at("protocol").text() + nodePort.number())) {
                port.errors().duplicate(nodePort.path(), nodePort.shown());
            }
        }
        var seen = new HashSet<String>();
        for (var port : ports.items()) {
            if (!seen.add(port.at("protocol").text() + port.at("port").number())) {
                port.errors().duplicate(port.path(), goServicePort(port));
            }
        }
    }

    // Upstream shows its internal struct, zero fields and all.
    private static Json goServicePort(Field port) {
        return Json.Obj.builder()
                .put("Name", "")
                .put("Protocol", port.at("protocol").text())
                .put("AppProtocol", Json.Null.NULL)
                .put("Port", port.at("port").number())
                .put("TargetPort", 0)
                .put("NodePort", 0)
                .build();
    }

    private static void validateAffinity(Field spec) {
        var affinity = spec.at("sessionAffinity").requiredOneOf("ClientIP", "None");
        var config = spec.at("sessionAffinityConfig");
        if (affinity.text().equals("None")) {
            config.forbiddenIfPresent("must not be set when session affinity is None");
        } else if (affinity.text().equals("ClientIP")) {
            var seconds = config.at("clientIP", "timeoutSeconds");
            if (!seconds.isPresent()) {
                seconds.required("when session affinity type is ClientIP");
            } else if (seconds.number() <= 0 || seconds.number() > MAX_AFFINITY_SECONDS) {
                seconds.invalid("must be greater than 0 and less than " + MAX_AFFINITY_SECONDS);
            }
        }
    }

    private static void validateAddresses(Field spec, String type) {
        if (type.equals("ExternalName")) {
            return;
        }
        var ip = spec.at("clusterIP").text();
        var ips = spec.at("clusterIPs");
        var all = spec.object().array("clusterIPs").strings();
        if (!ip.isEmpty() && all.isEmpty()) {
            ips.required("");
        } else if (!ip.isEmpty() && !all.getFirst().equals(ip)) {
            ips.invalid("first value must match `clusterIP`");
        } else if (ip.isEmpty() && !all.isEmpty()) {
            ips.invalid("must be empty when `clusterIP` is not specified");
        }
        var families = new HashSet<String>();
        spec.at("ipFamilies").each(family -> family.oneOf("IPv4", "IPv6").unique(families));
        spec.at("ipFamilyPolicy").oneOfIfPresent("PreferDualStack", "RequireDualStack", "SingleStack");
        for (var each : ips.items()) {
            if (!each.text().equals("None")) {
                each.matches(IpAddresses::problems);
            } else if (all.size() > 1) {
                ips.invalid("'None' must be the first and only value");
            }
        }
        if (all.size() > 2) {
            ips.invalid("may only hold up to 2 values");
        }
        if (all.size() == 2 && IpAddresses.isIpv6(all.get(0)) == IpAddresses.isIpv6(all.get(1))) {
            ips.invalid("may specify no more than one IP for each IP family");
        }
    }

    private static void validateLoadBalancer(Field spec, boolean isLoadBalancer) {
        var ranges = spec.at("loadBalancerSourceRanges").reportedAt(spec.path().child("LoadBalancerSourceRanges"));
        var balancerClass = spec.at("loadBalancerClass");
        if (isLoadBalancer) {
            if (balancerClass.isPresent()) {
                balancerClass.matches(Names::qualifiedName);
            }
            return;
        }
        var why = "may only be used when `type` is 'LoadBalancer'";
        if (!ranges.isEmpty()) {
            ranges.forbidden(why);
        }
        spec.at("allocateLoadBalancerNodePorts").forbiddenIfPresent(why);
        balancerClass.forbiddenIfPresent(why);
    }

    private static void validateTraffic(Field spec, String type) {
        var external = spec.at("externalTrafficPolicy");
        if (ServiceDefaults.isReachableFromOutside(spec.object())) {
            external.requiredOneOf("Cluster", "Local");
        } else if (!external.isEmpty()) {
            external.invalid("may only be set for externally-accessible services");
        }
        var healthPort = spec.at("healthCheckNodePort");
        if (!ServiceDefaults.usesHealthCheckPort(spec.object()) && !healthPort.isEmpty()) {
            healthPort.invalid("may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'");
        } else if (!healthPort.isEmpty()) {
            healthPort.port();
        }
        var internal = spec.at("internalTrafficPolicy").oneOfIfPresent("Cluster", "Local");
        if (!internal.isPresent() && !type.equals("ExternalName")) {
            internal.required("");
        }
        spec.at("trafficDistribution").oneOfIfPresent("PreferClose", "PreferSameZone", "PreferSameNode");
    }
}

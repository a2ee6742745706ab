package dev.towtank.controllers.workloads.services;

import dev.towtank.cluster.Cache;
import dev.towtank.cluster.ObjectName;
import dev.towtank.cluster.Trigger;
import dev.towtank.controllers.workloads.pods.Pod;
import dev.towtank.model.Json;
import dev.towtank.model.LabelSelector;
import dev.towtank.model.Resource;
import dev.towtank.model.kinds.core.Pods;
import dev.towtank.model.kinds.core.Services;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The pods that a Service means, and what they offer to it.
public final class ServicePods {

    private ServicePods() {}

    /// Whether we find the pods; otherwise somebody writes the addresses by hand, or there are none.
    static boolean isManaged(Resource service) {
        return service.spec().object("selector").size() > 0
                && !service.spec().string("type").equals("ExternalName");
    }

    public static List<Pod> of(Cache pods, Resource service) {
        if (!isManaged(service)) {
            return List.of();
        }
        var labels = service.spec().stringMap("selector");
        var selector = LabelSelector.of(labels);
        // One label narrows it down without a look at every pod of the namespace.
        Map.Entry<String, String> one = labels.entrySet().iterator().next();
        return pods.labelled(service.cluster(), service.namespace(), one.getKey(), one.getValue()).stream()
                .filter(pod -> selector.matches(pod.json()))
                .map(Pod::new)
                .toList();
    }

    /// A pod wakes the Services that mean it, and those that meant it before its labels changed.
    public static Trigger wakes(Cache services) {
        return Trigger.of(Pods.KIND, pod -> {
            var labels = pod.json().object("metadata", "labels");
            return services.in(pod.cluster(), pod.namespace()).stream()
                    .filter(service ->
                            isManaged(service) && matches(service.spec().object("selector"), labels))
                    .map(ObjectName::of)
                    .toList();
        });
    }

    private static boolean matches(Json.Obj selector, Json.Obj labels) {
        for (var pair : selector) {
            if (!pair.getValue().equals(labels.get(pair.getKey()))) {
                return false;
            }
        }
        return true;
    }

    /// Whether anybody could be sent to the pod.
    static boolean isReachable(Pod pod, boolean alsoTerminating) {
        return !pod.isFinished() && !ips(pod).isEmpty() && (alsoTerminating || !pod.isDeleting());
    }

    static List<String> ips(Pod pod) {
        var ips = new ArrayList<String>();
        pod.object().json().objects("status", "podIPs").forEach(entry -> ips.add(entry.string("ip")));
        var first = pod.object().json().string("status", "podIP");
        if (ips.isEmpty() && !first.isEmpty()) {
            ips.add(first);
        }
        return ips;
    }

    static Optional<String> ip(Pod pod, String family) {
        return ips(pod).stream()
                .filter(ip -> ip.contains(":") == family.equals("IPv6"))
                .findFirst();
    }

    /// The ports of a Service on a pod; those with a name that the pod does not have are left out.
    static Json.Arr ports(Resource service, Pod pod) {
        var ports = new ArrayList<Json>();
        for (var port : service.spec().objects("ports")) {
            number(port, pod).ifPresent(number -> {
                var builder = Json.Obj.builder()
                        .put("name", port.string("name"))
                        .put("port", number)
                        .put("protocol", protocol(port));
                ports.add(builder.putNonEmpty("appProtocol", port.string("appProtocol"))
                        .build());
            });
        }
        return new Json.Arr(ports);
    }

    private static String protocol(Json.Obj port) {
        var protocol = port.string("protocol");
        return protocol.isEmpty() ? "TCP" : protocol;
    }

    private static Optional<Long> number(Json.Obj port, Pod pod) {
        return switch (port.get("targetPort")) {
            case Json.Int(var number) when number > 0 -> Optional.of(number);
            case Json.Str(var name) when !name.isEmpty() -> named(pod, name, protocol(port));
            case null, default -> Optional.of(port.integer("port"));
        };
    }

    private static Optional<Long> named(Pod pod, String name, String protocol) {
        var containers = new ArrayList<>(pod.object().spec().objects("containers"));
        pod.object().spec().objects("initContainers").stream()
                .filter(container -> container.string("restartPolicy").equals("Always"))
                .forEach(containers::add);
        return containers.stream()
                .flatMap(container -> container.objects("ports").stream())
                .filter(port ->
                        port.string("name").equals(name) && protocol(port).equals(protocol))
                .map(port -> port.integer("containerPort"))
                .findFirst();
    }

    static Json.Obj reference(Pod pod) {
        return Json.Obj.builder()
                .put("kind", "Pod")
                .put("namespace", pod.object().namespace())
                .put("name", pod.name())
                .put("uid", pod.uid())
                .build();
    }

    /// The name by which the pod is found under its Service; empty where it has none.
    static String hostname(Resource service, Pod pod) {
        var spec = pod.object().spec();
        return spec.string("subdomain").equals(service.name()) ? spec.string("hostname") : "";
    }

    /// The labels of a Service, for what is made of it.
    static Json.Obj labels(Resource service, Json.Obj more) {
        var labels = Json.Obj.builder()
                .putAll(service.json().object("metadata", "labels"))
                .putAll(more);
        if (Services.isHeadless(service.json())) {
            labels.put("service.kubernetes.io/headless", "");
        }
        return labels.build();
    }
}

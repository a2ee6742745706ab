package dev.towtank.app.lint;

import dev.towtank.model.Json;
import dev.towtank.model.Located;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What holds objects together by words: labels, names of ports, keys. No server checks it, and nothing works when it
/// does not fit.
final class Connections implements Check {

    private static final Set<String> WORKLOADS =
            Set.of("Pod", "Deployment", "StatefulSet", "DaemonSet", "ReplicaSet", "Job", "ReplicationController");

    /// Pods, or what makes them.
    ///
    /// @param labels of the pods
    /// @param ports names of their ports
    record Workload(String kind, String name, String folder, Map<String, String> labels, Set<String> ports) {}

    /// @param port what it calls the port behind it, where it does so by a name
    record Service(String folder, Map<String, String> selector, Place place, Optional<Reference> port) {
        record Reference(String name, Place place) {}
    }

    /// Keys that an object has, by kind and name; nothing where they are not all known.
    record Keys(String kind, String name, Set<String> keys) {}

    record KeyUse(String kind, String name, String key, Place place) {}

    record Target(String kind, String name, Place place) {}

    @Override
    public boolean needsWhole() {
        return true;
    }

    @Override
    public void check(Document document, Observations seen) {
        var root = document.root();
        if (WORKLOADS.contains(document.kind())) {
            var pod = document.kind().equals("Pod") ? root : root.at("spec", "template");
            workload(document, pod, seen);
        }
        switch (document.kind()) {
            case "Service" -> service(document, seen);
            case "ConfigMap" -> keys(document, seen);
            case "HorizontalPodAutoscaler" -> {
                var name = root.at("spec", "scaleTargetRef", "name");
                if (name != null && WORKLOADS.contains(root.text("spec", "scaleTargetRef", "kind"))) {
                    seen.targets.add(new Target(
                            root.text("spec", "scaleTargetRef", "kind"),
                            name.json().display(),
                            document.value(name)));
                }
            }
            default -> {}
        }
    }

    private static void workload(Document document, @Nullable Located pod, Observations seen) {
        if (pod == null) {
            return;
        }
        var ports = new HashSet<String>();
        for (var container : pod.at("spec") == null ? List.<Located>of() : containers(pod)) {
            var own = new HashSet<String>();
            container.list("ports").forEach(port -> own.add(port.text("name")));
            ports.addAll(own);
            probes(document, container, own, seen);
            keyUses(document, container, seen);
        }
        seen.workloads.add(new Workload(
                document.kind(), document.name(), folder(document), texts(pod.at("metadata", "labels")), ports));
    }

    private static List<Located> containers(Located pod) {
        var all = new ArrayList<>(pod.list("spec", "containers"));
        all.addAll(pod.list("spec", "initContainers"));
        return all;
    }

    private static void probes(Document document, Located container, Set<String> ports, Observations seen) {
        for (var probe : List.of("livenessProbe", "readinessProbe", "startupProbe")) {
            for (var way : List.of("httpGet", "tcpSocket")) {
                var port = container.at(probe, way, "port");
                if (port != null
                        && port.json() instanceof Json.Str(var name)
                        && isName(name)
                        && !ports.contains(name)) {
                    seen.add(
                            Rule.UNMATCHED_PORT,
                            document.value(port),
                            "the container \"" + container.text("name") + "\" has no port named \"" + name + "\"",
                            Similar.to(name, ports)
                                    .map(each -> "Did you mean \"" + each + "\"?")
                                    .orElse("Name one of its ports so, or write the number."));
                }
            }
        }
    }

    private static boolean isName(String port) {
        return !port.matches("\\d+") && !port.contains("$");
    }

    private static void keyUses(Document document, Located container, Observations seen) {
        for (var variable : container.list("env")) {
            var ref = variable.at("valueFrom", "configMapKeyRef");
            var key = ref == null ? null : ref.at("key");
            if (ref != null && key != null && !Json.Bool.TRUE.equals(json(ref.at("optional")))) {
                seen.keyUses.add(
                        new KeyUse("ConfigMap", ref.text("name"), key.json().display(), document.value(key)));
            }
        }
    }

    private static @Nullable Json json(@Nullable Located value) {
        return value == null ? null : value.json();
    }

    private static void service(Document document, Observations seen) {
        var selector = document.root().at("spec", "selector");
        if (selector == null || texts(selector).isEmpty()) {
            return;
        }
        var named = document.root().list("spec", "ports").stream()
                .map(port -> port.at("targetPort"))
                .filter(port -> port != null && port.json() instanceof Json.Str(var name) && isName(name))
                .findFirst()
                .map(port -> new Service.Reference(port.json().display(), document.value(port)));
        seen.services.add(new Service(folder(document), texts(selector), document.value(selector), named));
    }

    private static void keys(Document document, Observations seen) {
        var keys = new HashSet<String>();
        for (var field : List.of("data", "binaryData")) {
            var there = document.root().at(field);
            if (there != null) {
                keys.addAll(there.fields().keySet());
            }
        }
        seen.keys.add(new Keys("ConfigMap", document.name(), keys));
    }

    private static Map<String, String> texts(@Nullable Located map) {
        return map != null && map.json() instanceof Json.Obj object ? object.stringMap() : Map.of();
    }

    private static String folder(Document document) {
        var file = document.source().file();
        return file.substring(0, file.lastIndexOf('/') + 1);
    }

    /// What does not fit, over all files.
    static List<Finding> match(Observations seen) {
        var found = new ArrayList<Finding>();
        seen.services.forEach(service -> service(service, seen, found));
        for (var use : seen.keyUses) {
            var same = seen.keys.stream()
                    .filter(each -> each.kind.equals(use.kind) && each.name.equals(use.name))
                    .toList();
            if (!same.isEmpty() && same.stream().noneMatch(each -> each.keys.contains(use.key))) {
                found.add(Finding.of(
                        Rule.UNDEFINED_KEY,
                        use.place,
                        use.kind + " \"" + use.name + "\" has no key \"" + use.key + "\"",
                        Similar.to(use.key, same.getFirst().keys)
                                .map(each -> "Did you mean \"" + each + "\"?")
                                .orElse("Add it there, or make it 'optional: true' here.")));
            }
        }
        for (var target : seen.targets) {
            var names = seen.workloads.stream()
                    .filter(each -> each.kind.equals(target.kind))
                    .map(Workload::name)
                    .toList();
            if (!names.isEmpty() && !names.contains(target.name)) {
                found.add(Finding.of(
                        Rule.UNDEFINED_TARGET,
                        target.place,
                        "no file here defines the " + target.kind + " \"" + target.name + "\"",
                        Similar.to(target.name, names)
                                .map(each -> "Did you mean \"" + each + "\"?")
                                .orElse("It must be on the cluster already; if not, add it.")));
            }
        }
        return found;
    }

    // Only beside pods of some kind: those of other folders may be meant for other places.
    private static void service(Service service, Observations seen, List<Finding> found) {
        boolean hasNeighbours = seen.workloads.stream().anyMatch(each -> each.folder.equals(service.folder));
        var selected = seen.workloads.stream()
                .filter(each -> each.labels.entrySet().containsAll(service.selector.entrySet()))
                .toList();
        if (selected.isEmpty()) {
            if (hasNeighbours) {
                found.add(Finding.of(
                        Rule.UNMATCHED_SELECTOR,
                        service.place,
                        "no pod of these files has the labels " + service.selector,
                        "Write the labels of the pods that are meant."));
            }
            return;
        }
        service.port.ifPresent(port -> {
            if (selected.stream().noneMatch(each -> each.ports.contains(port.name()))) {
                found.add(Finding.of(
                        Rule.UNMATCHED_PORT,
                        port.place(),
                        "no container of the selected pods has a port named \"" + port.name() + "\"",
                        Similar.to(port.name(), selected.getFirst().ports)
                                .map(each -> "Did you mean \"" + each + "\"?")
                                .orElse("Name one of their ports so, or write the number.")));
            }
        });
    }
}

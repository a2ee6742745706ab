package dev.towtank.app.lint;

import dev.towtank.app.lint.finding.Rule;
import dev.towtank.app.lint.finding.Similar;
import dev.towtank.app.lint.finding.SourcePlace;
import dev.towtank.app.lint.settings.Target;
import dev.towtank.app.lint.source.Document;
import dev.towtank.app.lint.source.Placeholder;
import dev.towtank.model.Json;
import dev.towtank.model.Located;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// What holds objects together by words: labels, names of ports, keys. No server checks it, and nothing works when it
/// does not fit.
final class Connections implements Check {

    private static final Set<String> WORKLOADS = Set.of(
            "Pod",
            "Deployment",
            "StatefulSet",
            "DaemonSet",
            "ReplicaSet",
            "Job",
            "ReplicationController",
            "DeploymentConfig",
            "Rollout");

    /// What stands for the Secret that the provisioner of a bucket makes, on every cluster.
    static final String OF_CLAIM = "the Secret of ObjectBucketClaim";

    private static final Set<String> CLAIM_KEYS = Set.of("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY");

    /// Pods, or what makes them.
    ///
    /// @param labels of the pods
    /// @param ports names of their ports
    /// @param numbers of their ports
    /// @param tellsPorts whether each container says where it listens
    record Workload(
            String kind,
            String name,
            String folder,
            String namespace,
            Map<String, String> labels,
            Set<String> ports,
            Set<String> numbers,
            boolean tellsPorts) {}

    /// Whoever selects pods by labels.
    ///
    /// @param ports what it calls the ports behind it
    record Service(String folder, String namespace, Map<String, String> selector, SourcePlace place, List<Port> ports) {

        record Port(String name, SourcePlace place) {
            boolean isName() {
                return Connections.isName(name);
            }
        }
    }

    /// Keys that an object has, by kind and name; nothing where they are not all known.
    ///
    /// @param values with which a chart wrote it
    record Keys(String kind, String namespace, String name, Set<String> keys, Optional<String> values) {
        /// Of another namespace it is another one; what names none may be put into any.
        boolean areOf(KeyUse use) {
            return kind.equals(use.kind)
                    && name.equals(use.name)
                    && (namespace.isEmpty() || use.namespace.isEmpty() || namespace.equals(use.namespace));
        }

        /// Whether it would be there together with the use: with other values a chart writes other objects.
        boolean isBeside(KeyUse use) {
            return values.isEmpty() || use.values.isEmpty() || values.equals(use.values);
        }
    }

    /// @param values with which a chart wrote it
    record KeyUse(String kind, String namespace, String name, String key, SourcePlace place, Optional<String> values) {}

    record Target(String kind, String name, SourcePlace place) {}

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
            case "PodDisruptionBudget" -> budget(document, seen);
            case "ConfigMap" -> keys(document, "binaryData", seen);
            case "Secret" -> keys(document, "stringData", seen);
            case "ObjectBucketClaim" ->
                seen.keys.add(new Keys(
                        OF_CLAIM,
                        "",
                        document.name(),
                        CLAIM_KEYS,
                        document.source().values()));
            case "ExternalSecret" -> propertyUses(document, seen);
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
        var numbers = new HashSet<String>();
        boolean tellsPorts = pod.at("spec", "hostNetwork") == null;
        for (var container : pod.at("spec") == null ? List.<Located>of() : containers(pod)) {
            var own = new HashSet<String>();
            var ownNumbers = new HashSet<String>();
            for (var port : container.list("ports")) {
                own.add(port.text("name"));
                ownNumbers.add(String.valueOf(json(port.at("containerPort"))));
            }
            ports.addAll(own);
            numbers.addAll(ownNumbers);
            tellsPorts &= !container.list("ports").isEmpty();
            probes(document, container, own, ownNumbers, seen);
            keyUses(document, container, seen);
        }
        for (var volume : pod.list("spec", "volumes")) {
            volumeKeys(document, volume, seen);
        }
        seen.workloads.add(new Workload(
                document.kind(),
                document.name(),
                folder(document),
                document.root().text("metadata", "namespace"),
                texts(pod.at("metadata", "labels")),
                ports,
                numbers,
                tellsPorts && !numbers.isEmpty()));
    }

    private static List<Located> containers(Located pod) {
        var all = new ArrayList<>(pod.list("spec", "containers"));
        all.addAll(pod.list("spec", "initContainers"));
        return all;
    }

    private static void probes(
            Document document, Located container, Set<String> ports, Set<String> numbers, Observations seen) {
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
                } else if (port != null
                        && isNumber(port.json().display())
                        && !numbers.isEmpty()
                        && !numbers.contains(port.json().display())) {
                    seen.add(
                            Rule.UNMATCHED_PORT,
                            document.value(port),
                            ConnectionMatches.NUMBER + port.json().display() + ", and the container \""
                                    + container.text("name") + "\" has "
                                    + numbers.stream().sorted().collect(Collectors.joining(", ")),
                            "Write one of its ports, or name this one among them.");
                }
            }
        }
    }

    private static boolean isNumber(String port) {
        return port.matches("\\d+");
    }

    private static boolean isName(String port) {
        return !isNumber(port) && !port.contains("$") && !Placeholder.isIn(port) && !Placeholder.standsIn(port);
    }

    private static void keyUses(Document document, Located container, Observations seen) {
        for (var variable : container.list("env")) {
            keyUse(document, "ConfigMap", "name", variable.at("valueFrom", "configMapKeyRef"), seen);
            keyUse(document, "Secret", "name", variable.at("valueFrom", "secretKeyRef"), seen);
        }
    }

    private static void keyUse(
            Document document, String kind, String nameField, @Nullable Located ref, Observations seen) {
        if (ref == null || Json.Bool.TRUE.equals(json(ref.at("optional")))) {
            return;
        }
        var items = ref.field("items") == null ? List.of(ref) : ref.list("items");
        for (var item : items) {
            var key = item.at("key");
            if (key != null) {
                seen.keyUses.add(new KeyUse(
                        kind,
                        namespace(document),
                        ref.text(nameField),
                        key.json().display(),
                        document.value(key),
                        document.source().values()));
            }
        }
    }

    private static void volumeKeys(Document document, Located volume, Observations seen) {
        keyUse(document, "ConfigMap", "name", volume.at("configMap"), seen);
        keyUse(document, "Secret", "secretName", volume.at("secret"), seen);
        for (var source : volume.list("projected", "sources")) {
            keyUse(document, "ConfigMap", "name", source.at("configMap"), seen);
            keyUse(document, "Secret", "name", source.at("secret"), seen);
        }
    }

    /// What is read of a Secret that a claim of these files makes.
    private static void propertyUses(Document document, Observations seen) {
        for (var entry : document.root().list("spec", "data")) {
            var property = entry.at("remoteRef", "property");
            if (property != null) {
                seen.keyUses.add(new KeyUse(
                        OF_CLAIM,
                        "",
                        entry.text("remoteRef", "key"),
                        property.json().display(),
                        document.value(property),
                        document.source().values()));
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
        var ports = new ArrayList<Service.Port>();
        // One without an address of its own leaves ports alone.
        if (!document.root().text("spec", "clusterIP").equals("None")) {
            var all = document.root().list("spec", "ports");
            for (var each : all) {
                // Of several without a target some may be there for others than the pods.
                boolean isAlone = all.size() == 1 && each.at("targetPort") == null;
                var port = isAlone ? each.at("port") : each.at("targetPort");
                if (port != null
                        && !port.json().equals(Json.Null.NULL)
                        && !port.json().display().contains("$")
                        && (isNumber(port.json().display())
                                || isName(port.json().display()))) {
                    ports.add(new Service.Port(port.json().display(), document.value(port)));
                }
            }
        }
        select(document, selector, ports, seen);
    }

    private static void budget(Document document, Observations seen) {
        var selector = document.root().at("spec", "selector");
        var labels = document.root().at("spec", "selector", "matchLabels");
        if (selector != null && labels != null && selector.field("matchExpressions") == null) {
            select(document, labels, List.of(), seen);
        }
    }

    private static void select(Document document, Located labels, List<Service.Port> ports, Observations seen) {
        if (!texts(labels).isEmpty()) {
            seen.services.add(new Service(
                    folder(document),
                    document.root().text("metadata", "namespace"),
                    texts(labels),
                    document.value(labels),
                    ports));
        }
    }

    private static void keys(Document document, String otherField, Observations seen) {
        var keys = new HashSet<String>();
        for (var field : List.of("data", otherField)) {
            var there = document.root().at(field);
            if (there != null) {
                keys.addAll(there.fields().keySet());
            }
        }
        // An empty one is filled in by somebody else, and some say in an annotation what else will be in them.
        var annotations = document.root().at("metadata", "annotations");
        if (annotations != null && !keys.isEmpty()) {
            texts(annotations).values().forEach(value -> keys.addAll(List.of(value.split("[,;\\s]+", -1))));
        }
        if (!keys.isEmpty()) {
            seen.keys.add(new Keys(
                    document.kind(),
                    namespace(document),
                    document.name(),
                    keys,
                    document.source().values()));
        }
    }

    private static String namespace(Document document) {
        return document.root().text("metadata", "namespace");
    }

    private static Map<String, String> texts(@Nullable Located map) {
        return map != null && map.json() instanceof Json.Obj object ? object.stringMap() : Map.of();
    }

    static String folder(Document document) {
        return folder(document.source().file());
    }

    static String folder(String file) {
        return file.substring(0, file.lastIndexOf('/') + 1);
    }
}

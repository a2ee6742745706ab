package dev.towtank.app.lint;

import dev.towtank.app.lint.Connections.KeyUse;
import dev.towtank.app.lint.Connections.Service;
import dev.towtank.app.lint.Connections.Workload;
import dev.towtank.app.lint.finding.Finding;
import dev.towtank.app.lint.finding.Rule;
import dev.towtank.app.lint.finding.Similar;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/// What holds objects together, held against each other over all files.
final class ConnectionMatches {

    static final String NUMBER = "calls go to port ";

    /// Kinds of others of which no pods are made.
    private static final Set<String> WITHOUT_PODS = Set.of(
            "Route",
            "VirtualService",
            "DestinationRule",
            "Gateway",
            "HTTPRoute",
            "ServiceMonitor",
            "PodMonitor",
            "PrometheusRule",
            "Certificate",
            "Issuer",
            "ClusterIssuer",
            "ExternalSecret",
            "SecretStore",
            "SealedSecret",
            "Kustomization",
            "AppProject");

    private ConnectionMatches() {}

    static List<Finding> of(Observations seen) {
        var found = new ArrayList<Finding>();
        seen.services.forEach(service -> service(service, seen, found));
        seen.keyUses.forEach(use -> key(use, seen, found));
        for (var target : seen.targets) {
            var names = seen.workloads.stream()
                    .filter(each -> each.kind().equals(target.kind()))
                    .map(Workload::name)
                    .toList();
            if (!names.contains(target.name())) {
                var meant = Similar.to(target.name(), names);
                var finding = Finding.of(
                        Rule.UNDEFINED_TARGET,
                        target.place(),
                        "no file here defines the " + target.kind() + " \"" + target.name() + "\"",
                        meant.map(each -> "Did you mean \"" + each + "\"?")
                                .orElse("It must be on the cluster already; if not, add it."));
                found.add(finding);
            }
        }
        return found;
    }

    private static void key(KeyUse use, Observations seen, List<Finding> found) {
        var all = seen.keys.stream().filter(each -> each.areOf(use)).toList();
        var same = all.stream().filter(each -> each.isBeside(use)).toList();
        // Who else makes it may put more into it.
        boolean isMadeElsewhere = seen.definitions.stream()
                        .filter(each ->
                                each.kind().equals(use.kind()) && each.name().equals(use.name()))
                        .count()
                > all.size();
        if (same.isEmpty()
                || same.stream().anyMatch(each -> each.keys().contains(use.key()))
                || (isMadeElsewhere && !use.kind().equals(Connections.OF_CLAIM))) {
            return;
        }
        found.add(Finding.of(
                Rule.UNDEFINED_KEY,
                use.place(),
                use.kind() + " \"" + use.name() + "\" has no key \"" + use.key() + "\"",
                use.kind().equals(Connections.OF_CLAIM)
                        ? "On a cluster the endpoint and the bucket are in the ConfigMap of the claim alone; the"
                                + " class openshift-storage.noobaa.io here puts them into the Secret, too."
                        : Similar.to(use.key(), same.getFirst().keys())
                                .map(each -> "Did you mean \"" + each + "\"?")
                                .orElse("Add it there, or make it 'optional: true' here.")));
    }

    // Only beside pods that are labelled in the same way: others may be meant for other places.
    private static void service(Service service, Observations seen, List<Finding> found) {
        boolean hasNeighbours = seen.workloads.stream()
                .anyMatch(each -> each.folder().equals(service.folder())
                        && each.namespace().equals(service.namespace())
                        && each.labels().keySet().containsAll(service.selector().keySet()));
        var selected = seen.workloads.stream()
                .filter(each ->
                        each.labels().entrySet().containsAll(service.selector().entrySet()))
                .toList();
        if (selected.isEmpty()) {
            if (hasNeighbours && !isMadeByAnOperator(service, seen)) {
                found.add(Finding.of(
                        Rule.UNMATCHED_SELECTOR,
                        service.place(),
                        "no pod of these files has the labels " + service.selector(),
                        "Write the labels of the pods that are meant."));
            }
            return;
        }
        for (var port : service.ports()) {
            if (port.isName()) {
                named(port, selected, found);
            } else {
                number(port, selected, found);
            }
        }
    }

    // What another program makes of an object of its own kind may well be pods, with labels that it chooses.
    private static boolean isMadeByAnOperator(Service service, Observations seen) {
        return seen.customObjects.stream()
                .anyMatch(each -> Connections.folder(each).equals(service.folder())
                        && !WITHOUT_PODS.contains(each.kind())
                        && each.root().at("spec", "template", "metadata", "labels") == null);
    }

    private static void named(Service.Port port, List<Workload> selected, List<Finding> found) {
        if (selected.stream().noneMatch(each -> each.ports().contains(port.name()))) {
            found.add(Finding.of(
                    Rule.UNMATCHED_PORT,
                    port.place(),
                    "no container of the selected pods has a port named \"" + port.name() + "\"",
                    Similar.to(port.name(), selected.getFirst().ports())
                            .map(each -> "Did you mean \"" + each + "\"?")
                            .orElse("Name one of their ports so, or write the number.")));
        }
    }

    /// Whether it is about a port that a program may serve without saying so.
    static boolean isOfANumber(Finding finding) {
        return finding.rule() == Rule.UNMATCHED_PORT && finding.message().startsWith(NUMBER);
    }

    // A container may listen where it says nothing of it: only where all of them say something, another port is odd.
    private static void number(Service.Port port, List<Workload> selected, List<Finding> found) {
        boolean isOdd = selected.stream()
                .allMatch(each -> each.tellsPorts() && !each.numbers().contains(port.name()));
        if (isOdd) {
            var numbers = selected.stream()
                    .flatMap(each -> each.numbers().stream())
                    .distinct()
                    .sorted()
                    .collect(Collectors.joining(", "));
            found.add(Finding.of(
                    Rule.UNMATCHED_PORT,
                    port.place(),
                    NUMBER + port.name() + ", and the containers of the selected pods have " + numbers,
                    numbers.contains(",")
                            ? "Write the one that is meant as targetPort."
                            : "Write targetPort: " + numbers + "."));
        }
    }
}

package dev.towtank.app.lint;

import dev.towtank.app.lint.source.Document;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// Objects of kinds that nobody told us about: to say nothing of them would look as if they were right.
final class UnknownKinds {

    private static final int MOST_NAMED = 6;

    /// Groups whose kinds no server has: files for programs.
    private static final Set<String> FOR_PROGRAMS = Set.of(
            "kustomize.config.k8s.io",
            "kind.x-k8s.io",
            "kubeadm.k8s.io",
            "kubelet.config.k8s.io",
            "audit.k8s.io",
            "chainsaw.kyverno.io",
            "kuttl.dev",
            "clusterctl.cluster.x-k8s.io",
            "install.istio.io",
            "skaffold",
            "builtin");

    private UnknownKinds() {}

    /// Whether neither Kubernetes nor Tekton has the kind, so that a definition is needed to check the object.
    static boolean mayBe(Document document) {
        return document.group().contains(".")
                && !document.kind().isEmpty()
                && !FOR_PROGRAMS.contains(document.group())
                && !document.isTekton()
                && !BuiltinAdmission.hasGroup(document.group());
    }

    static Optional<String> note(List<Document> unknown) {
        if (unknown.isEmpty()) {
            return Optional.empty();
        }
        Map<String, Long> counts = unknown.stream()
                .collect(Collectors.groupingBy(
                        document -> document.kind() + " of " + document.group(), TreeMap::new, Collectors.counting()));
        var named = counts.entrySet().stream()
                .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
                .limit(MOST_NAMED)
                .map(each -> each.getKey() + (each.getValue() > 1 ? " (" + each.getValue() + ")" : ""))
                .collect(Collectors.joining(", "));
        var more = counts.size() > MOST_NAMED ? " and " + (counts.size() - MOST_NAMED) + " more kinds" : "";
        return Optional.of((unknown.size() == 1
                        ? "1 object of a kind that I do not know was not checked: "
                        : unknown.size() + " objects of kinds that I do not know were not checked: ")
                + named + more + ". Their definitions, among the files or in --schemas DIR, make them known.");
    }
}

package dev.towtank.controllers.workloads.sets;

import dev.towtank.controllers.workloads.pods.Pod;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// On which nodes a DaemonSet's pods run.
record DaemonPlacement(Json.Obj podSpec) {

    private static final List<Json> TOLERATIONS = List.of(
            toleration("node.kubernetes.io/not-ready", "NoExecute"),
            toleration("node.kubernetes.io/unreachable", "NoExecute"),
            toleration("node.kubernetes.io/disk-pressure", "NoSchedule"),
            toleration("node.kubernetes.io/memory-pressure", "NoSchedule"),
            toleration("node.kubernetes.io/pid-pressure", "NoSchedule"),
            toleration("node.kubernetes.io/unschedulable", "NoSchedule"));

    private static final Json HOST_NETWORK = toleration("node.kubernetes.io/network-unavailable", "NoSchedule");

    private static Json toleration(String key, String effect) {
        return Json.Obj.of("key", Json.of(key), "operator", Json.of("Exists"), "effect", Json.of(effect));
    }

    private Json.Arr tolerations() {
        var all = new ArrayList<Json>(podSpec.array("tolerations").items());
        var ours = new ArrayList<>(TOLERATIONS);
        if (podSpec.flag("hostNetwork")) {
            ours.add(HOST_NETWORK);
        }
        ours.stream().filter(toleration -> !all.contains(toleration)).forEach(all::add);
        return new Json.Arr(all);
    }

    /// The spec of the pod for a node: the scheduler may choose no other.
    Json.Obj on(String node) {
        var field = Json.Obj.of(
                "key", Json.of("metadata.name"), "operator", Json.of("In"), "values", Json.Arr.of(Json.of(node)));
        var term = Json.Arr.of(Json.Obj.of("matchFields", Json.Arr.of(field)));
        return podSpec.with("tolerations", tolerations())
                .with(
                        List.of(
                                "affinity",
                                "nodeAffinity",
                                "requiredDuringSchedulingIgnoredDuringExecution",
                                "nodeSelectorTerms"),
                        term);
    }

    /// The node that a pod runs on or was made for.
    static String nodeOf(Pod pod) {
        if (!pod.nodeName().isEmpty()) {
            return pod.nodeName();
        }
        for (var term : terms(pod.object().spec())) {
            for (var field : term.objects("matchFields")) {
                if (field.string("key").equals("metadata.name")
                        && field.array("values").size() == 1) {
                    return field.array("values").strings().getFirst();
                }
            }
        }
        return "";
    }

    private static List<Json.Obj> terms(Json.Obj spec) {
        return spec.objects(
                "affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution", "nodeSelectorTerms");
    }

    boolean shouldRunOn(Resource node) {
        return fits(node) && tolerates(node, Set.of("NoSchedule", "NoExecute"));
    }

    /// Whether a pod that is there may stay: taints that only keep new pods away do not drive it out.
    boolean shouldStayOn(Resource node) {
        return fits(node) && tolerates(node, Set.of("NoExecute"));
    }

    private boolean fits(Resource node) {
        var name = podSpec.string("nodeName");
        var labels = node.labels();
        boolean selected = podSpec.stringMap("nodeSelector").entrySet().stream()
                .allMatch(label -> label.getValue().equals(labels.get(label.getKey())));
        var terms = terms(podSpec);
        return (name.isEmpty() || name.equals(node.name()))
                && selected
                && (terms.isEmpty() || terms.stream().anyMatch(term -> NodeTerms.matches(term, node)));
    }

    private boolean tolerates(Resource node, Set<String> effects) {
        return node.spec().objects("taints").stream()
                .filter(taint -> effects.contains(taint.string("effect")))
                .allMatch(taint -> tolerations().objects().stream()
                        .anyMatch(toleration -> NodeTerms.tolerates(toleration, taint)));
    }
}

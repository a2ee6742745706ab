package dev.towtank.node.pods;

import dev.towtank.cluster.pods.StandIn;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/// The conditions that the node keeps on a pod; those of others stay as they are.
final class PodConditions {

    private static final String STAND_INS = "towtank.dev/StandIns";

    private static final String POLICIES = "towtank.dev/NetworkPoliciesEnforced";

    private static final Set<String> OURS = Set.of(
            "PodReadyToStartContainers",
            "Initialized",
            "Ready",
            "ContainersReady",
            "PodScheduled",
            "Isolated",
            "PodResizePending",
            "PodResizeInProgress",
            STAND_INS,
            POLICIES);

    private final Resource pod;
    private final PodFacts facts;
    private final String phase;
    private final boolean isolated;
    private final Instant now;

    PodConditions(Resource pod, PodFacts facts, String phase, boolean isolated, Instant now) {
        this.pod = pod;
        this.facts = facts;
        this.phase = phase;
        this.isolated = isolated;
        this.now = now;
    }

    private record Judgement(boolean value, String reason, String message) {
        static final Judgement TRUE = new Judgement(true, "", "");

        static Judgement no(String reason, String message) {
            return new Judgement(false, reason, message);
        }
    }

    Json.Arr all(List<Json.Obj> init, List<Json.Obj> regular) {
        var conditions = new ArrayList<Json>();
        var others = pod.status().objects("conditions").stream()
                .filter(condition -> !OURS.contains(condition.string("type")))
                .toList();
        conditions.addAll(others);
        conditions.add(condition("PodReadyToStartContainers", sandbox()));
        conditions.add(condition("Initialized", initialized(init)));
        var ready = containersReady(init, regular);
        conditions.add(condition("Ready", ready.value ? gates(others) : ready));
        conditions.add(condition("ContainersReady", ready));
        conditions.add(condition("PodScheduled", Judgement.TRUE));
        if (!isolated) {
            var message = "its containers are plain processes of this machine, without a sandbox";
            conditions.add(condition("Isolated", Judgement.no("UnsafeHost", message)));
        }
        facts.resizing()
                .ifPresent(why -> conditions.add(condition(
                        why.kind().condition(), new Judgement(true, why.kind().reason(), why.message()))));
        var standIns = names(init, PodConditions::isStandIn);
        standIns.addAll(names(regular, PodConditions::isStandIn));
        if (!standIns.isEmpty()) {
            var message = "this machine's own programs stand in for the images of the containers: " + list(standIns);
            conditions.add(condition(STAND_INS, new Judgement(true, "ImageMap", message)));
        }
        facts.unenforced().ifPresent(why -> conditions.add(condition(POLICIES, Judgement.no("NotEnforced", why))));
        return new Json.Arr(conditions);
    }

    private static boolean isStandIn(Json.Obj status) {
        return StandIn.isIn(status);
    }

    private boolean isOver() {
        return phase.equals("Succeeded") || phase.equals("Failed");
    }

    private Judgement sandbox() {
        return facts.prepared() && (!isOver() || facts.anyRunning()) ? Judgement.TRUE : Judgement.no("", "");
    }

    private Judgement initialized(List<Json.Obj> init) {
        if (phase.equals("Succeeded")) {
            return new Judgement(true, "PodCompleted", "");
        }
        if (Containers.regular(pod).stream()
                .anyMatch(container -> facts.of(Containers.name(container)).hasRun())) {
            return Judgement.TRUE;
        }
        var incomplete = names(init, status -> isSidecar(status) ? !status.flag("started") : !status.flag("ready"));
        return incomplete.isEmpty()
                ? Judgement.TRUE
                : Judgement.no("ContainersNotInitialized", "containers with incomplete status: " + list(incomplete));
    }

    private Judgement containersReady(List<Json.Obj> init, List<Json.Obj> regular) {
        if (isOver()) {
            return Judgement.no(phase.equals("Succeeded") ? "PodCompleted" : "PodFailed", "");
        }
        var unready = names(init, status -> isSidecar(status) && !status.flag("ready"));
        for (var container : Containers.regular(pod)) {
            regular.stream()
                    .filter(status -> status.string("name").equals(Containers.name(container)))
                    .filter(status -> !status.flag("ready"))
                    .forEach(status -> unready.add(status.string("name")));
        }
        return unready.isEmpty()
                ? Judgement.TRUE
                : Judgement.no("ContainersNotReady", "containers with unready status: " + list(unready));
    }

    private Judgement gates(List<Json.Obj> others) {
        var problems = new ArrayList<String>();
        for (var gate : pod.spec().objects("readinessGates")) {
            var type = gate.string("conditionType");
            var found = others.stream()
                    .filter(condition -> condition.string("type").equals(type))
                    .findFirst();
            if (found.isEmpty()) {
                problems.add("corresponding condition of pod readiness gate \"" + type + "\" does not exist.");
            } else if (!found.get().string("status").equals("True")) {
                problems.add("the status of pod readiness gate \"" + type + "\" is not \"True\", but "
                        + found.get().string("status"));
            }
        }
        return problems.isEmpty()
                ? Judgement.TRUE
                : Judgement.no("ReadinessGatesNotReady", String.join(", ", problems));
    }

    private boolean isSidecar(Json.Obj status) {
        return Containers.find(pod, status.string("name"))
                .filter(Containers::isSidecar)
                .isPresent();
    }

    private static List<String> names(List<Json.Obj> statuses, Predicate<Json.Obj> which) {
        var names = new ArrayList<String>();
        statuses.stream().filter(which).forEach(status -> names.add(status.string("name")));
        return names;
    }

    private static String list(List<String> names) {
        return "[" + String.join(" ", names) + "]";
    }

    private Json.Obj condition(String type, Judgement judgement) {
        var status = judgement.value ? "True" : "False";
        var changed = last(type)
                .filter(old -> old.string("status").equals(status))
                .map(old -> old.string("lastTransitionTime"))
                .filter(since -> !since.isEmpty())
                .orElseGet(() -> ContainerStatus.timestamp(now));
        var condition = Json.Obj.builder()
                .put("type", type)
                .put("status", status)
                .put("lastProbeTime", Json.Null.NULL)
                .put("lastTransitionTime", changed)
                .putNonEmpty("reason", judgement.reason)
                .putNonEmpty("message", judgement.message);
        if (pod.generation() > 0) {
            condition.put("observedGeneration", pod.generation());
        }
        return condition.build();
    }

    private Optional<Json.Obj> last(String type) {
        return pod.status().objects("conditions").stream()
                .filter(condition -> condition.string("type").equals(type))
                .findFirst();
    }
}

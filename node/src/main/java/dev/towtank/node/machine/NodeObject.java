package dev.towtank.node.machine;

import dev.towtank.model.Json;
import dev.towtank.model.Quantity;
import dev.towtank.node.sandbox.Abilities;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The Node object of a machine; pure.
public final class NodeObject {

    private NodeObject() {}

    /// On nodes beside the machine's own, so that the next server knows what it may take away.
    public static final String FURTHER = "towtank.dev/further-node";

    /// @param isFurther whether it stands beside the node with the machine's own name
    /// @param maxPods how many pods may be on the machine at once
    /// @param version of this program
    public record Offer(
            Machine machine, NamedNode node, boolean isFurther, int maxPods, String version, Abilities abilities) {
        String name() {
            return node.name();
        }
    }

    public static Json.Obj create(Offer offer, Instant now) {
        var labels = Json.Obj.builder()
                .put("beta.kubernetes.io/arch", offer.machine.architecture())
                .put("beta.kubernetes.io/os", "linux")
                .put("kubernetes.io/arch", offer.machine.architecture())
                .put("kubernetes.io/hostname", offer.name())
                .put("kubernetes.io/os", "linux");
        if (!offer.isFurther) {
            labels.put("node-role.kubernetes.io/control-plane", "");
        }
        offer.node.labels().forEach(labels::put);
        var metadata = Json.Obj.builder().put("name", offer.name()).put("labels", labels.build());
        if (offer.isFurther) {
            metadata.put("annotations", Json.Obj.of(FURTHER, Json.of("true")));
        }
        return Json.Obj.builder()
                .put("apiVersion", "v1")
                .put("kind", "Node")
                .put("metadata", metadata.build())
                .put("spec", Json.Obj.EMPTY)
                .put("status", status(offer, Json.Obj.EMPTY, now))
                .build();
    }

    public static Map<String, Quantity> allocatable(Machine machine) {
        return Map.of(
                "cpu", Quantity.of(machine.processors()),
                "memory", kibibytes(machine.memoryBytes()),
                "ephemeral-storage", kibibytes(machine.diskBytes()));
    }

    private static Quantity kibibytes(long bytes) {
        return Quantity.parse(bytes / 1024 + "Ki");
    }

    /// @param old the status before: what did not change keeps its time
    public static Json.Obj status(Offer offer, Json.Obj old, Instant now) {
        var amounts = Json.Obj.builder();
        allocatable(offer.machine).forEach((name, amount) -> amounts.put(name, amount.toString()));
        var capacity = amounts.put("pods", Integer.toString(offer.maxPods)).build();
        return Json.Obj.builder()
                .put("capacity", capacity)
                .put("allocatable", capacity)
                .put("conditions", conditions(offer.abilities, old, now))
                .put(
                        "addresses",
                        Json.Arr.of(address("InternalIP", offer.machine.address()), address("Hostname", offer.name())))
                .put("daemonEndpoints", Json.Obj.of("kubeletEndpoint", Json.Obj.of("Port", Json.of(0))))
                .put("nodeInfo", info(offer))
                .build();
    }

    private static Json.Obj address(String type, String address) {
        return Json.Obj.of("type", Json.of(type), "address", Json.of(address));
    }

    private static Json.Obj info(Offer offer) {
        var machine = offer.machine;
        return Json.Obj.builder()
                .put("machineID", machine.machineId())
                .put("systemUUID", machine.machineId())
                .put("bootID", machine.bootId())
                .put("kernelVersion", machine.kernel())
                .put("osImage", machine.system())
                .put("containerRuntimeVersion", "towtank://" + offer.version)
                .put("kubeletVersion", "v1.35.0")
                .put("kubeProxyVersion", "")
                .put("operatingSystem", "linux")
                .put("architecture", machine.architecture())
                .build();
    }

    private record Condition(String type, boolean value, String reason, String message) {}

    private static Json.Arr conditions(Abilities abilities, Json.Obj old, Instant now) {
        var missing = String.join(" ", abilities.missing());
        var isolation = abilities.isolated()
                ? new Condition("Isolated", true, "Sandboxed", missing.isEmpty() ? "pods are sandboxed" : missing)
                : new Condition(
                        "Isolated", false, "UnsafeHost", "pods are plain processes of this machine, without a sandbox");
        var all = List.of(
                new Condition(
                        "MemoryPressure",
                        false,
                        "KubeletHasSufficientMemory",
                        "kubelet has sufficient memory available"),
                new Condition("DiskPressure", false, "KubeletHasNoDiskPressure", "kubelet has no disk pressure"),
                new Condition("PIDPressure", false, "KubeletHasSufficientPID", "kubelet has sufficient PID available"),
                new Condition("Ready", true, "KubeletReady", "kubelet is posting ready status"),
                isolation);
        return new Json.Arr(
                all.stream().<Json>map(each -> condition(each, old, now)).toList());
    }

    private static Json.Obj condition(Condition condition, Json.Obj old, Instant now) {
        var status = condition.value ? "True" : "False";
        Optional<String> since = old.objects("conditions").stream()
                .filter(each -> each.string("type").equals(condition.type)
                        && each.string("status").equals(status))
                .map(each -> each.string("lastTransitionTime"))
                .findFirst();
        var moment = now.truncatedTo(ChronoUnit.SECONDS).toString();
        return Json.Obj.builder()
                .put("type", condition.type)
                .put("status", status)
                .put("lastHeartbeatTime", moment)
                .put("lastTransitionTime", since.orElse(moment))
                .put("reason", condition.reason)
                .put("message", condition.message)
                .build();
    }
}

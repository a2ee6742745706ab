package dev.towtank.model.kinds.core;

import dev.towtank.model.Column;
import dev.towtank.model.Json;
import java.time.Instant;
import java.util.List;
import java.util.Set;

/// A pod in one line: how many containers are ready, what they are doing, how often they were started again.
///
/// @param ready containers that serve, sidecars included
/// @param lastRestart when the last container ended that was started again, or empty
record PodColumns(int ready, int total, String status, long restarts, String lastRestart) {

    static Column[] columns() {
        return new Column[] {
            Column.ofName(),
            Column.text("Ready", (pod, _) -> Json.of(of(pod).readiness()))
                    .describedAs("The aggregate readiness state of this pod for accepting traffic."),
            Column.text("Status", (pod, _) -> Json.of(of(pod).status))
                    .describedAs("The aggregate status of the containers in this pod."),
            Column.text("Restarts", (pod, now) -> Json.of(of(pod).restartText(now)))
                    .describedAs("The number of times the containers in this pod have been restarted and when the last"
                            + " container in this pod has restarted."),
            Column.ofAge(),
            Column.text("IP", (pod, _) -> Json.of(orNone(ip(pod)))).wide(),
            Column.text("Node", (pod, _) -> Json.of(orNone(pod.string("spec", "nodeName"))))
                    .wide(),
            Column.text("Nominated Node", (pod, _) -> Json.of(orNone(pod.string("status", "nominatedNodeName"))))
                    .wide(),
            Column.text("Readiness Gates", (pod, _) -> Json.of(readinessGates(pod)))
                    .wide()
        };
    }

    static PodColumns of(Json.Obj pod) {
        return new Summary(pod).columns();
    }

    private String readiness() {
        return ready + "/" + total;
    }

    private String restartText(Instant now) {
        return restarts == 0 || lastRestart.isEmpty()
                ? Long.toString(restarts)
                : restarts + " (" + Column.age(lastRestart, now) + " ago)";
    }

    private static String orNone(String text) {
        return text.isEmpty() ? "<none>" : text;
    }

    private static String ip(Json.Obj pod) {
        var ips = pod.objects("status", "podIPs");
        return ips.isEmpty() ? "" : ips.getFirst().string("ip");
    }

    private static String readinessGates(Json.Obj pod) {
        var gates = pod.objects("spec", "readinessGates");
        long open = gates.stream()
                .filter(gate -> hasCondition(pod, gate.string("conditionType")))
                .count();
        return gates.isEmpty() ? "<none>" : open + "/" + gates.size();
    }

    private static boolean hasCondition(Json.Obj pod, String type) {
        return pod.objects("status", "conditions").stream()
                .filter(condition -> condition.string("type").equals(type))
                .findFirst()
                .map(condition -> condition.string("status").equals("True"))
                .orElse(false);
    }

    /// Walks the containers as kubectl's users know it: init containers in order, then the others from the last.
    private static final class Summary {
        private final Json.Obj pod;
        private final List<Json.Obj> initContainers;
        private String status;
        private int ready;
        private long restarts;
        private long sidecarRestarts;
        private String lastRestart = "";
        private String lastSidecarRestart = "";

        Summary(Json.Obj pod) {
            this.pod = pod;
            this.initContainers = pod.objects("spec", "initContainers");
            this.status = firstStatus();
        }

        PodColumns columns() {
            int total = pod.objects("spec", "containers").size()
                    + (int) initContainers.stream().filter(Summary::isSidecar).count();
            var initializing = walkInitContainers();
            if (!initializing || hasCondition(pod, "Initialized")) {
                walkContainers();
            }
            return new PodColumns(ready, total, finalStatus(), restarts, lastRestart);
        }

        private String firstStatus() {
            var gated = pod.objects("status", "conditions").stream()
                    .anyMatch(condition -> condition.string("type").equals("PodScheduled")
                            && condition.string("reason").equals("SchedulingGated"));
            if (gated) {
                return "SchedulingGated";
            }
            var reason = pod.string("status", "reason");
            return reason.isEmpty() ? pod.string("status", "phase") : reason;
        }

        private String finalStatus() {
            if (!(pod.at("metadata", "deletionTimestamp") instanceof Json.Str)) {
                return status;
            }
            if (pod.string("status", "reason").equals("NodeLost")) {
                return "Unknown";
            }
            return Set.of("Succeeded", "Failed").contains(pod.string("status", "phase")) ? status : "Terminating";
        }

        private static boolean isSidecar(Json.Obj container) {
            return container.string("restartPolicy").equals("Always");
        }

        private boolean isSidecar(String name) {
            return initContainers.stream()
                    .anyMatch(container -> container.string("name").equals(name) && isSidecar(container));
        }

        /// Whether one of them keeps the pod from starting.
        private boolean walkInitContainers() {
            var statuses = pod.objects("status", "initContainerStatuses");
            for (int i = 0; i < statuses.size(); i++) {
                var container = statuses.get(i);
                var sidecar = isSidecar(container.string("name"));
                restarts += container.integer("restartCount");
                lastRestart = later(lastRestart, finishedAt(container));
                if (sidecar) {
                    sidecarRestarts += container.integer("restartCount");
                    lastSidecarRestart = later(lastSidecarRestart, finishedAt(container));
                }
                var terminated = container.at("state", "terminated") instanceof Json.Obj;
                if (terminated && container.integer("state", "terminated", "exitCode") == 0) {
                    continue;
                }
                if (sidecar && container.flag("started")) {
                    ready += container.flag("ready") ? 1 : 0;
                    continue;
                }
                status = "Init:" + initReason(container, terminated, i);
                return true;
            }
            return false;
        }

        private String initReason(Json.Obj container, boolean terminated, int index) {
            if (terminated) {
                return endReason(container.object("state", "terminated"));
            }
            var waiting = container.string("state", "waiting", "reason");
            return waiting.isEmpty() || waiting.equals("PodInitializing")
                    ? index + "/" + initContainers.size()
                    : waiting;
        }

        private static String endReason(Json.Obj terminated) {
            if (!terminated.string("reason").isEmpty()) {
                return terminated.string("reason");
            }
            return terminated.integer("signal") != 0
                    ? "Signal:" + terminated.integer("signal")
                    : "ExitCode:" + terminated.integer("exitCode");
        }

        private void walkContainers() {
            restarts = sidecarRestarts;
            lastRestart = lastSidecarRestart;
            var running = false;
            var failure = "";
            for (var container : pod.objects("status", "containerStatuses").reversed()) {
                restarts += container.integer("restartCount");
                lastRestart = later(lastRestart, finishedAt(container));
                if (!container.string("state", "waiting", "reason").isEmpty()) {
                    status = container.string("state", "waiting", "reason");
                } else if (container.at("state", "terminated") instanceof Json.Obj terminated) {
                    status = endReason(terminated);
                    failure = terminated.integer("exitCode") != 0 ? status : failure;
                } else if (container.flag("ready") && container.at("state", "running") instanceof Json.Obj) {
                    running = true;
                    ready++;
                }
            }
            if (status.equals("Completed")) {
                status = afterCompletion(running, failure);
            }
        }

        // One container has done its work; the pod is judged by the others.
        private String afterCompletion(boolean running, String failure) {
            if (running && hasCondition(pod, "Ready")) {
                return "Running";
            }
            if (!failure.isEmpty()) {
                return failure;
            }
            return running ? "NotReady" : "Completed";
        }

        private static String finishedAt(Json.Obj container) {
            return container.string("lastState", "terminated", "finishedAt");
        }

        private static String later(String one, String other) {
            return one.compareTo(other) >= 0 ? one : other;
        }
    }
}

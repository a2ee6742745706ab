package dev.towtank.controllers.workloads;

import dev.towtank.cluster.Change;
import dev.towtank.cluster.Controller;
import dev.towtank.cluster.Plan;
import dev.towtank.controllers.workloads.pods.Pod;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.Resource;
import dev.towtank.model.YamlText;
import dev.towtank.model.kinds.core.Pods;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Function;

/// Gives pods the status that a node would give them.
final class FakeNode {

    private FakeNode() {}

    /// @param phase what becomes of a pod; nothing for one that is left alone
    static Controller<Json.Obj, Optional<String>> that(Function<Pod, Optional<String>> phase) {
        return Controller.of(
                "fake-node",
                Pods.KIND,
                pod -> phase.apply(new Pod(pod.object())),
                (pod, wanted, now) -> wanted.filter(next -> !new Pod(pod.object()).isFinished()
                                && !new Pod(pod.object()).phase().equals(next))
                        .map(next -> Plan.of(new Change.SetStatus(Pods.KIND, pod.object(), status(next, now))))
                        .orElse(Plan.none()));
    }

    static Controller<Json.Obj, Optional<String>> thatRunsAll() {
        return that(_ -> Optional.of("Running"));
    }

    static Json.Obj status(String phase, Instant now) {
        return JsonText.parseObject("""
                {"phase":"%s","podIP":"127.0.0.9","podIPs":[{"ip":"127.0.0.9"}],"startTime":"%s","conditions":[
                 {"type":"Ready","status":"%s","lastTransitionTime":"%s"}],
                 "containerStatuses":[{"name":"main","restartCount":0,"state":%s}]}""".formatted(
                        phase,
                        now,
                        phase.equals("Running") ? "True" : "False",
                        now,
                        phase.equals("Running")
                                ? "{\"running\":{}}"
                                : "{\"terminated\":{\"exitCode\":%d,\"finishedAt\":\"%s\"}}"
                                        .formatted(phase.equals("Failed") ? 1 : 0, now)));
    }

    static Resource object(String yaml) {
        return Resource.of((Json.Obj) YamlText.parse(yaml));
    }
}

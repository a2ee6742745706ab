package dev.towtank.controllers.pipelines.stories;

import dev.towtank.cluster.Cluster;
import dev.towtank.cluster.Selection;
import dev.towtank.cluster.testing.FakeCluster;
import dev.towtank.controllers.pipelines.taskruns.TektonImages;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.Resource;
import dev.towtank.model.kinds.core.Pods;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Runs pods the way a story tells: what it does not mention succeeds.
///
/// ```yaml
/// t-pod/step-a: {exitCode: 3}                  # and those after it are skipped
/// t-pod/step-b: {results: {r: hello}}
/// t-pod/step-c: {continued: 2}                 # failed, and was forgiven
/// t-pod/step-d: {runs: true}                   # for ever
/// t-pod/step-e: {waiting: {reason: ErrImagePull, message: no such image}}
/// t-pod/step-f: {terminated: {exitCode: 137, reason: OOMKilled}}
/// t-pod/sidecar-g: {exitCode: 0, log: what it said}
/// ```
final class PlayedNode {

    private final FakeCluster cluster;
    private final Map<String, String> ran = new HashMap<>();
    private Json.Obj steps;

    PlayedNode(FakeCluster cluster, Json.Obj steps) {
        this.cluster = cluster;
        this.steps = steps;
    }

    /// What ran for ever succeeds.
    void end(String container) {
        steps = steps.without(container);
    }

    String log(Resource pod, String container) {
        return steps.object(pod.name() + "/" + container).string("log");
    }

    boolean play() {
        boolean changed = false;
        for (var pod : cluster.list(Pods.KIND, Selection.EVERYWHERE).items()) {
            var status = status(pod);
            if (!status.equals(pod.status())) {
                cluster.update(Pods.KIND, pod.with(pod.json().with("status", status)), Cluster.WriteOptions.STATUS);
                changed = true;
            }
        }
        return changed;
    }

    List<String> ran() {
        return ran.values().stream().sorted().toList();
    }

    private Json.Obj status(Resource pod) {
        var phase = pod.status().string("phase");
        if (phase.isEmpty()) {
            return Json.Obj.of("phase", Json.of("Pending"));
        }
        if (phase.equals("Succeeded") || phase.equals("Failed")) {
            return pod.status();
        }
        ran.put(pod.uid(), pod.name());
        var states = new ArrayList<Json>();
        boolean isOver = true;
        boolean hasFailed = false;
        boolean isStopped = false;
        for (var container : pod.spec().objects("containers")) {
            var name = container.string("name");
            var told = steps.object(pod.name() + "/" + name);
            var state = state(container, told, isStopped);
            states.add(Json.Obj.builder()
                    .put("name", name)
                    .put("image", container.string("image"))
                    .put("ready", state.has("running"))
                    .put("state", state)
                    .build());
            if (name.startsWith("step-")) {
                isOver &= state.has("terminated");
                hasFailed |= state.integer("terminated", "exitCode") != 0;
                isStopped |= hasFailed;
            } else {
                isOver &= state.has("terminated");
            }
        }
        return Json.Obj.of(
                "phase",
                Json.of(isOver ? hasFailed ? "Failed" : "Succeeded" : "Running"),
                "containerStatuses",
                new Json.Arr(states));
    }

    private static Json.Obj state(Json.Obj container, Json.Obj told, boolean isStopped) {
        if (told.has("waiting") || told.has("terminated")) {
            return told;
        }
        boolean isSidecar = !container.string("name").startsWith("step-");
        boolean isReplaced = container.string("image").equals(TektonImages.OWN.nop());
        if (told.flag("runs") || (isSidecar && !isReplaced && !told.has("exitCode"))) {
            return Json.Obj.of("running", Json.Obj.EMPTY);
        }
        var entries = new ArrayList<Json>();
        told.object("results").forEach((name, value) -> entries.add(entry(name, value, 1)));
        if (isStopped) {
            entries.add(entry("Reason", Json.of("Skipped"), 3));
        } else if (told.has("continued")) {
            entries.add(entry("ExitCode", Json.of(String.valueOf(told.integer("continued"))), 3));
        }
        told.object("internal").forEach((name, value) -> entries.add(entry(name, value, 3)));
        long code = isStopped ? 1 : told.integer("exitCode");
        return Json.Obj.of(
                "terminated",
                Json.Obj.of(
                        "exitCode", Json.of(code),
                        "reason", Json.of(code == 0 ? "Completed" : "Error"),
                        "message", Json.of(JsonText.write(new Json.Arr(entries)))));
    }

    private static Json.Obj entry(String key, Json value, int type) {
        var text = value instanceof Json.Str(var plain) ? plain : JsonText.write(value);
        return Json.Obj.of("key", Json.of(key), "value", Json.of(text), "type", Json.of(type));
    }
}

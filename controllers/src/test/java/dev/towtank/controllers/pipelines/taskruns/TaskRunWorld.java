package dev.towtank.controllers.pipelines.taskruns;

import dev.towtank.cluster.Caches;
import dev.towtank.cluster.Cluster;
import dev.towtank.cluster.IndexedCache;
import dev.towtank.cluster.ObjectName;
import dev.towtank.cluster.Plan;
import dev.towtank.cluster.Selection;
import dev.towtank.cluster.loop.EventRecorder;
import dev.towtank.cluster.loop.PlanExecutor;
import dev.towtank.cluster.pods.ImageCommands;
import dev.towtank.cluster.testing.FakeCluster;
import dev.towtank.cluster.testing.FakeTimers;
import dev.towtank.controllers.pipelines.runs.PipelineKinds;
import dev.towtank.controllers.pipelines.runs.PodLogs;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.Resource;
import dev.towtank.model.YamlText;
import dev.towtank.model.kinds.core.Pods;
import java.util.List;

/// A cluster in which a TaskRun lives, and a hand that plays its node.
final class TaskRunWorld {

    static final String NAMESPACE = "ns";
    private static final Kind<Json.Obj> EVENTS = Kind.namespaced("", "v1", "Event", "events");

    final FakeTimers timers = new FakeTimers();
    final FakeCluster cluster = new FakeCluster(timers);
    private final PlanExecutor executor = new PlanExecutor(cluster, new EventRecorder(cluster, timers, "test"), "test");

    void given(Kind<?> kind, String yaml) {
        var json = (Json.Obj) YamlText.parse(yaml);
        var metadata = json.object("metadata");
        if (!metadata.has("namespace")) {
            metadata = metadata.with("namespace", Json.of(NAMESPACE));
        }
        cluster.create(
                kind,
                Resource.of(json.with("apiVersion", Json.of(kind.apiVersion()))
                        .with("kind", Json.of(kind.kind()))
                        .with("metadata", metadata)),
                Cluster.WriteOptions.DEFAULT);
    }

    private Caches caches() {
        return kind -> {
            var cache = new IndexedCache();
            cluster.list(kind, Selection.EVERYWHERE).items().forEach(cache::put);
            return cache;
        };
    }

    Plan look(String name) {
        var controller = TaskRunController.of(caches(), TektonImages.OWN, ImageCommands.UNKNOWN, PodLogs.SILENT);
        return controller.decide(run(name), timers.instant());
    }

    /// Looks and acts until there is nothing more to do.
    void settle(String name) {
        for (int round = 0; round < 20; round++) {
            var plan = look(name);
            if (plan.changes().isEmpty()) {
                return;
            }
            executor.execute(plan);
        }
        throw new AssertionError("does not settle: " + look(name));
    }

    Resource run(String name) {
        return cluster.get(PipelineKinds.TASK_RUN, ObjectName.of(NAMESPACE, name))
                .orElseThrow();
    }

    Resource pod(String name) {
        return cluster.get(Pods.KIND, ObjectName.of(NAMESPACE, name)).orElseThrow();
    }

    void podStatus(String name, String yaml) {
        var pod = pod(name);
        cluster.update(
                Pods.KIND, pod.with(pod.json().with("status", YamlText.parse(yaml))), Cluster.WriteOptions.STATUS);
    }

    void patchRun(String name, String path, String value) {
        var run = run(name);
        cluster.update(
                PipelineKinds.TASK_RUN,
                run.with(run.json().with(List.of("spec", path), Json.of(value))),
                Cluster.WriteOptions.DEFAULT);
    }

    Json.Obj condition(String name) {
        return run(name).status().objects("conditions").getFirst();
    }

    String outcome(String name) {
        var condition = condition(name);
        return condition.string("status") + "/" + condition.string("reason") + ": " + condition.string("message");
    }

    List<String> events() {
        return cluster.list(EVENTS, Selection.EVERYWHERE).items().stream()
                .map(event -> event.json().string("type") + " " + event.json().string("reason"))
                .toList();
    }
}

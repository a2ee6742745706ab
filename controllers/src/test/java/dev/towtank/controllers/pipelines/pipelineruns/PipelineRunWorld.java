package dev.towtank.controllers.pipelines.pipelineruns;

import dev.towtank.cluster.Caches;
import dev.towtank.cluster.Cluster;
import dev.towtank.cluster.Controller;
import dev.towtank.cluster.IndexedCache;
import dev.towtank.cluster.ObjectName;
import dev.towtank.cluster.Plan;
import dev.towtank.cluster.Selection;
import dev.towtank.cluster.loop.EventRecorder;
import dev.towtank.cluster.loop.PlanExecutor;
import dev.towtank.cluster.testing.FakeCluster;
import dev.towtank.cluster.testing.FakeTimers;
import dev.towtank.controllers.pipelines.api.PipelineRun;
import dev.towtank.controllers.pipelines.runs.PipelineKinds;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.Resource;
import dev.towtank.model.YamlText;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// A cluster in which a PipelineRun lives, and a hand that plays its TaskRuns.
final class PipelineRunWorld {

    private static final String NAMESPACE = "ns";
    private static final Kind<Json.Obj> EVENTS = Kind.namespaced("", "v1", "Event", "events");

    final FakeTimers timers = new FakeTimers();
    final FakeCluster cluster = new FakeCluster(timers);
    private final PlanExecutor executor = new PlanExecutor(cluster, new EventRecorder(cluster, timers, "test"), "test");
    private final Map<Kind<?>, IndexedCache> caches = new HashMap<>();
    private final Controller<PipelineRun, PipelineRunFacts> controller = PipelineRunController.of(caches());

    void given(Kind<?> kind, String yaml) {
        var json = (Json.Obj) YamlText.parse(yaml);
        var metadata = json.object("metadata").with("namespace", Json.of(NAMESPACE));
        cluster.create(
                kind,
                Resource.of(json.with("apiVersion", Json.of(kind.apiVersion()))
                        .with("kind", Json.of(kind.kind()))
                        .with("metadata", metadata)),
                Cluster.WriteOptions.DEFAULT);
    }

    private Caches caches() {
        return kind -> caches.computeIfAbsent(kind, _ -> new IndexedCache());
    }

    private void refresh() {
        caches.forEach((kind, cache) -> {
            var now = cluster.list(kind, Selection.EVERYWHERE).items();
            List.copyOf(cache.list()).forEach(old -> cache.remove(ObjectName.of(old)));
            now.forEach(cache::put);
        });
    }

    Plan look(String name) {
        refresh();
        return controller.decide(run(name), timers.instant());
    }

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
        return cluster.get(PipelineKinds.PIPELINE_RUN, ObjectName.of(NAMESPACE, name))
                .orElseThrow();
    }

    Resource taskRun(String name) {
        return cluster.get(PipelineKinds.TASK_RUN, ObjectName.of(NAMESPACE, name))
                .orElseThrow();
    }

    List<String> taskRuns() {
        return cluster.list(PipelineKinds.TASK_RUN, Selection.EVERYWHERE).items().stream()
                .map(Resource::name)
                .toList();
    }

    /// Plays a TaskRun to its end and lets the PipelineRun see it.
    void end(String taskRun, String status, String reason, String... results) {
        end(PipelineKinds.TASK_RUN, taskRun, status, reason, results);
    }

    void end(Kind<?> kind, String name, String status, String reason, String... results) {
        var run = cluster.get(kind, ObjectName.of(NAMESPACE, name)).orElseThrow();
        var all = Json.Arr.EMPTY;
        for (var result : results) {
            int equals = result.indexOf('=');
            all = all.plus(Json.Obj.of(
                    "name",
                    Json.of(result.substring(0, equals)),
                    "value",
                    YamlText.parse(result.substring(equals + 1))));
        }
        var json = Json.Obj.of(
                "conditions",
                Json.Arr.of(Json.Obj.of(
                        "type", Json.of("Succeeded"), "status", Json.of(status), "reason", Json.of(reason))),
                "results",
                all);
        cluster.update(kind, run.with(run.json().with("status", json)), Cluster.WriteOptions.STATUS);
        settle(parent(run));
    }

    private static String parent(Resource run) {
        return run.controller().orElseThrow().name();
    }

    void succeed(String taskRun, String... results) {
        end(taskRun, "True", "Succeeded", results);
    }

    void fail(String taskRun) {
        end(taskRun, "False", "StepFailed");
    }

    void patch(String name, String path, String value) {
        var run = run(name);
        cluster.update(
                PipelineKinds.PIPELINE_RUN,
                run.with(run.json().with(List.of("spec", path), Json.of(value))),
                Cluster.WriteOptions.DEFAULT);
        settle(name);
    }

    String outcome(String name) {
        var condition = run(name).status().objects("conditions").getFirst();
        return condition.string("status") + "/" + condition.string("reason") + ": " + condition.string("message");
    }

    Map<String, String> skipped(String name) {
        var all = new HashMap<String, String>();
        run(name).status().objects("skippedTasks").forEach(task -> all.put(task.string("name"), task.string("reason")));
        return all;
    }

    List<String> events() {
        return cluster.list(EVENTS, Selection.EVERYWHERE).items().stream()
                .map(event -> event.json().string("type") + " " + event.json().string("reason"))
                .toList();
    }
}

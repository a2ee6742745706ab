package dev.towtank.controllers.pipelines.stories;

import dev.towtank.cluster.Caches;
import dev.towtank.cluster.Cluster;
import dev.towtank.cluster.Controller;
import dev.towtank.cluster.IndexedCache;
import dev.towtank.cluster.ObjectName;
import dev.towtank.cluster.Outside.Answer;
import dev.towtank.cluster.Selection;
import dev.towtank.cluster.loop.EventRecorder;
import dev.towtank.cluster.loop.PlanExecutor;
import dev.towtank.cluster.pods.ImageCommands;
import dev.towtank.cluster.testing.Answers;
import dev.towtank.cluster.testing.CrashingCluster;
import dev.towtank.cluster.testing.FakeCluster;
import dev.towtank.cluster.testing.FakeTimers;
import dev.towtank.controllers.pipelines.PipelinesFeature;
import dev.towtank.controllers.pipelines.resolution.ResolutionController;
import dev.towtank.controllers.pipelines.runs.PipelineKinds;
import dev.towtank.controllers.pipelines.source.Resolver;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.Resource;
import dev.towtank.model.StatusError;
import dev.towtank.model.YamlText;
import dev.towtank.model.crd.KindBehaviour;
import dev.towtank.model.kinds.core.ConfigMaps;
import dev.towtank.model.kinds.core.PersistentVolumeClaims;
import dev.towtank.model.kinds.core.Pods;
import dev.towtank.model.kinds.core.Secrets;
import dev.towtank.model.kinds.core.ServiceAccounts;
import java.io.IOException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/// A cluster with Tekton in it, whose node is played by hand.
final class Stage {

    static final String NAMESPACE = "ns";
    private static final int MOST_ROUNDS = 200;
    private static final Kind<Json.Obj> EVENTS = Kind.namespaced("", "v1", "Event", "events");
    private static final List<Kind<?>> KINDS = List.of(
            PipelineKinds.TASK,
            PipelineKinds.PIPELINE,
            PipelineKinds.STEP_ACTION,
            PipelineKinds.TASK_RUN,
            PipelineKinds.PIPELINE_RUN,
            PipelineKinds.CUSTOM_RUN,
            PipelineKinds.RESOLUTION_REQUEST,
            Pods.KIND,
            ConfigMaps.KIND,
            Secrets.KIND,
            ServiceAccounts.KIND,
            PersistentVolumeClaims.KIND,
            EVENTS);

    final FakeTimers timers = new FakeTimers();
    final FakeCluster cluster = new FakeCluster(timers);
    private final PlayedNode node;
    private final Answers outside;
    private final CrashingCluster crashing = new CrashingCluster(cluster);
    private final PlanExecutor executor =
            new PlanExecutor(crashing, new EventRecorder(crashing, timers, "test"), "test");

    /// @param steps how containers end, by `pod/container`
    /// @param outside what resolvers find, by their type
    Stage(Json.Obj steps, Answers outside) {
        this.node = new PlayedNode(cluster, steps);
        this.outside = outside;
    }

    /// Lets the controllers die once, after as many writes. They begin anew with what is written down.
    void crashAfter(int writes) {
        crashing.crashAfter(writes);
    }

    /// How many writes the controllers have made.
    int writes() {
        return crashing.writes();
    }

    /// The pods that ran, as often as one of their name did.
    List<String> ran() {
        return node.ran();
    }

    void end(String container) {
        node.end(container);
    }

    static Kind<?> kind(String name) {
        return KINDS.stream()
                .filter(kind -> kind.kind().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no kind " + name));
    }

    private PipelinesFeature feature() {
        return new PipelinesFeature(_ -> resolvers());
    }

    private Map<String, Resolver> resolvers() {
        var all = new HashMap<String, Resolver>();
        all.put("canned", question -> answer(question.required("yaml")));
        for (var type : outside.told().keys()) {
            all.put(type, question -> answer(ask(type, question)));
        }
        return all;
    }

    private static Resolver.Answer answer(String text) {
        return new Resolver.Answer(text, Json.Obj.of("uri", Json.of("canned"), "entryPoint", Json.of("here")));
    }

    /// Questions are the params, answers are definitions.
    private String ask(String type, Resolver.Question question) throws Resolver.Problem, InterruptedException {
        var params = new LinkedHashMap<String, Json>();
        new TreeMap<>(question.params()).forEach((name, value) -> params.put(name, Json.of(value)));
        try {
            return YamlText.write(outside.ask(type, Json.Obj.copyOf(params)));
        } catch (IOException e) {
            throw new Resolver.Problem(String.valueOf(e.getMessage()));
        }
    }

    private List<Controller<?, ?>> controllers(PipelinesFeature feature) {
        return feature.controllers(
                caches(),
                ImageCommands.UNKNOWN,
                (_, pod, container) -> new Answer.Known<>(node.log(pod, container), timers.instant()),
                new ResolutionController(caches(), resolvers(), timers, Runnable::run));
    }

    private Caches caches() {
        return kind -> {
            var cache = new IndexedCache();
            cluster.list(kind, Selection.EVERYWHERE).items().forEach(cache::put);
            return cache;
        };
    }

    /// As the server takes an object: completed, or refused.
    Optional<StatusError> create(Json.Obj given) {
        var kind = kind(given.string("kind"));
        var metadata = given.object("metadata");
        var object = given.with(
                "metadata", metadata.has("namespace") ? metadata : metadata.with("namespace", Json.of(NAMESPACE)));
        var behaviour = behaviour(object);
        var complete =
                behaviour.map(each -> each.defaults(each.prepareCreate(object))).orElse(object);
        var refusal = behaviour.flatMap(each -> each.refusal(complete, null));
        if (refusal.isEmpty()) {
            cluster.create(kind, Resource.of(complete), Cluster.WriteOptions.DEFAULT);
        }
        return refusal;
    }

    private Optional<KindBehaviour> behaviour(Json.Obj object) {
        var feature = feature();
        controllers(feature); // it reads the settings of now
        return feature.behaviours().stream()
                .filter(each -> each.kind().equals(object.string("kind")))
                .findFirst();
    }

    /// Lets everybody act until there is nothing more to do.
    void settle() {
        for (int round = 0; round < MOST_ROUNDS; round++) {
            boolean changed = node.play();
            for (var controller : controllers(feature())) {
                changed |= act(controller);
            }
            if (!changed) {
                return;
            }
        }
        throw new AssertionError("does not settle");
    }

    private boolean act(Controller<?, ?> controller) {
        boolean changed = false;
        for (var object : cluster.list(controller.kind(), Selection.EVERYWHERE).items()) {
            var plan = controller.decide(object, timers.instant());
            if (!plan.changes().isEmpty()) {
                try {
                    executor.execute(plan);
                } catch (CrashingCluster.Crash e) {
                    crashing.heal();
                    return true;
                }
                changed = true;
            }
        }
        return changed;
    }

    Optional<Resource> find(String kind, String name) {
        return cluster.get(kind(kind), ObjectName.of(NAMESPACE, name));
    }

    void update(String kind, Resource object, boolean isStatus) {
        cluster.update(kind(kind), object, isStatus ? Cluster.WriteOptions.STATUS : Cluster.WriteOptions.DEFAULT);
    }

    void delete(String kind, String name) {
        cluster.delete(kind(kind), ObjectName.of(NAMESPACE, name), Cluster.DeleteOptions.DEFAULT);
    }

    List<String> told(String about) {
        return events().filter(event -> about.equals(
                        event.string("involvedObject", "kind") + "/" + event.string("involvedObject", "name")))
                .map(event -> event.string("type") + " " + event.string("reason") + " " + event.string("message")
                        + (event.integer("count") > 1 ? " ×" + event.integer("count") : ""))
                .toList();
    }

    Stream<Json.Obj> events() {
        return cluster.list(EVENTS, Selection.EVERYWHERE).items().stream().map(Resource::json);
    }
}

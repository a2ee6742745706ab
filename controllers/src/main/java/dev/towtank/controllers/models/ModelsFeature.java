package dev.towtank.controllers.models;

import dev.towtank.cluster.Cache;
import dev.towtank.cluster.Controller;
import dev.towtank.cluster.Definitions;
import dev.towtank.cluster.Feature;
import dev.towtank.cluster.Meters;
import dev.towtank.cluster.ObjectName;
import dev.towtank.cluster.Observer;
import dev.towtank.cluster.Outside;
import dev.towtank.cluster.Permission;
import dev.towtank.cluster.Place;
import dev.towtank.cluster.Running;
import dev.towtank.cluster.Trigger;
import dev.towtank.cluster.web.Endpoint;
import dev.towtank.cluster.web.WebResponse;
import dev.towtank.controllers.models.api.Drift;
import dev.towtank.controllers.models.api.ModelKinds;
import dev.towtank.controllers.models.source.DriftReader;
import dev.towtank.controllers.models.source.Messenger;
import dev.towtank.controllers.serving.api.Routes;
import dev.towtank.controllers.serving.api.ServingKinds;
import dev.towtank.controllers.serving.api.ServingPods;
import dev.towtank.model.Durations;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.model.crd.KindBehaviour;
import dev.towtank.model.kinds.core.Pods;
import dev.towtank.model.kinds.core.Services;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Models with versions.
public final class ModelsFeature implements Feature {

    private static final Duration BETWEEN_READINGS = Duration.ofSeconds(2);

    @Override
    public String name() {
        return "models";
    }

    @Override
    public Definitions definitions() {
        return Definitions.of(ModelsFeature.class, "crds/models.yaml", "crds/drift.yaml", "crds/roles.yaml");
    }

    @Override
    public List<KindBehaviour> behaviours() {
        return List.of(new ModelRules(), new AddressRules(ModelKinds.MODEL), new AddressRules(ModelKinds.DRIFT_POLICY));
    }

    @Override
    public List<Permission> permissions() {
        return Permission.read("""
                read | towtank.dev | models driftpolicies
                read delete | towtank.dev | modelversions
                update patch | towtank.dev | models/status modelversions/status driftpolicies/status models/finalizers
                read patch | serving.kserve.io | inferenceservices
                read create delete | core | pods
                read | core | services
                """);
    }

    @Override
    public Map<String, String> programs() {
        return Map.of("towtank-gate", "gate.py");
    }

    @Override
    public Running start(Place place) {
        var world = new World(place);
        var rollouts =
                place.meters().counter("model_rollout_total", "What became of versions of models", "model", "result");
        var reader = new DriftReader(place.timers());
        var drift = new Outside<>("drift", reader, Outside.Limits.USUAL.freshFor(BETWEEN_READINGS), place.timers());
        var messenger = new Messenger(place.timers());
        return Running.of(
                        models(world).doing(ModelDeed.class, deed -> world.tell(messenger, deed)),
                        policies(world, drift).doing(ModelDeed.class, deed -> world.tell(messenger, deed)))
                .observing(List.of(Observer.of(ModelKinds.MODEL, (before, now) -> count(rollouts, before, now))))
                .serving(Endpoint.authorized(
                        "/models/metrics",
                        _ -> WebResponse.of(
                                200,
                                "text/plain; version=0.0.4; charset=utf-8",
                                ModelSeries.of(world.versions.list(), world.policies.list())
                                        .getBytes(StandardCharsets.UTF_8))))
                .closing(messenger::close)
                .closing(reader::close)
                .closing(drift::close);
    }

    private static Controller<Json.Obj, ModelFacts> models(World world) {
        return Controller.of(
                        "model-controller",
                        ModelKinds.MODEL,
                        observed -> world.around(observed.object()),
                        new ModelReconciler())
                .wokenBy(Trigger.of(
                        ModelKinds.MODEL_VERSION,
                        version -> List.of(new ObjectName(
                                version.cluster(),
                                version.namespace(),
                                version.spec().string("model")))))
                .wokenBy(Trigger.owned(Pods.KIND, ModelKinds.MODEL))
                .wokenBy(Trigger.of(ServingKinds.INFERENCE_SERVICE, world::servedBy));
    }

    private static Controller<Json.Obj, DriftFacts> policies(
            World world, Outside<Drift.Question, Drift.Reading> drift) {
        return Controller.of(
                        "drift-controller",
                        ModelKinds.DRIFT_POLICY,
                        observed -> world.around(observed.object(), drift),
                        new DriftReconciler())
                .wokenBy(drift)
                .wokenBy(Trigger.of(Pods.KIND, world::watching));
    }

    /// Where facts come from.
    private static final class World {
        private final Cache models;
        private final Cache versions;
        private final Cache policies;
        private final Cache inference;
        private final Cache pods;
        private final Cache services;

        World(Place place) {
            var caches = place.caches();
            models = caches.of(ModelKinds.MODEL);
            versions = caches.of(ModelKinds.MODEL_VERSION);
            policies = caches.of(ModelKinds.DRIFT_POLICY);
            inference = caches.of(ServingKinds.INFERENCE_SERVICE);
            pods = caches.of(Pods.KIND);
            services = caches.of(Services.KIND);
        }

        ModelFacts around(Resource model) {
            return new ModelFacts(
                    versions.in(model.cluster(), model.namespace()).stream()
                            .filter(version -> version.spec().string("model").equals(model.name()))
                            .toList(),
                    inference.get(
                            new ObjectName(model.cluster(), model.namespace(), ModelReconciler.serviceName(model))),
                    pods.get(new ObjectName(model.cluster(), model.namespace(), ModelLink.podName(model)))
                            .filter(pod -> pod.controller()
                                    .filter(owner -> owner.uid().equals(model.uid()))
                                    .isPresent()));
        }

        /// The pods of a policy's model are asked only while they serve.
        DriftFacts around(Resource policy, Outside<Drift.Question, Drift.Reading> drift) {
            var service = serviceOf(policy);
            var targets = pods.in(policy.cluster(), policy.namespace()).stream()
                    .filter(pod -> service.equals(pod.labels().get(ServingKinds.SERVICE_LABEL)))
                    .filter(ServingPods::isReady)
                    .map(ServingPods::target)
                    .sorted(Comparator.comparing(Routes.Target::pod))
                    .toList();
            if (targets.isEmpty()) {
                return new DriftFacts(service, Optional.empty());
            }
            var window = policy.spec().string("window");
            var question = new Drift.Question(service, targets, Durations.parse(window.isEmpty() ? "1h" : window));
            return new DriftFacts(service, Optional.of(drift.ask(ObjectName.of(policy), question)));
        }

        private String serviceOf(Resource policy) {
            var name = policy.spec().string("model");
            return models.get(new ObjectName(policy.cluster(), policy.namespace(), name))
                    .map(ModelReconciler::serviceName)
                    .orElse(name);
        }

        List<ObjectName> servedBy(Resource service) {
            return models.in(service.cluster(), service.namespace()).stream()
                    .filter(model -> ModelReconciler.serviceName(model).equals(service.name()))
                    .map(ObjectName::of)
                    .toList();
        }

        List<ObjectName> watching(Resource pod) {
            var service = pod.labels().getOrDefault(ServingKinds.SERVICE_LABEL, "");
            return service.isEmpty()
                    ? List.of()
                    : policies.in(pod.cluster(), pod.namespace()).stream()
                            .filter(policy -> serviceOf(policy).equals(service))
                            .map(ObjectName::of)
                            .toList();
        }

        Json tell(Messenger messenger, ModelDeed deed) throws InterruptedException {
            return Json.of(
                    messenger.post(WebAddress.resolved(deed.address(), services.list()), deed.headers(), deed.body()));
        }
    }

    /// What is new in a model's history, as a counter.
    private static void count(Meters.Count rollouts, @Nullable Resource before, @Nullable Resource now) {
        if (before != null && now != null) {
            ModelHistory.of(now)
                    .after(ModelHistory.of(before).last())
                    .forEach(entry -> rollouts.count(now.name(), entry.string("type")));
        }
    }
}

package dev.towtank.controllers.models;

import dev.towtank.cluster.Cache;
import dev.towtank.cluster.Controller;
import dev.towtank.cluster.Definitions;
import dev.towtank.cluster.Feature;
import dev.towtank.cluster.Meters;
import dev.towtank.cluster.ObjectName;
import dev.towtank.cluster.Observer;
import dev.towtank.cluster.Permission;
import dev.towtank.cluster.Place;
import dev.towtank.cluster.Running;
import dev.towtank.cluster.Trigger;
import dev.towtank.cluster.web.Endpoint;
import dev.towtank.cluster.web.WebResponse;
import dev.towtank.controllers.models.api.ModelKinds;
import dev.towtank.controllers.serving.api.ServingKinds;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.model.crd.KindBehaviour;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Models with versions.
public final class ModelsFeature implements Feature {

    @Override
    public String name() {
        return "models";
    }

    @Override
    public Definitions definitions() {
        return Definitions.of(ModelsFeature.class, "crds/models.yaml", "crds/roles.yaml");
    }

    @Override
    public List<KindBehaviour> behaviours() {
        return List.of(new ModelRules());
    }

    @Override
    public List<Permission> permissions() {
        return Permission.read("""
                read | towtank.dev | models
                read delete | towtank.dev | modelversions
                update patch | towtank.dev | models/status modelversions/status
                read | serving.kserve.io | inferenceservices
                create update patch | core events.k8s.io | events
                """);
    }

    @Override
    public Map<String, String> programs() {
        return Map.of("towtank-gate", "gate.py");
    }

    @Override
    public Running start(Place place) {
        var versions = place.caches().of(ModelKinds.MODEL_VERSION);
        var rollouts = place.meters()
                .counter(
                        "model_rollout_total",
                        "Models that began to serve, by whether they had served before",
                        "model",
                        "result");
        return Running.of(models(place, versions))
                .observing(List.of(Observer.of(ModelKinds.MODEL, (before, now) -> count(rollouts, before, now))))
                .serving(Endpoint.authorized(
                        "/models/metrics",
                        _ -> WebResponse.of(
                                200,
                                "text/plain; version=0.0.4; charset=utf-8",
                                ModelSeries.of(versions.list()).getBytes(StandardCharsets.UTF_8))));
    }

    private static Controller<Json.Obj, ModelFacts> models(Place place, Cache versions) {
        var models = place.caches().of(ModelKinds.MODEL);
        var services = place.caches().of(ServingKinds.INFERENCE_SERVICE);
        return Controller.of(
                        "model-controller",
                        ModelKinds.MODEL,
                        observed -> {
                            var model = observed.object();
                            return new ModelFacts(
                                    versions.in(model.cluster(), model.namespace()).stream()
                                            .filter(version -> version.spec()
                                                    .string("model")
                                                    .equals(model.name()))
                                            .toList(),
                                    services.get(new ObjectName(
                                            model.cluster(), model.namespace(), ModelReconciler.serviceName(model))));
                        },
                        new ModelReconciler())
                .wokenBy(Trigger.of(
                        ModelKinds.MODEL_VERSION,
                        version -> List.of(new ObjectName(
                                version.cluster(),
                                version.namespace(),
                                version.spec().string("model")))))
                .wokenBy(Trigger.of(
                        ServingKinds.INFERENCE_SERVICE,
                        service -> models.in(service.cluster(), service.namespace()).stream()
                                .filter(model ->
                                        ModelReconciler.serviceName(model).equals(service.name()))
                                .map(ObjectName::of)
                                .toList()));
    }

    private static void count(Meters.Count rollouts, @Nullable Resource before, @Nullable Resource now) {
        if (before == null || now == null) {
            return;
        }
        var current = now.status().string("current");
        if (!current.isEmpty() && !current.equals(before.status().string("current"))) {
            boolean isBack = current.equals(before.status().string("previous"));
            rollouts.count(now.name(), isBack ? "rolled back" : "promoted");
        }
    }
}

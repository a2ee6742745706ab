package dev.towtank.controllers.serving;

import dev.towtank.controllers.serving.api.ServingKinds;
import dev.towtank.model.Json;
import dev.towtank.model.StatusError;
import dev.towtank.model.crd.KindBehaviour;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// What KServe does when somebody writes an InferenceService.
final class ServingBehaviour implements KindBehaviour {

    static final String MODE = ServingKinds.GROUP + "/deploymentMode";
    static final String STANDARD = "Standard";
    static final String KNATIVE = "Knative";

    private static final String WEBHOOK = "inferenceservice.kserve-webhook-server.validator";

    @Override
    public String group() {
        return ServingKinds.GROUP;
    }

    @Override
    public String kind() {
        return ServingKinds.INFERENCE_SERVICE.kind();
    }

    @Override
    public Json.Obj defaults(Json.Obj object) {
        var service = object.with(List.of("metadata", "annotations", MODE), Json.of(mode(object)));
        var predictor = predictor(service.object("spec", "predictor"));
        var format = predictor.string("model", "modelFormat", "name");
        if (!format.isEmpty() && service.at("metadata", "annotations", "modelFormat") == null) {
            service = service.with(List.of("metadata", "annotations", "modelFormat"), Json.of(format));
        }
        if (service.at("spec", "predictor") instanceof Json.Obj) {
            service = service.with(List.of("spec", "predictor"), predictor);
        }
        var canaries = service.array("spec", "canary");
        return canaries.size() == 0
                ? service
                : service.with(
                        List.of("spec", "canary"),
                        canaries.map(canary -> canary instanceof Json.Obj entry
                                ? entry.with("predictor", predictor(entry.object("predictor")))
                                : canary));
    }

    /// In today's words; the older ones are still written by many.
    private static String mode(Json.Obj object) {
        var mode = object.string("metadata", "annotations", MODE);
        return switch (mode) {
            case "", "RawDeployment" -> STANDARD;
            case "Serverless" -> KNATIVE;
            default -> mode;
        };
    }

    private static Json.Obj predictor(Json.Obj predictor) {
        var whole = predictor;
        if (predictor.get("sklearn") instanceof Json.Obj sklearn && !predictor.has("model")) {
            whole = predictor
                    .without("sklearn")
                    .with("model", sklearn.with("modelFormat", Json.Obj.of("name", Json.of("sklearn"))));
        }
        if (!whole.has("automountServiceAccountToken")) {
            whole = whole.with("automountServiceAccountToken", Json.Bool.FALSE);
        }
        var containers = whole.objects("containers");
        boolean isOurs = !whole.has("model") && containers.size() == 1;
        return isOurs
                ? whole.with(
                        "containers", Json.Arr.of(containers.getFirst().with("name", Json.of(ServingKinds.CONTAINER))))
                : whole;
    }

    @Override
    public Optional<StatusError> refusal(Json.Obj object, Json.@Nullable Obj old) {
        if (object.at("metadata", "deletionTimestamp") != null) {
            return Optional.empty();
        }
        return changeRefused(object, old)
                .or(() -> ServiceChecks.problem(object))
                .map(why -> KindBehaviour.denied(WEBHOOK, why));
    }

    private static Optional<String> changeRefused(Json.Obj object, Json.@Nullable Obj old) {
        if (old == null) {
            return Optional.empty();
        }
        var before = old.string("status", "deploymentMode");
        var now = object.string("metadata", "annotations", MODE);
        if (!before.isEmpty() && !before.equals(now)) {
            return Optional.of(
                    "update rejected: deploymentMode cannot be changed from '%s' to '%s'".formatted(before, now));
        }
        boolean isRenamed = !object.string("spec", "predictor", "name").equals(old.string("spec", "predictor", "name"));
        return isRenamed && storage(object).equals(storage(old))
                ? Optional.of("predictor.name change requires a model change (e.g. storageUri)")
                : Optional.empty();
    }

    private static String storage(Json.Obj service) {
        return service.string("spec", "predictor", "model", "storageUri");
    }

    @Override
    public List<String> warnings(Json.Obj object) {
        var warnings = new ArrayList<String>();
        var predictor = object.object("spec", "predictor");
        long replicas = predictor.integerOr(1, "minReplicas");
        if (predictor.integerOr(replicas, "maxReplicas") > Math.max(1, replicas)
                || predictor.has("scaleTarget")
                || predictor.has("scaleMetric")
                || predictor.has("scaleMetricType")
                || predictor.has("autoScaling")) {
            warnings.add(
                    "spec.predictor: nothing scales by itself here; there are always as many replicas as minReplicas"
                            + " says");
        }
        if (predictor.has("deploymentStrategy")) {
            warnings.add(
                    "spec.predictor.deploymentStrategy has no effect here: the old revision serves until the new one"
                            + " has answered a prediction");
        }
        return warnings;
    }
}

package dev.towtank.controllers.serving;

import dev.towtank.cluster.Change;
import dev.towtank.cluster.Plan;
import dev.towtank.controllers.serving.api.ServingKinds;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.model.Timestamps;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// What an InferenceService says about itself, in KServe's form. Ready means that a model has answered a prediction.
final class ServiceStatus {

    private final Resource service;
    private final ServiceFacts facts;
    private final TrackTarget target;
    private final Rollout rollout;
    private final Instant now;

    private ServiceStatus(Resource service, ServiceFacts facts, TrackTarget target, Rollout rollout, Instant now) {
        this.service = service;
        this.facts = facts;
        this.target = target;
        this.rollout = rollout;
        this.now = now;
    }

    static Plan plan(Resource service, ServiceFacts facts, TrackTarget target, Rollout rollout, Instant now) {
        var status = new ServiceStatus(service, facts, target, rollout, now).whole();
        if (service.status().equals(status)) {
            return Plan.none();
        }
        var plan = Plan.none().setStatus(ServingKinds.INFERENCE_SERVICE, service, status);
        return news(service, status).map(plan::then).orElse(plan);
    }

    /// What happened between two states, for people.
    private static Optional<Change.Event> news(Resource service, Json.Obj status) {
        var before = service.status().object("components", "predictor");
        var after = status.object("components", "predictor");
        var rolledOut = after.string("latestRolledoutRevision");
        if (!rolledOut.isEmpty() && !rolledOut.equals(before.string("latestRolledoutRevision"))) {
            return Optional.of(Change.Event.normal(
                    service, "RevisionRolledOut", "Revision " + rolledOut + " has answered and gets all requests"));
        }
        var trial = news(service, service.status().object("rollout"), status.object("rollout"));
        if (trial.isPresent()) {
            return trial;
        }
        var failure = status.object("modelStatus", "lastFailureInfo");
        var known = service.status().object("modelStatus", "lastFailureInfo");
        if (failure.size() > 0 && !failure.string("message").equals(known.string("message"))) {
            return Optional.of(Change.Event.warning(
                    service,
                    failure.string("reason"),
                    failure.string("message")
                            + (isTrue(status, "Ready") ? " (the model before it goes on serving)" : "")));
        }
        boolean wasReady = isTrue(service.status(), "Ready");
        return wasReady && !isTrue(status, "Ready")
                ? Optional.of(Change.Event.warning(
                        service,
                        "InferenceServiceNotReady",
                        "InferenceService [" + service.name() + "] is no longer Ready"))
                : Optional.empty();
    }

    private static Optional<Change.Event> news(Resource service, Json.Obj before, Json.Obj after) {
        if (after.has("failure") && !before.has("failure")) {
            return Optional.of(Change.Event.warning(service, "RolloutFailed", after.string("failure")));
        }
        return after.size() == 0 || after.has("failure") || after.integer("step") == before.integerOr(-1, "step")
                ? Optional.empty()
                : Optional.of(Change.Event.normal(
                        service,
                        "RolloutStep",
                        "Revision %s gets %d %% of the requests"
                                .formatted(after.string("revision"), after.integer("percent"))));
    }

    private static boolean isTrue(Json.Obj status, String type) {
        return status.objects("conditions").stream()
                .anyMatch(condition -> condition.string("type").equals(type)
                        && condition.string("status").equals("True"));
    }

    private Json.Obj whole() {
        var status = Json.Obj.builder()
                .putNonEmpty(
                        "address",
                        address().map(url -> Json.Obj.of("url", Json.of(url))).orElse(Json.Obj.EMPTY))
                .put("components", Json.Obj.of("predictor", component()))
                .put("conditions", new Json.Arr(conditions()))
                .put("deploymentMode", mode())
                .put("modelStatus", modelStatus())
                .put("observedGeneration", service.generation());
        canaries().ifPresent(list -> status.put("canaryStatuses", list));
        if (target instanceof TrackTarget.Known(var _, var runtime) && runtime.isPresent()) {
            status.put(
                    runtime.get().isClusterWide() ? "clusterServingRuntimeName" : "servingRuntimeName",
                    runtime.get().runtime().name());
        }
        status.putNonEmpty("rollout", rollout.trial().status());
        url().ifPresent(url -> status.put("url", url));
        return status.build();
    }

    private String mode() {
        return service.annotations().getOrDefault(ServingBehaviour.MODE, ServingBehaviour.STANDARD);
    }

    /// An address that this machine and its pods can reach, from the first model on.
    private Optional<String> url() {
        return rollout.rolledOut().isEmpty()
                ? Optional.empty()
                : facts.service()
                        .map(each -> each.spec().string("clusterIP"))
                        .filter(address -> !address.isEmpty())
                        .map(address -> "http://" + address + ":" + ServiceObjects.PORT);
    }

    private Optional<String> address() {
        return url().map(_ ->
                "http://" + ServiceObjects.name(service) + "." + service.namespace() + ".svc.cluster.local");
    }

    private Json.Obj component() {
        var component = Json.Obj.builder();
        rollout.latest().ifPresent(state -> component.put("latestCreatedRevision", state.name()));
        rollout.latestReady().ifPresent(state -> component.put("latestReadyRevision", state.name()));
        component
                .putNonEmpty("latestRolledoutRevision", rollout.rolledOut())
                .putNonEmpty("previousRolledoutRevision", rollout.previous());
        url().ifPresent(url -> component.put("restUrl", url).put("url", url));
        var traffic = rollout.parts().stream()
                .filter(part -> part.state().serves() || part.percent() > 0)
                .<Json>map(ServiceStatus::traffic)
                .toList();
        return component.putNonEmpty("traffic", new Json.Arr(traffic)).build();
    }

    private static Json.Obj traffic(Rollout.Part part) {
        return Json.Obj.builder()
                .put("latestRevision", part.isLatest())
                .put("percent", part.percent())
                .put("revisionName", part.state().name())
                .putNonEmpty("tag", part.tag())
                .build();
    }

    // --- Conditions ---

    private List<Json> conditions() {
        boolean serves = rollout.serves();
        boolean latest =
                rollout.latest().filter(RevisionState::isReady).isPresent() && target instanceof TrackTarget.Known;
        boolean hasAddress = url().isPresent();
        var why = waiting();
        boolean isKnative = mode().equals(ServingBehaviour.KNATIVE);
        // A cluster's Deployment is available as long as its old pods are; Knative counts the latest revision.
        boolean predictor = isKnative ? serves && latest : serves;
        var list = new ArrayList<Json>();
        var canaries = service.spec().objects("canary");
        if (!canaries.isEmpty()) {
            boolean all = rollout.parts().stream()
                            .filter(part -> !part.tag().isEmpty() && !part.tag().equals("prev"))
                            .filter(part -> part.state().serves())
                            .count()
                    == canaries.size();
            list.add(condition("CanaryPredictorReady", all, all ? "" : "CanaryNotReady", ""));
        }
        list.add(condition("IngressReady", hasAddress, hasAddress ? "" : "Predictor ingress not created", ""));
        if (isKnative) {
            list.add(condition(
                    "LatestDeploymentReady", latest, latest ? "" : why.reason(), latest ? "" : why.message()));
            list.add(condition("PredictorConfigurationReady", latest, latest ? "" : why.reason(), ""));
        }
        list.add(condition("PredictorReady", predictor, predictor ? "" : why.reason(), predictor ? "" : why.message()));
        if (isKnative) {
            list.add(condition("PredictorRouteReady", serves, serves ? "" : why.reason(), ""));
        }
        boolean ready = predictor && hasAddress;
        list.add(condition("Ready", ready, ready ? "" : why.reason(), ready ? "" : why.message()));
        if (isKnative) {
            list.add(condition("RoutesReady", serves, serves ? "" : why.reason(), ""));
        }
        list.add(condition("Stopped", false, "", ""));
        return list;
    }

    /// What everybody waits for.
    private Worker.Failure waiting() {
        if (target instanceof TrackTarget.Unknown(var none)) {
            return new Worker.Failure(none.reason(), none.message(), 0, "", "");
        }
        var state = rollout.latest();
        return state.flatMap(RevisionState::failure)
                .orElseGet(() -> new Worker.Failure(
                        state.map(RevisionState::modelState).orElse("Pending"),
                        state.map(each -> "The model of revision " + each.name() + " has not answered yet")
                                .orElse("There is no revision yet"),
                        0,
                        "",
                        ""));
    }

    private Json.Obj condition(String type, boolean isTrue, String reason, String message) {
        return condition(service, now, type, isTrue, reason, message);
    }

    private static Json.Obj condition(
            Resource service, Instant now, String type, boolean isTrue, String reason, String message) {
        var value = isTrue ? "True" : "False";
        var since = Timestamps.ofCondition(service.status(), type, value, now);
        return Json.Obj.builder()
                .put("lastTransitionTime", since)
                .putNonEmpty("message", message)
                .putNonEmpty("reason", reason)
                .put("status", value)
                .put("type", type)
                .build();
    }

    // --- The model ---

    private Json.Obj modelStatus() {
        if (target instanceof TrackTarget.Unknown(var none)) {
            return Json.Obj.builder()
                    .put(
                            "lastFailureInfo",
                            Json.Obj.of("message", Json.of(none.message()), "reason", Json.of(none.reason())))
                    .put("transitionStatus", "InvalidSpec")
                    .build();
        }
        var status = modelStatus(
                rollout.latest(),
                rollout.parts().stream().map(Rollout.Part::state).toList());
        var trial = rollout.trial();
        if (trial.failure().isPresent()) {
            return status.with("transitionStatus", Json.of("BlockedByFailedLoad"))
                    .with(
                            "lastFailureInfo",
                            Json.Obj.builder()
                                    .put("message", trial.failure().get())
                                    .put("modelRevisionName", trial.status().string("revision"))
                                    .put("reason", "RuntimeUnhealthy")
                                    .put("time", trial.status().string("failedAt"))
                                    .build());
        }
        boolean isUnderWay = trial.isOn() && status.string("transitionStatus").equals("UpToDate");
        return isUnderWay ? status.with("transitionStatus", Json.of("InProgress")) : status;
    }

    private static Json.Obj modelStatus(Optional<RevisionState> latest, List<RevisionState> serving) {
        var failure = latest.filter(state -> !state.isReady()).flatMap(RevisionState::failure);
        boolean isUpToDate = latest.filter(RevisionState::isReady).isPresent();
        var target = latest.map(RevisionState::modelState).orElse("Pending");
        var active = serving.stream().anyMatch(RevisionState::serves) ? "Loaded" : target;
        var status = Json.Obj.builder();
        latest.ifPresent(state -> status.put(
                "copies",
                Json.Obj.of(
                        "failedCopies",
                        Json.of(state.failed()),
                        "totalCopies",
                        Json.of(state.workers().stream()
                                .filter(worker -> !worker.isEnding())
                                .count()))));
        failure.ifPresent(known -> status.put("lastFailureInfo", failureInfo(known, latest)));
        return status.put(
                        "states", Json.Obj.of("activeModelState", Json.of(active), "targetModelState", Json.of(target)))
                .put(
                        "transitionStatus",
                        isUpToDate ? "UpToDate" : failure.isPresent() ? "BlockedByFailedLoad" : "InProgress")
                .build();
    }

    private static Json.Obj failureInfo(Worker.Failure failure, Optional<RevisionState> revision) {
        var info = Json.Obj.builder();
        if (failure.exitCode() != 0) {
            info.put("exitCode", failure.exitCode());
        }
        return info.putNonEmpty("location", failure.pod())
                .put("message", failure.message())
                .putNonEmpty(
                        "modelRevisionName", revision.map(RevisionState::name).orElse(""))
                .put("reason", failure.reason())
                .putNonEmpty("time", failure.time())
                .build();
    }

    private Optional<Json.Arr> canaries() {
        var list = new ArrayList<Json>();
        for (var canary : service.spec().objects("canary")) {
            var name = canary.string("predictor", "name");
            var part = rollout.parts().stream()
                    .filter(each -> each.tag().equals(name))
                    .findFirst();
            list.add(Json.Obj.builder()
                    .put("name", name)
                    .put("ready", part.filter(each -> each.state().serves()).isPresent())
                    .put("trafficPercent", part.map(Rollout.Part::percent).orElse(0L))
                    .put(
                            "modelStatus",
                            modelStatus(
                                    part.map(Rollout.Part::state),
                                    part.map(Rollout.Part::state).stream().toList()))
                    .build());
        }
        return list.isEmpty() ? Optional.empty() : Optional.of(new Json.Arr(list));
    }

    static Json.Obj stopped(Resource service, Instant now) {
        var list = new ArrayList<Json>();
        for (var type : List.of("IngressReady", "PredictorReady", "Ready")) {
            list.add(condition(service, now, type, false, "Stopped", ""));
        }
        list.add(condition(service, now, "Stopped", true, "", ""));
        return Json.Obj.builder()
                .put("conditions", new Json.Arr(list))
                .put(
                        "deploymentMode",
                        service.annotations().getOrDefault(ServingBehaviour.MODE, ServingBehaviour.STANDARD))
                .put(
                        "modelStatus",
                        Json.Obj.of(
                                "copies", Json.Obj.of("failedCopies", Json.of(0), "totalCopies", Json.of(0)),
                                "transitionStatus", Json.of("")))
                .put("observedGeneration", service.generation())
                .build();
    }
}

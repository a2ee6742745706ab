package dev.towtank.controllers.models;

import dev.towtank.cluster.Observed;
import dev.towtank.cluster.Plan;
import dev.towtank.cluster.Reconciler;
import dev.towtank.controllers.models.api.ModelKinds;
import dev.towtank.controllers.serving.api.ServingKinds;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.model.Timestamps;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// Says of every version of a model what it is: what serves is told by the InferenceService, and by nobody else.
final class ModelReconciler implements Reconciler<Json.Obj, ModelFacts> {

    @Override
    public Plan reconcile(Observed<Json.Obj> primary, ModelFacts facts, Instant now) {
        var model = primary.object();
        if (model.isDeleting()) {
            return Plan.none();
        }
        var before = model.status().string("current");
        var current = served(facts).map(ModelReconciler::version).orElse(before);
        var previous = current.equals(before) ? model.status().string("previous") : before;
        var failed = failedRollout(facts, current);
        var plan = new Plan.Builder();
        var news = news(facts, current, before, failed);
        news.forEach(item -> plan.add(item.event(model)));
        var link = ModelLink.decide(model, facts.linker(), current, find(facts, current));
        var status = status(model, facts, current, previous, now).toBuilder()
                .putNonEmpty("history", ModelHistory.of(model).with(news, now).json())
                .putNonEmpty("linked", link.linked())
                .build();
        // First what happened, then what follows from it: what is told twice is better than what is not told.
        plan.setStatus(ModelKinds.MODEL, model, status);
        for (var version : facts.versions()) {
            plan.setStatus(ModelKinds.MODEL_VERSION, version, status(version, current, previous, failed, now));
        }
        plan.add(link.plan());
        plan.add(pointedBack(facts, current, failed));
        old(model, facts, current, previous).forEach(version -> plan.delete(ModelKinds.MODEL_VERSION, version));
        return plan.add(ModelNotice.next(model, status)).build();
    }

    private static Optional<Resource> find(ModelFacts facts, String version) {
        return facts.versions().stream()
                .filter(each -> version(each).equals(version))
                .findFirst();
    }

    static String version(Resource version) {
        return version.spec().string("version");
    }

    /// The version whose model answers now; nobody while the InferenceService is on its way to another one.
    private static Optional<Resource> served(ModelFacts facts) {
        return facts.service().filter(ModelReconciler::isUpToDate).flatMap(service -> pointedAt(facts, service));
    }

    private static Optional<Resource> pointedAt(ModelFacts facts, Resource service) {
        var uri = trimmed(service.spec().string("predictor", "model", "storageUri"));
        return facts.versions().stream()
                .filter(version -> trimmed(version.spec().string("storageUri")).equals(uri))
                .findFirst();
    }

    // --- A roll-out that failed ---

    /// A version that got some of the requests, and did not prove itself.
    private record Failed(Resource version, String why) {}

    private static Optional<Failed> failedRollout(ModelFacts facts, String current) {
        return facts.service().flatMap(service -> {
            var why = service.status().string("rollout", "failure");
            boolean isNews = service.status().integer("observedGeneration") == service.generation() && !why.isEmpty();
            return pointedAt(facts, service)
                    .filter(version -> isNews && !version(version).equals(current))
                    .map(version -> new Failed(version, why));
        });
    }

    /// Requests go to the old version already; what the InferenceService says about itself follows.
    private static Plan pointedBack(ModelFacts facts, String current, Optional<Failed> failed) {
        var uri = find(facts, current).map(version -> version.spec().string("storageUri"));
        return failed.isEmpty() || uri.isEmpty() || facts.service().isEmpty()
                ? Plan.none()
                : Plan.none()
                        .patch(
                                ServingKinds.INFERENCE_SERVICE,
                                facts.service().get(),
                                Json.Obj.EMPTY.with(
                                        List.of("spec", "predictor", "model", "storageUri"), Json.of(uri.get())));
    }

    private static boolean isUpToDate(Resource service) {
        var status = service.status();
        return status.integer("observedGeneration") == service.generation()
                && status.string("modelStatus", "transitionStatus").equals("UpToDate")
                && isTrue(status, "Ready");
    }

    private static boolean isTrue(Json.Obj status, String type) {
        return status.objects("conditions").stream()
                .anyMatch(condition -> condition.string("type").equals(type)
                        && condition.string("status").equals("True"));
    }

    private static String trimmed(String uri) {
        return uri.replaceAll("/+$", "");
    }

    // --- Versions ---

    private static Json.Obj status(
            Resource version, String current, String previous, Optional<Failed> failed, Instant now) {
        var name = version(version);
        var promoted = version.status().string("promotedAt");
        var failure = failed.filter(each -> each.version().equals(version))
                .map(Failed::why)
                .orElse(version.status().string("failure"));
        var status = Json.Obj.builder();
        if (name.equals(current)) {
            boolean isNews = !version.status().string("state").equals("current");
            promoted = isNews ? Timestamps.seconds(now) : promoted;
            failure = ""; // it proved itself in the end
        }
        return status.putNonEmpty("failure", failure)
                .putNonEmpty("promotedAt", promoted)
                .put("state", state(version, name, promoted, failure, current, previous))
                .build();
    }

    private static String state(
            Resource version, String name, String promoted, String failure, String current, String previous) {
        if (name.equals(current)) {
            return "current";
        }
        if (name.equals(previous)) {
            return "previous";
        }
        if (isRejected(version) || !failure.isEmpty()) {
            return "rejected";
        }
        return promoted.isEmpty() ? "candidate" : "retired";
    }

    private static boolean isRejected(Resource version) {
        return version.spec().string("gate", "verdict").equals("failed");
    }

    /// Those that nobody needs any more, beyond the number that is kept.
    private static List<Resource> old(Resource model, ModelFacts facts, String current, String previous) {
        return facts.versions().stream()
                .filter(version ->
                        !version(version).equals(current) && !version(version).equals(previous))
                .filter(version -> !version.status().string("state").equals("candidate")
                        && !version.status().string("state").isEmpty())
                .sorted(byAge().reversed())
                .skip(model.spec().integerOr(3, "keep"))
                .toList();
    }

    private static Comparator<Resource> byAge() {
        return Comparator.<Resource, Instant>comparing(
                        version -> version.creationTimestamp().orElse(Instant.EPOCH))
                .thenComparing(Resource::name);
    }

    // --- The model ---

    private static Json.Obj status(Resource model, ModelFacts facts, String current, String previous, Instant now) {
        var kept = Json.Obj.EMPTY;
        for (var field : List.of("notified", "notifiedTargets")) {
            kept = kept.withOrWithout(field, model.status().get(field));
        }
        var latest = facts.versions().stream()
                .max(byAge())
                .map(ModelReconciler::version)
                .orElse("");
        return kept.toBuilder()
                .put("conditions", Json.Arr.of(condition(model, facts, current, now)))
                .putNonEmpty("current", current)
                .putNonEmpty("latest", latest)
                .put("observedGeneration", model.generation())
                .putNonEmpty("previous", previous)
                .put("versions", facts.versions().size())
                .build();
    }

    private static Json.Obj condition(Resource model, ModelFacts facts, String current, Instant now) {
        var problem = problem(model, facts, current);
        var value = problem.isEmpty() ? "True" : "False";
        var since = Timestamps.ofCondition(model.status(), "Ready", value, now);
        return Json.Obj.builder()
                .put("lastTransitionTime", since)
                .put("message", problem.map(Problem::message).orElse(current + " answers"))
                .put("reason", problem.map(Problem::reason).orElse("Serving"))
                .put("status", value)
                .put("type", "Ready")
                .build();
    }

    private record Problem(String reason, String message) {}

    private static Optional<Problem> problem(Resource model, ModelFacts facts, String current) {
        var name = serviceName(model);
        if (facts.service().isEmpty()) {
            return Optional.of(new Problem("NotServed", "There is no InferenceService " + name));
        }
        if (current.isEmpty()) {
            return Optional.of(new Problem(
                    "NoCurrentVersion", "InferenceService " + name + " serves none of the versions: promote one"));
        }
        return isTrue(facts.service().get().status(), "Ready")
                ? Optional.empty()
                : Optional.of(new Problem("NotReady", "InferenceService " + name + " is not ready"));
    }

    static String serviceName(Resource model) {
        var name = model.spec().string("inferenceService");
        return name.isEmpty() ? model.name() : name;
    }

    private static List<ModelHistory.Item> news(
            ModelFacts facts, String current, String before, Optional<Failed> failed) {
        var items = new ArrayList<ModelHistory.Item>();
        for (var version : facts.versions()) {
            if (isRejected(version)
                    && List.of("", "candidate").contains(version.status().string("state"))) {
                items.add(new ModelHistory.Item(
                        ModelHistory.Deed.REJECTED, version(version), version(version) + " did not pass the gate"));
            }
        }
        failed.filter(each -> each.version().status().string("failure").isEmpty())
                .ifPresent(each -> items.add(new ModelHistory.Item(
                        ModelHistory.Deed.ROLLOUT_FAILED,
                        version(each.version()),
                        "%s did not prove itself, %s serves: %s"
                                .formatted(version(each.version()), current, each.why()))));
        if (!current.equals(before)) {
            items.add(change(facts, current, before));
        }
        return items;
    }

    private static ModelHistory.Item change(ModelFacts facts, String current, String before) {
        boolean wasPromoted = find(facts, current)
                .filter(version -> !version.status().string("promotedAt").isEmpty())
                .isPresent();
        return wasPromoted && !before.isEmpty()
                ? new ModelHistory.Item(
                        ModelHistory.Deed.ROLLED_BACK, current, "Went back from " + before + " to " + current)
                : new ModelHistory.Item(
                        ModelHistory.Deed.PROMOTED,
                        current,
                        current + " serves now" + (before.isEmpty() ? "" : " in place of " + before));
    }
}

package dev.towtank.controllers.models;

import dev.towtank.cluster.Change;
import dev.towtank.cluster.Observed;
import dev.towtank.cluster.Plan;
import dev.towtank.cluster.Reconciler;
import dev.towtank.controllers.models.api.ModelKinds;
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
        var plan = new Plan.Builder();
        for (var version : facts.versions()) {
            plan.setStatus(ModelKinds.MODEL_VERSION, version, status(version, current, previous, now));
        }
        if (!current.equals(before)) {
            news(model, facts, current, before).forEach(plan::add);
        }
        plan.setStatus(ModelKinds.MODEL, model, status(model, facts, current, previous, now));
        old(model, facts, current, previous).forEach(version -> plan.delete(ModelKinds.MODEL_VERSION, version));
        return plan.build();
    }

    static String version(Resource version) {
        return version.spec().string("version");
    }

    /// The version whose model answers now; nobody while the InferenceService is on its way to another one.
    private static Optional<Resource> served(ModelFacts facts) {
        return facts.service().filter(ModelReconciler::isUpToDate).flatMap(service -> {
            var uri = trimmed(service.spec().string("predictor", "model", "storageUri"));
            return facts.versions().stream()
                    .filter(version ->
                            trimmed(version.spec().string("storageUri")).equals(uri))
                    .findFirst();
        });
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

    private static Json.Obj status(Resource version, String current, String previous, Instant now) {
        var name = version(version);
        var promoted = version.status().string("promotedAt");
        var status = Json.Obj.builder();
        if (name.equals(current)) {
            boolean isNews = !version.status().string("state").equals("current");
            promoted = isNews ? Timestamps.seconds(now) : promoted;
        }
        return status.putNonEmpty("promotedAt", promoted)
                .put("state", state(version, name, promoted, current, previous))
                .build();
    }

    private static String state(Resource version, String name, String promoted, String current, String previous) {
        if (name.equals(current)) {
            return "current";
        }
        if (name.equals(previous)) {
            return "previous";
        }
        if (version.spec().string("gate", "verdict").equals("failed")) {
            return "rejected";
        }
        return promoted.isEmpty() ? "candidate" : "retired";
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
        var latest = facts.versions().stream()
                .max(byAge())
                .map(ModelReconciler::version)
                .orElse("");
        return Json.Obj.builder()
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
        var since = model.status().objects("conditions").stream()
                .filter(known -> known.string("status").equals(value))
                .map(known -> known.string("lastTransitionTime"))
                .findFirst()
                .orElse(Timestamps.seconds(now));
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

    private static List<Change> news(Resource model, ModelFacts facts, String current, String before) {
        boolean wasPromoted = facts.versions().stream()
                .filter(version -> version(version).equals(current))
                .anyMatch(version -> !version.status().string("promotedAt").isEmpty());
        var changes = new ArrayList<Change>();
        changes.add(
                wasPromoted && !before.isEmpty()
                        ? Change.Event.warning(model, "RolledBack", "Went back from " + before + " to " + current)
                        : Change.Event.normal(
                                model,
                                "Promoted",
                                current + " serves now" + (before.isEmpty() ? "" : " in place of " + before)));
        return changes;
    }
}

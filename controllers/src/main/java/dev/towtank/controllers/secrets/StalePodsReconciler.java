package dev.towtank.controllers.secrets;

import dev.towtank.cluster.Change;
import dev.towtank.cluster.Observed;
import dev.towtank.cluster.Plan;
import dev.towtank.cluster.Reconciler;
import dev.towtank.controllers.secrets.api.SecretKinds;
import dev.towtank.controllers.secrets.api.StalePods;
import dev.towtank.controllers.secrets.reading.KubernetesProvider;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.Resource;
import dev.towtank.model.Timestamps;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// Tells of an ExternalSecret which pods still have values that its Secret had before, and starts those anew whose
/// workload wants that.
final class StalePodsReconciler implements Reconciler<Json.Obj, StaleFacts> {

    static final String CONDITION = "StalePods";

    /// On a Deployment, StatefulSet or DaemonSet.
    static final String RESTART = "secrets.towtank.dev/restart-on-change";

    /// On its pods: for which values they were started, so that it is done once for each.
    static final String RESTARTED = "secrets.towtank.dev/restarted-for";

    private static final Kind<Json.Obj> KIND = SecretKinds.EXTERNAL_SECRET;
    private static final int MOST_NAMED = 20;

    @Override
    public Plan reconcile(Observed<Json.Obj> observed, StaleFacts facts, Instant now) {
        var object = observed.object();
        if (object.isDeleting()) {
            return Plan.NONE;
        }
        var names = facts.target().stream()
                .flatMap(secret -> StalePods.of(secret, facts.pods()).stream())
                .map(Resource::name)
                .toList();
        var plan = told(object, names, now);
        if (!names.isEmpty()) {
            for (var workload : facts.workloads()) {
                plan = plan.then(restarted(workload, facts.target().orElseThrow()));
            }
        }
        return plan;
    }

    private static Plan told(Resource object, List<String> names, Instant now) {
        var status = names.isEmpty() ? without(object.status()) : with(object.status(), names, Timestamps.seconds(now));
        var plan = Plan.NONE.setStatus(KIND, object, status);
        boolean isNews = !names.isEmpty()
                && !OrderedConditions.find(object.status(), CONDITION)
                        .map(condition -> condition.string("message"))
                        .equals(Optional.of(message(names)));
        return isNews ? plan.then(Change.Event.warning(object, CONDITION, message(names))) : plan;
    }

    private static String message(List<String> names) {
        var some = String.join(", ", names.subList(0, Math.min(names.size(), MOST_NAMED)));
        var words = names.size() == 1
                ? "1 pod has older values in its environment, until it is started anew: "
                : names.size() + " pods have older values in their environment, until they are started anew: ";
        return words + some + (names.size() > MOST_NAMED ? ", …" : "");
    }

    private static Json.Obj without(Json.Obj status) {
        return status.has("stalePods") ? OrderedConditions.without(status.without("stalePods"), CONDITION) : status;
    }

    private static Json.Obj with(Json.Obj status, List<String> names, String now) {
        var since = OrderedConditions.find(status, CONDITION)
                .map(condition -> condition.string("lastTransitionTime"))
                .orElse(now);
        var condition = Json.Obj.builder()
                .put("type", CONDITION)
                .put("status", "True")
                .put("reason", "ValuesChanged")
                .put("message", message(names))
                .put("lastTransitionTime", since)
                .build();
        var some = names.subList(0, Math.min(names.size(), MOST_NAMED));
        return OrderedConditions.with(status, condition).with("stalePods", Json.Arr.ofStrings(some));
    }

    private static Plan restarted(StaleFacts.Workload workload, Resource secret) {
        var object = workload.object();
        var hash = Hashes.ofData(KubernetesProvider.data(secret));
        var template = object.spec().object("template", "metadata", "annotations");
        if (!"true".equals(object.annotations().get(RESTART))
                || template.string(RESTARTED).equals(hash)) {
            return Plan.NONE;
        }
        var annotations = Json.Obj.of("annotations", Json.Obj.of(RESTARTED, Json.of(hash)));
        var fields = Json.Obj.of("spec", Json.Obj.of("template", Json.Obj.of("metadata", annotations)));
        return Plan.NONE
                .patch(workload.kind(), object, fields)
                .then(Change.Event.normal(
                        object,
                        "RestartedForSecret",
                        "its pods start anew with the values of Secret " + secret.name()));
    }
}

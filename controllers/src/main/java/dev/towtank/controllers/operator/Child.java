package dev.towtank.controllers.operator;

import dev.towtank.cluster.Observed;
import dev.towtank.cluster.Plan;
import dev.towtank.cluster.Reconciler;
import dev.towtank.controllers.operator.api.OperatorKinds;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.Resource;
import dev.towtank.model.Timestamps;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// A part of the platform with an object of its own, which follows the TektonConfig.
///
/// @param section of the TektonConfig that it is about
/// @param wanted what it says; absent where the part is switched off
record Child(Kind<Json.Obj> kind, String name, String section, Function<Json.Obj, Optional<Json.Obj>> wanted) {

    static final List<Child> ALL = List.of(
            of(
                    "TektonPipeline",
                    "tektonpipelines",
                    "pipeline",
                    "pipeline",
                    spec -> Optional.of(spec.object("pipeline"))),
            of("TektonTrigger", "tektontriggers", "trigger", "trigger", spec -> isOn(spec, "trigger")),
            of(
                    "TektonPruner",
                    "tektonpruners",
                    "pruner",
                    "tektonpruner",
                    spec -> EventPruner.isOn(spec) ? Optional.of(spec.object("tektonpruner")) : Optional.empty()),
            of(
                    "OpenShiftPipelinesAsCode",
                    "openshiftpipelinesascodes",
                    "pipelines-as-code",
                    "platforms.openshift.pipelinesAsCode",
                    Child::pipelinesAsCode));

    private static Child of(
            String kind, String plural, String name, String section, Function<Json.Obj, Optional<Json.Obj>> wanted) {
        return new Child(Kind.clusterScoped("operator.tekton.dev", "v1alpha1", kind, plural), name, section, wanted);
    }

    private static Optional<Json.Obj> isOn(Json.Obj spec, String section) {
        return spec.flag(section, "disabled") || spec.string("profile").equals("lite")
                ? Optional.empty()
                : Optional.of(spec.object(section).without("disabled"));
    }

    private static Optional<Json.Obj> pipelinesAsCode(Json.Obj spec) {
        return List.of("openshift", "kubernetes").stream()
                .map(platform -> spec.object("platforms", platform, "pipelinesAsCode"))
                .filter(each -> each.flag("enable"))
                .findFirst();
    }

    Optional<Json.Obj> spec(Json.Obj config) {
        var namespace = config.string("targetNamespace");
        return wanted.apply(config)
                .map(spec -> namespace.isEmpty() ? spec : spec.with("targetNamespace", Json.of(namespace)));
    }

    static boolean isManaged(Resource child) {
        return child.labels().getOrDefault("app.kubernetes.io/managed-by", "").equals(TektonConfigReconciler.MANAGER);
    }

    /// Tells whether somebody reads it: only what the TektonConfig says counts.
    Reconciler<Json.Obj, Optional<Resource>> reconciler() {
        return this::told;
    }

    private Plan told(Observed<Json.Obj> observed, Optional<Resource> config, Instant now) {
        var child = observed.object();
        boolean isRead = isManaged(child)
                && child.name().equals(name)
                && config.flatMap(each -> spec(each.spec()))
                        .filter(child.spec()::equals)
                        .isPresent();
        var status = isRead ? "True" : "False";
        var since = Timestamps.ofCondition(child.status(), "Ready", status, now);
        var condition = Json.Obj.builder()
                .put("type", "Ready")
                .put("status", status)
                .putNonEmpty("reason", isRead ? "" : "NotRead")
                .putNonEmpty(
                        "message",
                        isRead
                                ? ""
                                : "only the TektonConfig " + OperatorKinds.CONFIG.name()
                                        + " is read: put this into its spec." + section)
                .put("lastTransitionTime", since)
                .build();
        return Plan.NONE.setStatus(kind, child, child.status().with("conditions", Json.Arr.of(condition)));
    }
}

package dev.towtank.controllers.gitops.health;

import dev.towtank.controllers.gitops.api.ResourceKey;
import dev.towtank.model.Json;
import java.time.Instant;
import java.util.Optional;

/// How to tell the health of objects: by the user's own scripts first, then by what is known about a kind.
///
/// @param neighbours what rules in Java may look at and scripts cannot
public record HealthRules(ScriptedHealth scripts, Neighbours neighbours) {

    private static final String HOOK_FINALIZER = "argocd.argoproj.io/hook-finalizer";

    public static final HealthRules BUILT_IN = new HealthRules(ScriptedHealth.NONE, Neighbours.NONE);

    /// Empty where nobody can tell: such an object is as it should be when it is there.
    public Optional<Health> of(Json.Obj object, Instant now) {
        // A hook that is deleted is kept until its end was seen, and may have ended.
        boolean isKept = object.array("metadata", "finalizers").strings().contains(HOOK_FINALIZER);
        if (object.object("metadata").has("deletionTimestamp") && !isKept) {
            return Optional.of(Health.progressing("Pending deletion"));
        }
        return scripts.of(object, now).or(() -> own(object));
    }

    /// What we would say, where a script makes an object out to be better than that.
    public Optional<Health> glossedOver(Json.Obj object, Instant now) {
        return scripts.of(object, now)
                .flatMap(told -> own(object).filter(own -> own.status().isWorseThan(told.status())));
    }

    /// What we would say without scripts.
    public Optional<Health> own(Json.Obj object) {
        return builtIn(ResourceKey.of(object), object);
    }

    private Optional<Health> builtIn(ResourceKey key, Json.Obj object) {
        return switch (key.group() + "/" + key.kind()) {
            case "apps/Deployment" -> Optional.of(WorkloadHealth.deployment(object));
            case "apps/StatefulSet" -> Optional.of(WorkloadHealth.statefulSet(object));
            case "apps/ReplicaSet" -> Optional.of(WorkloadHealth.replicaSet(object));
            case "apps/DaemonSet" -> Optional.of(WorkloadHealth.daemonSet(object));
            case "batch/Job" -> Optional.of(WorkloadHealth.job(object));
            case "/Pod" -> Optional.of(WorkloadHealth.pod(object));
            case "/PersistentVolumeClaim" -> Optional.of(claim(object));
            case "/Service" -> Optional.of(service(object));
            case "apiregistration.k8s.io/APIService" -> Optional.of(CustomHealth.apiService(object));
            case "argoproj.io/Workflow" -> Optional.of(CustomHealth.workflow(object));
            case "networking.k8s.io/Ingress", "extensions/Ingress" ->
                Optional.of(hasAddress(object) ? Health.HEALTHY : Health.progressing(""));
            case "apiextensions.k8s.io/CustomResourceDefinition" -> Optional.of(definition(object));
            case "tekton.dev/PipelineRun", "tekton.dev/TaskRun", "tekton.dev/CustomRun" -> Optional.of(run(object));
            case "argoproj.io/Application" -> application(object);
            case "argoproj.io/ApplicationSet" -> Optional.of(CustomHealth.applicationSet(object));
            case "external-secrets.io/ExternalSecret",
                    "external-secrets.io/SecretStore",
                    "external-secrets.io/ClusterSecretStore" -> Optional.of(ready(object));
            case "serving.kserve.io/InferenceService" -> Optional.of(CustomHealth.inferenceService(object));
            case "mlops.mlops.dev/NotebookValidationJob" -> Optional.of(CustomHealth.notebookJob(object));
            case "build.openshift.io/BuildConfig" -> Optional.of(CustomHealth.buildConfig(object));
            case "build.openshift.io/Build" -> Optional.of(CustomHealth.build(object));
            case "image.openshift.io/ImageStream" -> Optional.of(CustomHealth.imageStream(object));
            case "clustertemplate.openshift.io/ClusterTemplateInstance" ->
                Optional.of(CustomHealth.clusterTemplateInstance(object));
            case "objectbucket.io/ObjectBucketClaim" -> Optional.of(CustomHealth.bucketClaim(object));
            case "autoscaling/HorizontalPodAutoscaler" -> Optional.of(CustomHealth.autoscaler(object));
            default -> Optional.empty();
        };
    }

    private static Health service(Json.Obj object) {
        return object.string("spec", "type").equals("LoadBalancer") && !hasAddress(object)
                ? Health.progressing("")
                : Health.HEALTHY;
    }

    private static boolean hasAddress(Json.Obj object) {
        return !object.objects("status", "loadBalancer", "ingress").isEmpty();
    }

    /// One that is bound when the first pod needs it waits for nobody but that pod, so nobody waits for the claim.
    private Health claim(Json.Obj object) {
        return switch (object.string("status", "phase")) {
            case "Lost" -> Health.degraded("");
            case "Pending" ->
                waitsForConsumer(object)
                        ? Health.of(Health.Code.HEALTHY, "waiting for first consumer to be created before binding")
                        : Health.progressing("");
            case "Bound" -> Health.HEALTHY;
            default -> Health.of(Health.Code.UNKNOWN, "");
        };
    }

    private boolean waitsForConsumer(Json.Obj claim) {
        return neighbours
                        .storageClass(claim.string("spec", "storageClassName"))
                        .filter(it -> it.string("volumeBindingMode").equals("WaitForFirstConsumer"))
                        .isPresent()
                && !neighbours.isMounted(claim.string("metadata", "namespace"), claim.string("metadata", "name"));
    }

    private static Optional<Json.Obj> condition(Json.Obj object, String type) {
        return object.objects("status", "conditions").stream()
                .filter(each -> each.string("type").equals(type))
                .findFirst();
    }

    private static Health definition(Json.Obj object) {
        return condition(object, "Established").filter(HealthRules::isTrue).isPresent()
                ? Health.of(Health.Code.HEALTHY, "CRD is healthy")
                : Health.progressing("CRD is not established");
    }

    private static boolean isTrue(Json.Obj condition) {
        return condition.string("status").equals("True");
    }

    /// A run that has not ended holds up whoever waits for it.
    private static Health run(Json.Obj object) {
        var succeeded = condition(object, "Succeeded");
        var message = succeeded.map(it -> it.string("message")).orElse("");
        return switch (succeeded.map(it -> it.string("status")).orElse("Unknown")) {
            case "True" -> Health.of(Health.Code.HEALTHY, message);
            case "False" -> Health.degraded(message);
            default -> Health.progressing(message);
        };
    }

    private static String cause(Json.Obj object) {
        var cause = object.string("status", "cause");
        return cause.isEmpty() ? "" : ": " + cause;
    }

    private static Health ready(Json.Obj object) {
        return condition(object, "Ready")
                .map(it -> isTrue(it)
                        ? Health.of(Health.Code.HEALTHY, it.string("message"))
                        : Health.degraded(it.string("message") + cause(object)))
                .orElse(Health.progressing("Waiting for " + object.string("kind")));
    }

    /// What a child tells counts only when it is about what it is told to be now.
    private static Optional<Health> application(Json.Obj object) {
        var spec = object.object("spec");
        var compared = object.object("status", "sync", "comparedTo");
        boolean isOld = !compared.object("source").equals(spec.object("source"))
                || !compared.array("sources").equals(spec.array("sources"));
        if (isOld
                || object.has("operation")
                || object.string("status", "operationState", "phase").equals("Running")) {
            return Optional.of(Health.progressing("Waiting for the application to be synced"));
        }
        return ScriptedHealth.code(object.string("status", "health", "status"))
                .map(code -> Health.of(code, object.string("status", "health", "message")));
    }
}

package dev.towtank.controllers.secrets;

import dev.towtank.cluster.Cache;
import dev.towtank.cluster.Caches;
import dev.towtank.cluster.Controller;
import dev.towtank.cluster.Meters;
import dev.towtank.cluster.ObjectName;
import dev.towtank.cluster.Observed;
import dev.towtank.cluster.Trigger;
import dev.towtank.controllers.secrets.StaleFacts.Workload;
import dev.towtank.controllers.secrets.api.SecretKinds;
import dev.towtank.controllers.secrets.api.StalePods;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.Resource;
import dev.towtank.model.kinds.apps.DaemonSets;
import dev.towtank.model.kinds.apps.Deployments;
import dev.towtank.model.kinds.apps.ReplicaSets;
import dev.towtank.model.kinds.apps.StatefulSets;
import dev.towtank.model.kinds.core.Pods;
import dev.towtank.model.kinds.core.Secrets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Who looks after pods that have old values, and what they have to know.
final class PodsOfSecrets {

    private static final Cache.Index BY_SECRET = new Cache.Index(
            "secret-in-environment",
            pod -> StalePods.inEnvironment(pod).stream()
                    .map(secret -> key(pod, secret))
                    .toList());
    private static final Cache.Index BY_TARGET =
            new Cache.Index("target", source -> List.of(key(source, SecretTarget.name(source))));

    private final Cache externalSecrets;
    private final Cache secrets;
    private final Cache pods;
    private final Cache replicaSets;
    private final Map<String, Owners> owners = new LinkedHashMap<>();

    private record Owners(Kind<?> kind, Cache cache) {}

    PodsOfSecrets(Caches caches) {
        this.externalSecrets = caches.of(SecretKinds.EXTERNAL_SECRET);
        this.secrets = caches.of(Secrets.KIND);
        this.pods = caches.of(Pods.KIND);
        this.replicaSets = caches.of(ReplicaSets.KIND);
        for (var kind : List.of(Deployments.KIND, StatefulSets.KIND, DaemonSets.KIND)) {
            owners.put(kind.kind(), new Owners(kind, caches.of(kind)));
        }
    }

    private static String key(Resource near, String secret) {
        return near.cluster().id() + ":" + near.namespace() + "/" + secret;
    }

    Controller<?, ?> controller() {
        return Controller.of(
                        "stalepods-controller", SecretKinds.EXTERNAL_SECRET, this::facts, new StalePodsReconciler())
                .wokenBy(Trigger.of(
                        Pods.KIND,
                        pod -> StalePods.inEnvironment(pod).stream()
                                .flatMap(secret -> makers(pod, secret).stream())
                                .toList()))
                .wokenBy(Trigger.of(Secrets.KIND, secret -> makers(secret, secret.name())));
    }

    private List<ObjectName> makers(Resource near, String secret) {
        return externalSecrets.by(BY_TARGET, key(near, secret)).stream()
                .map(ObjectName::of)
                .toList();
    }

    void measure(Meters meters) {
        meters.gauge(
                "towtank_secrets_stale_pods",
                "Pods whose environment has values that a Secret of an ExternalSecret had before.",
                () -> externalSecrets.list().stream()
                        .mapToLong(each -> each.status().array("stalePods").size())
                        .sum());
    }

    private StaleFacts facts(Observed<Json.Obj> observed) {
        var object = observed.object();
        var name = SecretTarget.name(object);
        var target = secrets.get(new ObjectName(object.cluster(), object.namespace(), name));
        var users = pods.by(BY_SECRET, key(object, name)).stream()
                .filter(pod ->
                        !pod.isDeleting() && !pod.status().string("phase").matches("Succeeded|Failed"))
                .toList();
        var workloads = new LinkedHashMap<String, Workload>();
        target.stream()
                .flatMap(secret -> StalePods.of(secret, users).stream())
                .map(this::workload)
                .flatMap(Optional::stream)
                .forEach(each -> workloads.put(each.object().uid(), each));
        return new StaleFacts(target, users, List.copyOf(workloads.values()));
    }

    private Optional<Workload> workload(Resource pod) {
        return pod.controller()
                .flatMap(owner -> owner.kind().equals(ReplicaSets.KIND.kind())
                        ? replicaSets
                                .get(new ObjectName(pod.cluster(), pod.namespace(), owner.name()))
                                .flatMap(Resource::controller)
                        : Optional.of(owner))
                .flatMap(owner -> Optional.ofNullable(owners.get(owner.kind()))
                        .flatMap(known -> known.cache()
                                .get(new ObjectName(pod.cluster(), pod.namespace(), owner.name()))
                                .map(found -> new Workload(known.kind(), found))));
    }
}

package dev.towtank.controllers.testclusters.templates;

import dev.towtank.cluster.Cache;
import dev.towtank.cluster.Caches;
import dev.towtank.cluster.Cluster;
import dev.towtank.cluster.ObjectName;
import dev.towtank.controllers.testclusters.api.ClusterKinds;
import dev.towtank.controllers.testclusters.api.Conditions;
import dev.towtank.model.Json;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Resource;
import dev.towtank.model.kinds.core.Secrets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/// Finds what stands behind instances, and which instances stand before something.
final class Providers {

    /// Applications by what they have made.
    private static final Cache.Index MADE = new Cache.Index(
            "made",
            application -> application.status().objects("resources").stream()
                    .map(each -> key(each.string("kind"), each.string("namespace"), each.string("name")))
                    .toList());

    private final Cache applications;
    private final Cache deployments;
    private final Cache claims;
    private final Cache provisions;
    private final Cache hosted;
    private final Cache pools;
    private final Cache secrets;

    Providers(Caches caches, Cache applications) {
        this.applications = applications;
        deployments = caches.of(ClusterKinds.DEPLOYMENT);
        claims = caches.of(ClusterKinds.CLAIM);
        provisions = caches.of(ClusterKinds.PROVISION);
        hosted = caches.of(ClusterKinds.HOSTED);
        pools = caches.of(ClusterKinds.NODE_POOL);
        secrets = caches.of(Secrets.KIND);
    }

    private static String key(String kind, String namespace, String name) {
        return kind + "/" + namespace + "/" + name;
    }

    /// More than one where a chart makes more than one.
    ///
    /// @param api is asked about an instance that goes: what a cache has not seen yet would stay for good
    List<Provided> of(Cluster api, Instance instance, Optional<Resource> application) {
        var all = new ArrayList<Provided>();
        var own = ObjectName.of(Instance.CLUSTERS, instance.application(""));
        var made = deployments.get(own);
        (made.isEmpty() && instance.object().isDeleting() ? api.get(ClusterKinds.DEPLOYMENT, own) : made)
                .ifPresent(found -> all.add(deployed(found, found)));
        for (var entry :
                application.map(each -> each.status().objects("resources")).orElse(List.of())) {
            var name = ObjectName.of(entry.string("namespace"), entry.string("name"));
            var found = switch (entry.string("group") + "/" + entry.string("kind")) {
                case "hive.openshift.io/ClusterDeployment" ->
                    deployments.get(name).map(each -> deployed(each, each));
                case "hive.openshift.io/ClusterClaim" -> claims.get(name).map(this::claimed);
                case "hypershift.openshift.io/HostedCluster" -> hosted.get(name).map(this::hosted);
                default -> Optional.<Provided>empty();
            };
            found.ifPresent(all::add);
        }
        return all;
    }

    private Provided claimed(Resource claim) {
        var namespace = claim.spec().string("namespace");
        var deployment = deployments.get(ObjectName.of(namespace, namespace));
        if (deployment.isPresent()) {
            return deployed(claim, deployment.get());
        }
        var gone = condition(claim, "ClusterRunning", "False")
                .filter(each -> each.string("reason").equals("ClusterDeleted"))
                .map(each -> each.string("message"));
        var waiting = Provided.waiting(
                claim,
                condition(claim, "Pending", "True")
                        .map(each -> each.string("message"))
                        .orElse("Waiting for a cluster of the pool"));
        return new Provided(
                claim,
                false,
                waiting.state(),
                Optional.empty(),
                gone,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                "",
                "");
    }

    private static Optional<Json.Obj> condition(Resource object, String type, String status) {
        return object.status().objects("conditions").stream()
                .filter(each -> each.string("type").equals(type)
                        && each.string("status").equals(status))
                .findFirst();
    }

    private static Optional<String> message(Resource object, String type, String reason) {
        return object.status().objects("conditions").stream()
                .filter(each -> each.string("type").equals(type)
                        && each.string("reason").equals(reason))
                .map(each -> each.string("message"))
                .findFirst();
    }

    private Provided deployed(Resource object, Resource deployment) {
        var metadata = deployment.spec().object("clusterMetadata");
        var kubeconfig = secret(deployment, metadata.string("adminKubeconfigSecretRef", "name"));
        var password = secret(deployment, metadata.string("adminPasswordSecretRef", "name"));
        boolean isReady = Conditions.isTrue(deployment.status(), "Ready") && kubeconfig.isPresent();
        return new Provided(
                object,
                isReady,
                isReady ? "Available" : state(deployment),
                condition(deployment, "ProvisionStopped", "True").map(each -> each.string("message")),
                message(deployment, "Unreachable", "ClusterLost"),
                message(deployment, "Provisioned", "DeprovisionFailed")
                        .map(why -> "ClusterDeployment " + ObjectName.of(deployment) + ": " + why),
                kubeconfig,
                password,
                deployment.status().string("apiURL"),
                log(deployment));
    }

    private static String state(Resource deployment) {
        return deployment.status().objects("conditions").stream()
                .filter(each -> each.string("type").equals("Ready")
                        || each.string("type").equals("Provisioned"))
                .filter(each -> each.string("status").equals("False"))
                .map(each -> each.string("message"))
                .findFirst()
                .orElse("Cluster is installing");
    }

    /// Of its attempts that failed.
    private String log(Resource deployment) {
        return provisions.by(Cache.Index.OWNER, deployment.uid()).stream()
                .filter(each -> each.spec().string("stage").equals("failed"))
                .sorted(Comparator.comparingLong(each -> each.spec().integer("attempt")))
                .map(each -> "ClusterProvision " + each.name() + " attempt "
                        + each.spec().integer("attempt") + "\n" + each.spec().string("installLog") + "\n")
                .collect(Collectors.joining());
    }

    /// When its control plane is available, its keys are there, and none of its pools of nodes says no.
    private Provided hosted(Resource cluster) {
        var status = cluster.status();
        var kubeconfig = secret(cluster, status.string("kubeconfig", "name"));
        var password = secret(cluster, status.string("kubeadminPassword", "name"));
        boolean hasUsers = cluster.spec()
                        .array("configuration", "oauth", "identityProviders")
                        .size()
                > 0;
        var lazy = pools.by(ClusterKinds.POOLS_OF_CLUSTER, cluster.namespace() + "/" + cluster.name()).stream()
                .filter(each -> condition(each, "Ready", "False").isPresent())
                .findFirst();
        boolean isReady = Conditions.isTrue(status, "Available")
                && kubeconfig.isPresent()
                && (hasUsers || password.isPresent())
                && lazy.isEmpty();
        return new Provided(
                cluster,
                isReady,
                isReady ? "Available" : waiting(cluster, lazy),
                message(cluster, "Degraded", "FaultInjected"),
                message(cluster, "Degraded", "ClusterLost"),
                message(cluster, "CloudResourcesDestroyed", "RemoveFailed")
                        .map(why -> "HostedCluster " + ObjectName.of(cluster) + ": " + why),
                kubeconfig,
                password,
                kubeconfig.map(Access::server).orElse(""),
                "");
    }

    private static String waiting(Resource cluster, Optional<Resource> lazy) {
        return condition(cluster, "Available", "False")
                .map(each -> each.string("message"))
                .orElseGet(() -> lazy.map(pool -> "NodePool " + pool.name() + " is not ready")
                        .orElse("Cluster is installing"));
    }

    private Optional<Resource> secret(Resource deployment, String name) {
        return name.isEmpty() ? Optional.empty() : secrets.get(ObjectName.of(deployment.namespace(), name));
    }

    /// Takes out of a text what is secret where the clusters are made.
    UnaryOperator<String> redaction(List<Provided> provided, Optional<Resource> application) {
        return text -> {
            var places = new TreeSet<String>();
            provided.forEach(each -> {
                places.add(each.object().namespace());
                each.kubeconfig().ifPresent(secret -> places.add(secret.namespace()));
            });
            application.ifPresent(each -> {
                places.add(each.spec().string("destination", "namespace"));
                each.status().objects("resources").forEach(made -> places.add(made.string("namespace")));
            });
            return Redaction.of(
                    text,
                    places.stream()
                            .flatMap(place -> secrets.in(LogicalCluster.DEFAULT, place).stream())
                            .toList());
        };
    }

    /// Of an Application, a deployment or a Secret with our labels.
    static List<ObjectName> instanceOf(Resource object) {
        var labels = object.labels();
        return labels.containsKey(Instance.NAME) && labels.containsKey(Instance.NAMESPACE)
                ? List.of(ObjectName.of(labels.get(Instance.NAMESPACE), labels.get(Instance.NAME)))
                : List.of();
    }

    List<ObjectName> instancesOfPool(Resource pool) {
        return hosted.get(ObjectName.of(pool.namespace(), pool.spec().string("clusterName")))
                .map(this::instances)
                .orElse(List.of());
    }

    List<ObjectName> instances(Resource made) {
        var all = new ArrayList<>(instanceOf(made));
        all.addAll(byApplications(key(made.kind(), made.namespace(), made.name())));
        var pool = made.spec().object("clusterPoolRef");
        if (pool.has("claimName")) {
            all.addAll(byApplications(key("ClusterClaim", pool.string("namespace"), pool.string("claimName"))));
        }
        return all;
    }

    private List<ObjectName> byApplications(String key) {
        return applications.by(MADE, key).stream()
                .flatMap(each -> instanceOf(each).stream())
                .toList();
    }

    /// Copies wake theirs, and the keys of a deployment all that have copies of them.
    List<ObjectName> instancesOfSecret(Resource secret) {
        var owner = secret.controller();
        if (owner.isPresent() && !owner.get().kind().equals(ClusterKinds.INSTANCE.kind())) {
            var cache = owner.get().kind().equals(ClusterKinds.HOSTED.kind()) ? hosted : deployments;
            return cache.get(ObjectName.of(secret.namespace(), owner.get().name()))
                    .map(this::instances)
                    .orElse(List.of());
        }
        return instanceOf(secret);
    }
}

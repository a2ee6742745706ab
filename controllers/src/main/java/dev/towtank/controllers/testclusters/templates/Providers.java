package dev.towtank.controllers.testclusters.templates;

import dev.towtank.cluster.Cache;
import dev.towtank.cluster.Caches;
import dev.towtank.cluster.ObjectName;
import dev.towtank.controllers.testclusters.api.ClusterKinds;
import dev.towtank.controllers.testclusters.api.Conditions;
import dev.towtank.model.Resource;
import dev.towtank.model.kinds.core.Secrets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

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
    private final Cache secrets;

    Providers(Caches caches, Cache applications) {
        this.applications = applications;
        deployments = caches.of(ClusterKinds.DEPLOYMENT);
        claims = caches.of(ClusterKinds.CLAIM);
        secrets = caches.of(Secrets.KIND);
    }

    private static String key(String kind, String namespace, String name) {
        return kind + "/" + namespace + "/" + name;
    }

    Optional<Provided> of(Instance instance, Optional<Resource> application) {
        if (application.isEmpty()) {
            return deployments
                    .get(ObjectName.of(Instance.CLUSTERS, instance.application("")))
                    .map(found -> provided(found, found));
        }
        for (var entry : application.get().status().objects("resources")) {
            var name = ObjectName.of(entry.string("namespace"), entry.string("name"));
            var found = switch (entry.string("kind")) {
                case "ClusterDeployment" -> deployments.get(name).map(each -> provided(each, each));
                case "ClusterClaim" -> claims.get(name).map(this::claimed);
                default -> Optional.<Provided>empty();
            };
            if (found.isPresent()) {
                return found;
            }
        }
        return Optional.empty();
    }

    private Provided claimed(Resource claim) {
        var namespace = claim.spec().string("namespace");
        var deployment = deployments.get(ObjectName.of(namespace, namespace));
        return deployment
                .map(each -> provided(claim, each))
                .orElseGet(() -> new Provided(
                        claim, false, waiting(claim), Optional.empty(), Optional.empty(), Optional.empty(), ""));
    }

    private static String waiting(Resource claim) {
        return claim.status().objects("conditions").stream()
                .filter(each -> each.string("type").equals("Pending"))
                .map(each -> each.string("message"))
                .findFirst()
                .orElse("Waiting for a cluster of the pool");
    }

    private Provided provided(Resource object, Resource deployment) {
        var metadata = deployment.spec().object("clusterMetadata");
        var kubeconfig = secret(deployment, metadata.string("adminKubeconfigSecretRef", "name"));
        var password = secret(deployment, metadata.string("adminPasswordSecretRef", "name"));
        boolean isReady = Conditions.isTrue(deployment.status(), "Ready") && kubeconfig.isPresent();
        return new Provided(
                object,
                isReady,
                isReady ? "Available" : state(deployment),
                problem(deployment),
                kubeconfig,
                password,
                deployment.status().string("apiURL"));
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

    private static Optional<String> problem(Resource deployment) {
        return deployment.status().objects("conditions").stream()
                .filter(each -> each.string("type").equals("ProvisionStopped")
                        && each.string("status").equals("True"))
                .map(each -> each.string("message"))
                .findFirst();
    }

    private Optional<Resource> secret(Resource deployment, String name) {
        return name.isEmpty() ? Optional.empty() : secrets.get(ObjectName.of(deployment.namespace(), name));
    }

    /// Of an Application, a deployment or a Secret with our labels.
    static List<ObjectName> instanceOf(Resource object) {
        var labels = object.labels();
        return labels.containsKey(Instance.NAME) && labels.containsKey(Instance.NAMESPACE)
                ? List.of(ObjectName.of(labels.get(Instance.NAMESPACE), labels.get(Instance.NAME)))
                : List.of();
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
        if (owner.isPresent() && owner.get().kind().equals("ClusterDeployment")) {
            return deployments
                    .get(ObjectName.of(secret.namespace(), owner.get().name()))
                    .map(this::instances)
                    .orElse(List.of());
        }
        return instanceOf(secret);
    }
}

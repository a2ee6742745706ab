package dev.towtank.controllers.testclusters.templates;

import dev.towtank.cluster.Cache;
import dev.towtank.cluster.Caches;
import dev.towtank.cluster.Cluster;
import dev.towtank.cluster.IndexedCache;
import dev.towtank.cluster.ObjectName;
import dev.towtank.cluster.Selection;
import dev.towtank.controllers.gitops.api.GitOpsKinds;
import dev.towtank.controllers.testclusters.api.ClusterKinds;
import dev.towtank.model.Kind;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Resource;
import dev.towtank.model.StatusError;
import java.util.Optional;

/// What templates see of Argo CD. A server without it has templates that need none.
public final class GitOpsCaches {

    private final boolean isServed;
    private final Cache applications;
    private final Cache sets;
    private final Cache configs;

    public GitOpsCaches(Cluster cluster, Caches caches) {
        isServed = isServed(cluster, GitOpsKinds.APPLICATION_SET) && isServed(cluster, GitOpsKinds.APPLICATION);
        applications = isServed ? caches.of(GitOpsKinds.APPLICATION) : new IndexedCache();
        sets = isServed ? caches.of(GitOpsKinds.APPLICATION_SET) : new IndexedCache();
        configs = caches.of(ClusterKinds.CONFIG);
    }

    private static boolean isServed(Cluster cluster, Kind<?> kind) {
        try {
            cluster.list(kind, Selection.in(LogicalCluster.DEFAULT, GitOpsKinds.NAMESPACE));
            return true;
        } catch (StatusError e) {
            return false;
        }
    }

    boolean isServed() {
        return isServed;
    }

    Cache applications() {
        return applications;
    }

    /// The one that counts.
    Optional<Resource> config() {
        return configs.get(new ObjectName(LogicalCluster.DEFAULT, "", "config"));
    }

    /// Where Argo CD is.
    String namespace() {
        return config().map(config -> config.spec().string("argoCDNamespace"))
                .filter(text -> !text.isEmpty())
                .orElse(GitOpsKinds.NAMESPACE);
    }

    Optional<Resource> set(String name) {
        return sets.get(ObjectName.of(namespace(), name));
    }

    Optional<Resource> application(String name) {
        return applications.get(ObjectName.of(namespace(), name));
    }
}

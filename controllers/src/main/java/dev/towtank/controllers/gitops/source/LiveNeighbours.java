package dev.towtank.controllers.gitops.source;

import dev.towtank.cluster.Cluster;
import dev.towtank.cluster.ObjectName;
import dev.towtank.cluster.Selection;
import dev.towtank.controllers.gitops.health.Neighbours;
import dev.towtank.model.Json;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Resource;
import dev.towtank.model.kinds.core.Pods;
import dev.towtank.model.kinds.storage.StorageClasses;
import java.util.Optional;

/// What a server says about storage classes and pods of which nobody here has a cache.
public record LiveNeighbours(LogicalCluster place, Cluster cluster) implements Neighbours {

    @Override
    public Optional<Json.Obj> storageClass(String name) {
        if (!name.isEmpty()) {
            return cluster.get(StorageClasses.KIND, new ObjectName(place, "", name))
                    .map(Resource::json);
        }
        return cluster.list(StorageClasses.KIND, Selection.in(place)).items().stream()
                .filter(CachedNeighbours::isDefault)
                .map(Resource::json)
                .findFirst();
    }

    @Override
    public boolean isMounted(String namespace, String claim) {
        return cluster.list(Pods.KIND, Selection.in(place, namespace)).items().stream()
                .anyMatch(pod -> CachedNeighbours.mounts(pod, claim));
    }
}

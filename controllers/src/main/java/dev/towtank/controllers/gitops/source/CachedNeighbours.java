package dev.towtank.controllers.gitops.source;

import dev.towtank.cluster.Cache;
import dev.towtank.cluster.ObjectName;
import dev.towtank.controllers.gitops.health.Neighbours;
import dev.towtank.model.Json;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Resource;
import java.util.Optional;

/// What caches know about storage classes and pods.
public record CachedNeighbours(LogicalCluster place, Cache storageClasses, Cache pods) implements Neighbours {

    private static final String DEFAULT = "storageclass.kubernetes.io/is-default-class";

    @Override
    public Optional<Json.Obj> storageClass(String name) {
        if (!name.isEmpty()) {
            return storageClasses.get(new ObjectName(place, "", name)).map(Resource::json);
        }
        return storageClasses.list().stream()
                .filter(each -> each.cluster().equals(place) && isDefault(each))
                .map(Resource::json)
                .findFirst();
    }

    @Override
    public boolean isMounted(String namespace, String claim) {
        return pods.in(place, namespace).stream().anyMatch(pod -> mounts(pod, claim));
    }

    static boolean isDefault(Resource storageClass) {
        return storageClass.annotations().getOrDefault(DEFAULT, "").equals("true");
    }

    static boolean mounts(Resource pod, String claim) {
        return !pod.spec().string("nodeName").isEmpty()
                && pod.spec().objects("volumes").stream()
                        .anyMatch(volume -> volume.string("persistentVolumeClaim", "claimName")
                                .equals(claim));
    }
}

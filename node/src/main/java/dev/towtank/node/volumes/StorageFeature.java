package dev.towtank.node.volumes;

import dev.towtank.cluster.Cache;
import dev.towtank.cluster.Caches;
import dev.towtank.cluster.Controller;
import dev.towtank.cluster.Feature;
import dev.towtank.cluster.ObjectName;
import dev.towtank.cluster.Place;
import dev.towtank.cluster.Running;
import dev.towtank.cluster.Trigger;
import dev.towtank.model.Json;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Resource;
import dev.towtank.model.kinds.core.PersistentVolumeClaims;
import dev.towtank.model.kinds.core.PersistentVolumes;
import dev.towtank.model.kinds.storage.StorageClasses;
import java.util.List;
import java.util.Optional;

/// Claims, volumes, and the classes that every cluster starts with.
public final class StorageFeature implements Feature {

    private final List<String> nodeNames;

    /// @param nodeNames the nodes of this machine, all of which reach its volumes
    public StorageFeature(List<String> nodeNames) {
        this.nodeNames = List.copyOf(nodeNames);
    }

    @Override
    public String name() {
        return "storage";
    }

    @Override
    public Running start(Place place) {
        return Running.of(controllers(place.caches()));
    }

    List<Controller<?, ?>> controllers(Caches caches) {
        var claims = caches.of(PersistentVolumeClaims.KIND);
        var volumes = caches.of(PersistentVolumes.KIND);
        var classes = caches.of(StorageClasses.KIND);
        Controller<Json.Obj, VolumeClaimReconciler.Facts> binding = Controller.of(
                "persistentvolume-binder",
                PersistentVolumeClaims.KIND,
                primary -> {
                    var claim = primary.object();
                    return new VolumeClaimReconciler.Facts(
                            volumes.in(claim.cluster(), ""), storageClass(classes, claim));
                },
                new VolumeClaimReconciler(nodeNames));
        Controller<Json.Obj, Optional<Resource>> reclaiming = Controller.of(
                "persistentvolume-reclaimer",
                PersistentVolumes.KIND,
                primary -> claims.get(claimOf(primary.object())),
                new VolumeReconciler());
        return List.of(
                binding.wokenBy(Trigger.of(PersistentVolumes.KIND, volume -> List.of(claimOf(volume))))
                        .wokenBy(Trigger.of(
                                StorageClasses.KIND,
                                kind -> claims.list().stream()
                                        .filter(claim -> claim.spec()
                                                .string("storageClassName")
                                                .equals(kind.name()))
                                        .map(ObjectName::of)
                                        .toList())),
                reclaiming.wokenBy(Trigger.of(
                        PersistentVolumeClaims.KIND,
                        claim -> List.of(
                                new ObjectName(claim.cluster(), "", claim.spec().string("volumeName"))))));
    }

    /// What a claim names: a class of its own logical cluster, or else of the default one, whose classes all share.
    public static Optional<Resource> storageClass(Cache classes, Resource claim) {
        var name = claim.spec().string("storageClassName");
        return classes.get(new ObjectName(claim.cluster(), "", name))
                .or(() -> classes.get(new ObjectName(LogicalCluster.DEFAULT, "", name)));
    }

    private static ObjectName claimOf(Resource volume) {
        var reference = volume.spec().object("claimRef");
        return new ObjectName(volume.cluster(), reference.string("namespace"), reference.string("name"));
    }

    /// The default class, which waits for a pod, and one that does not.
    public static List<Json.Obj> classes() {
        return List.of(
                storageClass("local-path", "WaitForFirstConsumer", true),
                storageClass("local-path-immediate", "Immediate", false));
    }

    private static Json.Obj storageClass(String name, String binding, boolean usual) {
        var metadata = Json.Obj.builder().put("name", name);
        if (usual) {
            metadata.put("annotations", Json.Obj.of("storageclass.kubernetes.io/is-default-class", Json.of("true")));
        }
        return Json.Obj.builder()
                .put("apiVersion", "storage.k8s.io/v1")
                .put("kind", "StorageClass")
                .put("metadata", metadata.build())
                .put("provisioner", LocalVolumes.PROVISIONER)
                .put("reclaimPolicy", "Delete")
                .put("volumeBindingMode", binding)
                .build();
    }
}

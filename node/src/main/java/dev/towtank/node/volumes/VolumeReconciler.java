package dev.towtank.node.volumes;

import dev.towtank.cluster.Observed;
import dev.towtank.cluster.Plan;
import dev.towtank.cluster.Reconciler;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.model.kinds.core.PersistentVolumes;
import java.time.Instant;
import java.util.Optional;

/// Tells the phase of volumes, and deletes those of ours whose claim is gone.
final class VolumeReconciler implements Reconciler<Json.Obj, Optional<Resource>> {

    /// @param claim the one that the volume refers to, where it is there
    @Override
    public Plan reconcile(Observed<Json.Obj> primary, Optional<Resource> claim, Instant now) {
        var volume = primary.object();
        if (volume.isDeleting()) {
            return Plan.NONE;
        }
        var reference = volume.spec().object("claimRef");
        if (reference.string("uid").isEmpty()) {
            return phase(volume, "Available");
        }
        if (claim.filter(found -> found.uid().equals(reference.string("uid"))).isPresent()) {
            return phase(volume, "Bound");
        }
        var released = phase(volume, "Released");
        boolean deletes = volume.spec().string("persistentVolumeReclaimPolicy").equals("Delete");
        return deletes && LocalVolumes.isOurs(volume) ? released.delete(PersistentVolumes.KIND, volume) : released;
    }

    private static Plan phase(Resource volume, String phase) {
        return volume.status().string("phase").equals(phase)
                ? Plan.NONE
                : Plan.NONE.setStatus(
                        PersistentVolumes.KIND, volume, volume.status().with("phase", Json.of(phase)));
    }
}

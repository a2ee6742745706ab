package dev.towtank.node.volumes;

import dev.towtank.cluster.Change;
import dev.towtank.cluster.Observed;
import dev.towtank.cluster.Plan;
import dev.towtank.cluster.Reconciler;
import dev.towtank.model.Json;
import dev.towtank.model.LabelSelector;
import dev.towtank.model.Quantity;
import dev.towtank.model.Resource;
import dev.towtank.model.kinds.ResourceLists;
import dev.towtank.model.kinds.core.PersistentVolumeClaims;
import dev.towtank.model.kinds.core.PersistentVolumes;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// Binds claims to volumes, and makes volumes for claims of a class that is ours.
final class VolumeClaimReconciler implements Reconciler<Json.Obj, VolumeClaimReconciler.Facts> {

    private static final String SELECTED_NODE = "volume.kubernetes.io/selected-node";
    private static final String BOUND_BY_US = "pv.kubernetes.io/bound-by-controller";
    private static final String BIND_COMPLETED = "pv.kubernetes.io/bind-completed";

    private final List<String> nodeNames;

    VolumeClaimReconciler(List<String> nodeNames) {
        this.nodeNames = List.copyOf(nodeNames);
    }

    /// @param volumes all of the claim's logical cluster
    record Facts(List<Resource> volumes, Optional<Resource> storageClass) {
        Facts {
            volumes = List.copyOf(volumes);
        }
    }

    @Override
    public Plan reconcile(Observed<Json.Obj> primary, Facts facts, Instant now) {
        var claim = primary.object();
        if (claim.isDeleting()) {
            return Plan.NONE;
        }
        var named = claim.spec().string("volumeName");
        if (!named.isEmpty()) {
            var volume = facts.volumes.stream()
                    .filter(each -> each.name().equals(named))
                    .findFirst();
            return volume.map(found -> belongs(found, claim) || isFree(found) ? bind(claim, found) : Plan.NONE)
                    .orElseGet(() -> lost(claim));
        }
        if (waitsForConsumer(facts) && !claim.annotations().containsKey(SELECTED_NODE)) {
            return pending(claim)
                    .then(event(
                            claim, "WaitForFirstConsumer", "waiting for first consumer to be created before binding"));
        }
        var fitting = fitting(claim, facts);
        if (fitting.isPresent()) {
            return bind(claim, fitting.get());
        }
        return facts.storageClass()
                .filter(kind -> kind.json().string("provisioner").equals(LocalVolumes.PROVISIONER))
                .map(kind -> provision(claim, kind))
                .orElseGet(() -> nobody(claim, facts));
    }

    private static boolean waitsForConsumer(Facts facts) {
        return facts.storageClass()
                .filter(kind -> kind.json().string("volumeBindingMode").equals("WaitForFirstConsumer"))
                .isPresent();
    }

    private static Plan lost(Resource claim) {
        return claim.status().string("phase").equals("Bound")
                ? Plan.NONE.setStatus(
                        PersistentVolumeClaims.KIND, claim, claim.status().with("phase", Json.of("Lost")))
                : Plan.NONE;
    }

    private static Plan pending(Resource claim) {
        return claim.status().has("phase")
                ? Plan.NONE
                : Plan.NONE.setStatus(
                        PersistentVolumeClaims.KIND, claim, claim.status().with("phase", Json.of("Pending")));
    }

    private static Plan nobody(Resource claim, Facts facts) {
        var provisioner = facts.storageClass().map(kind -> kind.json().string("provisioner"));
        var event = provisioner.isPresent()
                ? event(
                        claim,
                        "ExternalProvisioning",
                        "Waiting for a volume to be created either by the external provisioner '" + provisioner.get()
                                + "' or manually by the system administrator. If volume creation is delayed, please"
                                + " verify that the provisioner is running and correctly registered.")
                : event(
                        claim,
                        "FailedBinding",
                        "no persistent volumes available for this claim and no storage class is set");
        return pending(claim).then(event);
    }

    // An event alone is told by every look; only the first look at a claim has nothing to say about its phase.
    private static Plan event(Resource claim, String reason, String message) {
        return claim.status().has("phase") && claim.status().size() > 1
                ? Plan.NONE
                : Plan.of(Change.Event.normal(claim, reason, message));
    }

    private static boolean belongs(Resource volume, Resource claim) {
        var reference = volume.spec().object("claimRef");
        return reference.string("namespace").equals(claim.namespace())
                && reference.string("name").equals(claim.name())
                && (reference.string("uid").isEmpty() || reference.string("uid").equals(claim.uid()));
    }

    private static boolean isFree(Resource volume) {
        return !volume.spec().has("claimRef") && !volume.isDeleting();
    }

    /// The smallest volume that does.
    private static Optional<Resource> fitting(Resource claim, Facts facts) {
        return facts.volumes.stream()
                .filter(volume -> belongs(volume, claim) || (isFree(volume) && fits(volume, claim)))
                .min(Comparator.comparing((Resource volume) -> !belongs(volume, claim))
                        .thenComparing(volume -> capacity(volume))
                        .thenComparing(Resource::name));
    }

    private static boolean fits(Resource volume, Resource claim) {
        var modes = volume.spec().array("accessModes").strings();
        return volume.spec().string("storageClassName").equals(claim.spec().string("storageClassName"))
                && modes.containsAll(claim.spec().array("accessModes").strings())
                && volume.spec().string("volumeMode").equals(claim.spec().string("volumeMode"))
                && capacity(volume).compareTo(request(claim)) >= 0
                && (!(claim.spec().get("selector") instanceof Json.Obj selector)
                        || LabelSelector.of(selector).matches(volume.json()));
    }

    private static Quantity capacity(Resource volume) {
        return ResourceLists.quantity(volume.spec().at("capacity", "storage")).orElse(Quantity.ZERO);
    }

    private static Quantity request(Resource claim) {
        return ResourceLists.quantity(claim.spec().at("resources", "requests", "storage"))
                .orElse(Quantity.ZERO);
    }

    /// Both sides, in an order in which each step can be the last one before a crash.
    private static Plan bind(Resource claim, Resource volume) {
        var plan = Plan.NONE;
        if (!volume.spec().string("claimRef", "uid").equals(claim.uid())) {
            plan = plan.patch(
                    PersistentVolumes.KIND,
                    volume,
                    Json.Obj.of(
                            "metadata",
                            Json.Obj.of("annotations", Json.Obj.of(BOUND_BY_US, Json.of("yes"))),
                            "spec",
                            Json.Obj.of("claimRef", reference(claim))));
        }
        if (!claim.spec().string("volumeName").equals(volume.name())) {
            plan = plan.patch(PersistentVolumeClaims.KIND, claim, chosen(volume.name()));
        }
        return plan.setStatus(PersistentVolumeClaims.KIND, claim, bound(volume));
    }

    private static Json.Obj chosen(String volume) {
        var annotations = Json.Obj.of(BIND_COMPLETED, Json.of("yes"), BOUND_BY_US, Json.of("yes"));
        return Json.Obj.of(
                "metadata",
                Json.Obj.of("annotations", annotations),
                "spec",
                Json.Obj.of("volumeName", Json.of(volume)));
    }

    private static Json.Obj bound(Resource volume) {
        return Json.Obj.of(
                "phase", Json.of("Bound"),
                "accessModes", volume.spec().array("accessModes"),
                "capacity", volume.spec().object("capacity"));
    }

    private static Json.Obj reference(Resource claim) {
        return Json.Obj.builder()
                .put("kind", "PersistentVolumeClaim")
                .put("namespace", claim.namespace())
                .put("name", claim.name())
                .put("uid", claim.uid())
                .put("apiVersion", "v1")
                .build();
    }

    private Plan provision(Resource claim, Resource storageClass) {
        var volume = volume(claim, storageClass);
        return Plan.NONE
                .create(PersistentVolumes.KIND, volume)
                .patch(PersistentVolumeClaims.KIND, claim, chosen(volume.name()))
                .setStatus(PersistentVolumeClaims.KIND, claim, bound(volume))
                .then(Change.Event.normal(
                        claim, "ProvisioningSucceeded", "Successfully provisioned volume " + volume.name()));
    }

    private Resource volume(Resource claim, Resource storageClass) {
        var name = "pvc-" + claim.uid();
        var policy = storageClass.json().string("reclaimPolicy");
        var here = Json.Obj.of(
                "key", Json.of("kubernetes.io/hostname"),
                "operator", Json.of("In"),
                "values", new Json.Arr(nodeNames.stream().<Json>map(Json::of).toList()));
        var terms = Json.Arr.of(Json.Obj.of("matchExpressions", Json.Arr.of(here)));
        var spec = Json.Obj.builder()
                .put("capacity", claim.spec().object("resources", "requests"))
                .put("accessModes", claim.spec().array("accessModes"))
                .put("claimRef", reference(claim))
                .put("persistentVolumeReclaimPolicy", policy.isEmpty() ? "Delete" : policy)
                .put("storageClassName", storageClass.name())
                .put("volumeMode", "Filesystem")
                .put("local", Json.Obj.of("path", Json.of("/" + name)))
                .put("nodeAffinity", Json.Obj.of("required", Json.Obj.of("nodeSelectorTerms", terms)))
                .build();
        var annotations = Json.Obj.of(LocalVolumes.PROVISIONED_BY, Json.of(LocalVolumes.PROVISIONER));
        return claim.with(Json.Obj.builder()
                .put("apiVersion", "v1")
                .put("kind", "PersistentVolume")
                .put("metadata", Json.Obj.of("name", Json.of(name), "annotations", annotations))
                .put("spec", spec)
                .build());
    }
}

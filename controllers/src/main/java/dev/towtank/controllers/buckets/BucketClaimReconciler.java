package dev.towtank.controllers.buckets;

import dev.towtank.cluster.Change;
import dev.towtank.cluster.Observed;
import dev.towtank.cluster.Plan;
import dev.towtank.cluster.Reconciler;
import dev.towtank.controllers.buckets.api.BucketKinds;
import dev.towtank.controllers.buckets.s3.OutsideKey;
import dev.towtank.controllers.buckets.s3.OutsidePlace;
import dev.towtank.controllers.buckets.source.BucketStore;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.Resource;
import dev.towtank.model.kinds.core.ConfigMaps;
import dev.towtank.model.kinds.core.Secrets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Gives a claim its bucket, its keys, and the objects that tell of them; and takes them back.
final class BucketClaimReconciler implements Reconciler<Json.Obj, ClaimFacts> {

    private static final String MANAGER = "towtank-buckets";

    /// Between two tries at an object store elsewhere.
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    /// What provides buckets out of this process: the one that OpenShift's class names, and one for classes of one's
    /// own.
    static final List<String> PROVISIONERS = List.of("openshift-storage.noobaa.io/obc", "towtank.dev/bucket");

    @Override
    public Plan reconcile(Observed<Json.Obj> observed, ClaimFacts facts, Instant now) {
        var claim = new Claim(observed.object());
        if (observed.object().isDeleting()) {
            return claim.hasFinalizer() ? takenBack(claim, facts, now) : Plan.none();
        }
        if (facts.storageClass().isEmpty()) {
            return pending(claim);
        }
        var storageClass = facts.storageClass().get();
        if (!PROVISIONERS.contains(storageClass.json().string("provisioner"))) {
            return Plan.none(); // somebody else's
        }
        return problem(claim, facts, storageClass)
                .orElseGet(() -> claim.hasFinalizer() && isNamed(claim)
                        ? provided(claim, facts, storageClass, now)
                        : begun(claim));
    }

    private static Plan pending(Claim claim) {
        var name = claim.storageClass();
        return told(
                claim,
                "Pending",
                "StorageClassNotFound",
                name.isEmpty()
                        ? "spec.storageClassName is empty: name a StorageClass, such as openshift-storage.noobaa.io"
                        : "storageclass.storage.k8s.io \"" + name + "\" not found");
    }

    /// What is wrong for good, or until somebody changes it.
    private static Optional<Plan> problem(Claim claim, ClaimFacts facts, Resource storageClass) {
        var elsewhere = OutsidePlace.Wish.of(storageClass).flatMap(wish -> elsewhere(claim, wish, facts));
        if (elsewhere.isPresent()) {
            return elsewhere;
        }
        if (claim.more().isEmpty()) {
            return failed(
                    claim, "InvalidConfig", "spec.additionalConfig." + Claim.MORE + " must be a number from 0 to 1000");
        }
        var bucket = claim.bucket();
        if (bucket.isEmpty()) {
            return failed(claim, "InvalidBucketName", "spec needs bucketName or generateBucketName");
        }
        if (!BucketStore.NAME.matcher(bucket.get()).matches()) {
            return failed(
                    claim,
                    "InvalidBucketName",
                    "no name of a bucket: " + Json.of(bucket.get())
                            + "; 3 to 63 lower case letters, digits, dots and hyphens, with a letter or digit at "
                            + "both ends and no two dots together");
        }
        return Optional.<Plan>empty()
                .or(() -> stranger(claim, "Secret", facts.secret()))
                .or(() -> stranger(claim, "Secret", facts.alias()))
                .or(() -> stranger(claim, "ConfigMap", facts.configMap()))
                .or(() -> facts.bucket()
                        .filter(seen -> !isOf(claim, seen))
                        .flatMap(seen -> failed(
                                claim,
                                "ObjectBucketExists",
                                "ObjectBucket " + seen.name() + " is of another claim, "
                                        + seen.spec().string("claimRef", "uid")
                                        + ": delete it, and the bucket that it keeps, to claim anew")));
    }

    /// What keeps the class's object store elsewhere from being asked.
    private static Optional<Plan> elsewhere(Claim claim, OutsidePlace.Wish wish, ClaimFacts facts) {
        if (wish.problem().isPresent()) {
            return failed(claim, "InvalidStorageClass", wish.problem().get());
        }
        if (!claim.more().equals(Optional.of(0))) {
            return failed(
                    claim,
                    "NotSupported",
                    "spec.additionalConfig." + Claim.MORE + ": StorageClass " + wish.storageClass()
                            + " has its buckets elsewhere, where keys open one bucket each");
        }
        return facts.admin().flatMap(wish::place).isPresent()
                ? Optional.empty()
                : Optional.of(told(
                        claim,
                        "Pending",
                        "AdminSecretNotFound",
                        "StorageClass " + wish.storageClass() + " needs Secret " + wish.namespace() + "/"
                                + wish.secret() + " with AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, which "
                                + (facts.admin().isPresent() ? "it does not have" : "is not there")));
    }

    private static Optional<Plan> stranger(Claim claim, String kind, Optional<Resource> seen) {
        return seen.filter(object -> !claim.owns(object))
                .flatMap(object -> failed(
                        claim,
                        kind + "Exists",
                        kind + " " + object.name()
                                + " is there already and is not of this claim: rename the claim, or delete it"));
    }

    private static boolean isOf(Claim claim, Resource bucket) {
        return bucket.spec().string("claimRef", "uid").equals(claim.uid());
    }

    private static Optional<Plan> failed(Claim claim, String reason, String message) {
        return Optional.of(told(claim, "Failed", reason, message));
    }

    private static Plan told(Claim claim, String phase, String reason, String message) {
        var status = Json.Obj.of("phase", Json.of(phase), "reason", Json.of(reason), "message", Json.of(message));
        return claim.object().status().equals(status)
                ? Plan.none()
                : Plan.none()
                        .setStatus(BucketKinds.CLAIM, claim.object(), status)
                        .then(Change.Event.warning(claim.object(), reason, message));
    }

    private static boolean isNamed(Claim claim) {
        var spec = claim.object().spec();
        return !spec.string("bucketName").isEmpty()
                && spec.string("objectBucketName").equals(claim.bucketObject());
    }

    /// First it is written down what will be, so that whoever deletes the claim meanwhile waits for us.
    private static Plan begun(Claim claim) {
        var finalizers = new ArrayList<>(claim.object().finalizers());
        if (!claim.hasFinalizer()) {
            finalizers.add(Claim.FINALIZER);
        }
        var metadata = Json.Obj.of(
                "finalizers",
                Json.Arr.ofStrings(finalizers),
                "labels",
                Json.Obj.of("bucket-provisioner", Json.of("openshift-storage.noobaa.io-obc")));
        var spec = Json.Obj.of(
                "bucketName", Json.of(claim.bucket().orElseThrow()), "objectBucketName", Json.of(claim.bucketObject()));
        return Plan.none().patch(BucketKinds.CLAIM, claim.object(), Json.Obj.of("metadata", metadata, "spec", spec));
    }

    private static Plan provided(Claim claim, ClaimFacts facts, Resource storageClass, Instant now) {
        var doorway = facts.doorway().plan(claim.object());
        var gone = released(facts.secret(), Secrets.KIND).then(released(facts.configMap(), ConfigMaps.KIND));
        if (!gone.isNone() || isProvided(claim, facts)) {
            return doorway.then(gone);
        }
        var gifts = new Gifts(claim, storageClass);
        var deed = new BucketDeed.Provide(
                claim.uid(),
                claim.bucket().orElseThrow(),
                claim.rotation(),
                claim.more().orElse(0),
                OutsidePlace.Wish.of(storageClass)
                        .map(wish -> new OutsideKey(storageClass.cluster().id(), wish.storageClass())));
        return doorway.then(new Change.Act(
                deed,
                result -> problem(result)
                        .map(problem -> told(claim, "Pending", "ObjectStoreNotReady", problem)
                                .then(Plan.lookAgainAt(now.plus(PATIENCE))))
                        .orElseGet(() -> bound(gifts, facts, result))));
    }

    /// With an object store elsewhere.
    static Optional<String> problem(Json result) {
        return result instanceof Json.Obj told
                ? Optional.of(told.string("problem")).filter(text -> !text.isEmpty())
                : Optional.empty();
    }

    /// Somebody deletes it: it goes, and is made anew.
    private static Plan released(Optional<Resource> child, Kind<?> kind) {
        return child.filter(Resource::isDeleting)
                .map(seen -> withoutFinalizer(kind, seen))
                .orElse(Plan.none());
    }

    private static boolean isProvided(Claim claim, ClaimFacts facts) {
        return claim.object().status().string("phase").equals("Bound")
                && facts.configMap().isPresent()
                && facts.bucket().isPresent()
                && isNewest(claim, facts.secret())
                && (claim.alias().isEmpty() || isNewest(claim, facts.alias()));
    }

    private static boolean isNewest(Claim claim, Optional<Resource> secret) {
        return secret.filter(seen ->
                        seen.annotations().getOrDefault(Claim.ROTATE, "").equals(claim.rotation()))
                .isPresent();
    }

    private static Plan bound(Gifts gifts, ClaimFacts facts, Json result) {
        var claim = gifts.claim();
        if (!(result instanceof Json.Obj keys)) {
            return told(
                    claim,
                    "Failed",
                    "BucketAlreadyExists",
                    "bucket " + claim.bucket().orElseThrow() + " exists already and is not of this claim");
        }
        var plan = Plan.none()
                .then(new Change.Apply(Secrets.KIND, claim.object().with(gifts.secret(keys)), MANAGER))
                .then(new Change.Apply(ConfigMaps.KIND, claim.object().with(gifts.configMap()), MANAGER))
                .then(new Change.Apply(BucketKinds.BUCKET, claim.object().with(gifts.objectBucket()), MANAGER));
        plan = claim.alias()
                .map(name -> new Change.Apply(Secrets.KIND, claim.object().with(gifts.alias(keys, name)), MANAGER))
                .<Plan>map(plan::then)
                .orElse(plan);
        boolean isNew = !claim.object().status().string("phase").equals("Bound");
        if (isNew) {
            return plan.setStatus(BucketKinds.CLAIM, claim.object(), Json.Obj.of("phase", Json.of("Bound")))
                    .then(Change.Event.normal(
                            claim.object(),
                            "Bound",
                            "bucket " + claim.bucket().orElseThrow() + " is there, and its keys are in Secret "
                                    + claim.object().name()));
        }
        boolean isRotated = facts.secret().isPresent() && !isNewest(claim, facts.secret());
        return isRotated
                ? plan.then(Change.Event.normal(
                        claim.object(), "KeysRotated", "the keys are new; the old ones open nothing any more"))
                : plan;
    }

    private static Plan takenBack(Claim claim, ClaimFacts facts, Instant now) {
        var policy = facts.bucket()
                .map(bucket -> bucket.spec().string("reclaimPolicy"))
                .or(() -> facts.storageClass().map(seen -> seen.json().string("reclaimPolicy")))
                .orElse("Delete");
        boolean isKept = policy.equals("Retain");
        var last = farewell(claim, facts, isKept);
        var bucket =
                claim.bucket().filter(name -> BucketStore.NAME.matcher(name).matches());
        return bucket.map(name -> Plan.of(new Change.Act(
                        new BucketDeed.Withdraw(claim.uid(), name, !isKept),
                        result -> withdrawn(claim.object(), result, last, now))))
                .orElse(last);
    }

    /// Who cannot delete a bucket elsewhere says so, and tries again.
    static Plan withdrawn(Resource object, Json result, Plan last, Instant now) {
        return problem(result)
                .map(problem -> Plan.none()
                        .then(Change.Event.warning(object, "BucketNotDeleted", problem))
                        .then(Plan.lookAgainAt(now.plus(PATIENCE))))
                .orElse(last);
    }

    /// The claim goes last: whatever interrupts us, we begin again.
    private static Plan farewell(Claim claim, ClaimFacts facts, boolean isKept) {
        var plan = Plan.none();
        for (var child : List.of(facts.secret(), facts.configMap())) {
            if (child.isPresent() && claim.owns(child.get())) {
                var kind = child.get().kind().equals("Secret") ? Secrets.KIND : ConfigMaps.KIND;
                plan = plan.then(withoutFinalizer(kind, child.get())).delete(kind, child.get());
            }
        }
        var bucket = facts.bucket().filter(seen -> isOf(claim, seen));
        if (bucket.isPresent() && isKept) {
            plan = plan.setStatus(BucketKinds.BUCKET, bucket.get(), Json.Obj.of("phase", Json.of("Released")));
        } else if (bucket.isPresent()) {
            plan = plan.then(withoutFinalizer(BucketKinds.BUCKET, bucket.get()))
                    .delete(BucketKinds.BUCKET, bucket.get());
        }
        return plan.then(withoutFinalizer(BucketKinds.CLAIM, claim.object()));
    }

    static Plan withoutFinalizer(Kind<?> kind, Resource seen) {
        if (!seen.finalizers().contains(Claim.FINALIZER)) {
            return Plan.none();
        }
        var metadata = Json.Obj.of("finalizers", Json.Arr.ofStrings(Claim.without(seen)));
        return Plan.none().patch(kind, seen, Json.Obj.of("metadata", metadata));
    }
}

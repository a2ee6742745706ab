package dev.towtank.controllers.buckets;

import dev.towtank.cluster.Cache;
import dev.towtank.cluster.Caches;
import dev.towtank.cluster.Controller;
import dev.towtank.cluster.Definitions;
import dev.towtank.cluster.Feature;
import dev.towtank.cluster.ObjectName;
import dev.towtank.cluster.Observed;
import dev.towtank.cluster.Permission;
import dev.towtank.cluster.Place;
import dev.towtank.cluster.Running;
import dev.towtank.cluster.Trigger;
import dev.towtank.controllers.buckets.api.BucketKinds;
import dev.towtank.controllers.buckets.source.BucketStore;
import dev.towtank.controllers.buckets.source.S3Doors;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.Resource;
import dev.towtank.model.crd.KindBehaviour;
import dev.towtank.model.kinds.core.ConfigMaps;
import dev.towtank.model.kinds.core.Namespaces;
import dev.towtank.model.kinds.core.Secrets;
import dev.towtank.model.kinds.core.Services;
import dev.towtank.model.kinds.discovery.EndpointSlices;
import dev.towtank.model.kinds.storage.StorageClasses;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;

/// Buckets for those who claim them, on an object store in this process, which starts with the first claim.
public final class BucketsFeature implements Feature {

    @Override
    public String name() {
        return "buckets";
    }

    @Override
    public Definitions definitions() {
        return Definitions.of(BucketsFeature.class, "crds/objectbucket.yaml", "crds/noobaa.yaml", "crds/objects.yaml");
    }

    @Override
    public List<KindBehaviour> behaviours() {
        return List.of(new ClaimRules());
    }

    @Override
    public List<Permission> permissions() {
        return Permission.read("""
                read create update patch delete | core | secrets configmaps
                read create patch | core | namespaces services
                read create patch | discovery.k8s.io | endpointslices
                read | storage.k8s.io | storageclasses
                read create update patch delete | objectbucket.io noobaa.io | *
                create update patch | core events.k8s.io | events
                """);
    }

    @Override
    public Running start(Place place) {
        var store = new BucketStore(place::directory, place.timers());
        var doors = new S3Doors(place.web(), Doorway.NAMES, store, place.timers());
        return Running.of(
                        claims(place.caches(), store, doors),
                        objectBuckets(place.caches(), store),
                        noOp("noobaa-controller", BucketKinds.NOOBAA),
                        noOp("backingstore-controller", BucketKinds.BACKING_STORE))
                .closing(doors::close);
    }

    private static Controller<Json.Obj, Boolean> noOp(String name, Kind<Json.Obj> kind) {
        return Controller.of(name, kind, _ -> true, new NoOpReconciler(kind));
    }

    private static Controller<Json.Obj, ClaimFacts> claims(Caches caches, BucketStore store, S3Doors doors) {
        var world = new World(caches, doors);
        return Controller.of("objectbucketclaim-controller", BucketKinds.CLAIM, world::around, new ClaimReconciler())
                .wokenBy(Trigger.owned(Secrets.KIND, BucketKinds.CLAIM))
                .wokenBy(Trigger.owned(ConfigMaps.KIND, BucketKinds.CLAIM))
                .wokenBy(Trigger.of(BucketKinds.BUCKET, BucketsFeature::claimOf))
                .wokenBy(Trigger.of(StorageClasses.KIND, world.claims(seen -> _ -> true)))
                .wokenBy(Trigger.of(
                        EndpointSlices.KIND,
                        world.claims(seen -> _ -> seen.name().equals(Doorway.SLICE))))
                .doing(BucketDeed.Open.class, _ -> ports(doors.open()).json())
                .doing(
                        BucketDeed.Provide.class,
                        deed -> store.provide(deed.claim(), deed.bucket(), deed.rotation())
                                .<Json>map(keys -> keys)
                                .orElse(Json.Null.NULL))
                .doing(BucketDeed.Withdraw.class, deed -> withdraw(store, deed));
    }

    private static Controller<Json.Obj, Optional<Resource>> objectBuckets(Caches caches, BucketStore store) {
        var claims = caches.of(BucketKinds.CLAIM);
        return Controller.of(
                        "objectbucket-controller",
                        BucketKinds.BUCKET,
                        bucket -> claimOf(bucket.object()).stream()
                                .map(claims::get)
                                .flatMap(Optional::stream)
                                .findFirst(),
                        new ObjectBucketReconciler())
                .wokenBy(Trigger.of(
                        BucketKinds.CLAIM,
                        claim -> List.of(new ObjectName(
                                claim.cluster(), "", Claim.bucketObject(claim.namespace(), claim.name())))))
                .doing(BucketDeed.Withdraw.class, deed -> withdraw(store, deed));
    }

    private static Json withdraw(BucketStore store, BucketDeed.Withdraw deed) throws IOException {
        store.revoke(deed.claim());
        if (deed.bucketToo()) {
            store.remove(deed.claim(), deed.bucket());
        }
        return Json.Null.NULL;
    }

    private static S3Ports ports(S3Doors.Numbers numbers) {
        return new S3Ports(numbers.http(), numbers.https());
    }

    private static List<ObjectName> claimOf(Resource bucket) {
        var reference = bucket.spec().object("claimRef");
        return List.of(new ObjectName(bucket.cluster(), reference.string("namespace"), reference.string("name")));
    }

    /// Where facts come from.
    private static final class World {
        private final Cache claims;
        private final Cache classes;
        private final Cache secrets;
        private final Cache configMaps;
        private final Cache buckets;
        private final Cache namespaces;
        private final Cache services;
        private final Cache slices;
        private final S3Doors doors;

        World(Caches caches, S3Doors doors) {
            this.doors = doors;
            claims = caches.of(BucketKinds.CLAIM);
            classes = caches.of(StorageClasses.KIND);
            secrets = caches.of(Secrets.KIND);
            configMaps = caches.of(ConfigMaps.KIND);
            buckets = caches.of(BucketKinds.BUCKET);
            namespaces = caches.of(Namespaces.KIND);
            services = caches.of(Services.KIND);
            slices = caches.of(EndpointSlices.KIND);
        }

        ClaimFacts around(Observed<Json.Obj> observed) {
            var object = observed.object();
            var claim = new Claim(object);
            var cluster = object.cluster();
            return new ClaimFacts(
                    classes.get(new ObjectName(cluster, "", claim.storageClass())),
                    secrets.get(observed.name()),
                    configMaps.get(observed.name()),
                    buckets.get(new ObjectName(cluster, "", claim.bucketObject())),
                    new Doorway(
                            doors.numbers().map(BucketsFeature::ports),
                            namespaces.get(new ObjectName(cluster, "", Doorway.NAMESPACE)),
                            services.get(new ObjectName(cluster, Doorway.NAMESPACE, Doorway.SERVICE)),
                            slices.get(new ObjectName(cluster, Doorway.NAMESPACE, Doorway.SLICE))));
        }

        /// All claims of the object's logical cluster, where it is one that they wait for.
        Function<Resource, List<ObjectName>> claims(Function<Resource, Predicate<Resource>> which) {
            return seen -> claims.list().stream()
                    .filter(claim -> claim.cluster().equals(seen.cluster()))
                    .filter(which.apply(seen))
                    .map(ObjectName::of)
                    .toList();
        }
    }
}

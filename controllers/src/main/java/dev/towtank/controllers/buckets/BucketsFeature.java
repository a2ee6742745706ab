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
import dev.towtank.controllers.buckets.s3.OutsideKey;
import dev.towtank.controllers.buckets.s3.OutsidePlace;
import dev.towtank.controllers.buckets.source.BucketStore;
import dev.towtank.controllers.buckets.source.Gateway;
import dev.towtank.controllers.buckets.source.OutsideBuckets;
import dev.towtank.controllers.buckets.source.OutsideStores;
import dev.towtank.controllers.buckets.source.S3Doors;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.LogicalCluster;
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
                """);
    }

    @Override
    public Running start(Place place) {
        var store = new BucketStore(place::directory, place.timers());
        var places = new Places(place.caches());
        var stores = new OutsideStores(place.timers());
        var elsewhere = new OutsideBuckets(store, stores, places::find);
        var doors = new S3Doors(place.web(), Doorway.NAMES, store, new Gateway(stores, places::find), place.timers());
        var work = new Work(store, elsewhere);
        return Running.of(
                        claims(place.caches(), work, doors, places),
                        objectBuckets(place.caches(), work),
                        noOp("noobaa-controller", BucketKinds.NOOBAA),
                        noOp("backingstore-controller", BucketKinds.BACKING_STORE))
                .closing(doors::close)
                .closing(stores::close);
    }

    /// Where classes have their buckets, when that is elsewhere.
    private record Places(Cache classes, Cache secrets) {

        Places(Caches caches) {
            this(caches.of(StorageClasses.KIND), caches.of(Secrets.KIND));
        }

        Optional<OutsidePlace> find(OutsideKey key) {
            var cluster = new LogicalCluster(key.cluster());
            return classes.get(new ObjectName(cluster, "", key.storageClass()))
                    .flatMap(seen -> OutsidePlace.Wish.of(seen)
                            .flatMap(wish -> admin(seen).flatMap(wish::place)));
        }

        Optional<Resource> admin(Resource storageClass) {
            return OutsidePlace.Wish.of(storageClass)
                    .flatMap(wish ->
                            secrets.get(new ObjectName(storageClass.cluster(), wish.namespace(), wish.secret())));
        }

        boolean isAdmin(Resource secret, Resource claim) {
            return classes.get(new ObjectName(claim.cluster(), "", new Claim(claim).storageClass()))
                    .flatMap(OutsidePlace.Wish::of)
                    .filter(wish -> wish.namespace().equals(secret.namespace())
                            && wish.secret().equals(secret.name()))
                    .isPresent();
        }
    }

    /// Does deeds.
    private record Work(BucketStore store, OutsideBuckets elsewhere) {

        Json provide(BucketDeed.Provide deed) throws IOException, InterruptedException {
            var wanted = new BucketStore.Wanted(deed.claim(), deed.bucket(), deed.rotation(), deed.more());
            if (deed.outside().isEmpty()) {
                return store.provide(wanted).<Json>map(keys -> keys).orElse(Json.Null.NULL);
            }
            try {
                return elsewhere
                        .provide(wanted, deed.outside().get())
                        .<Json>map(keys -> keys)
                        .orElse(Json.Null.NULL);
            } catch (IOException e) {
                return problem(e);
            }
        }

        private static Json problem(IOException e) {
            return Json.Obj.of("problem", Json.of(String.valueOf(e.getMessage())));
        }

        Json withdraw(BucketDeed.Withdraw deed) throws IOException, InterruptedException {
            store.revoke(deed.claim());
            if (deed.bucketToo()) {
                try {
                    elsewhere.remove(deed.claim(), deed.bucket());
                } catch (IOException e) {
                    return problem(e);
                }
                store.removeAll(deed.claim());
            }
            return Json.Null.NULL;
        }
    }

    private static Controller<Json.Obj, Boolean> noOp(String name, Kind<Json.Obj> kind) {
        return Controller.of(name, kind, _ -> true, new NoOpReconciler(kind));
    }

    private static Controller<Json.Obj, ClaimFacts> claims(Caches caches, Work work, S3Doors doors, Places places) {
        var world = new World(caches, doors, places);
        return Controller.of(
                        "objectbucketclaim-controller", BucketKinds.CLAIM, world::around, new BucketClaimReconciler())
                .wokenBy(Trigger.owned(Secrets.KIND, BucketKinds.CLAIM))
                .wokenBy(Trigger.owned(ConfigMaps.KIND, BucketKinds.CLAIM))
                .wokenBy(Trigger.of(BucketKinds.BUCKET, BucketsFeature::claimOf))
                .wokenBy(Trigger.of(Secrets.KIND, world.claims(secret -> claim -> places.isAdmin(secret, claim))))
                .wokenBy(Trigger.of(StorageClasses.KIND, world.claims(seen -> _ -> true)))
                .wokenBy(Trigger.of(
                        EndpointSlices.KIND,
                        world.claims(seen -> _ -> seen.name().equals(Doorway.SLICE))))
                .doing(BucketDeed.Open.class, _ -> ports(doors.open()).json())
                .doing(BucketDeed.Provide.class, work::provide)
                .doing(BucketDeed.Withdraw.class, work::withdraw);
    }

    private static Controller<Json.Obj, Optional<Resource>> objectBuckets(Caches caches, Work work) {
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
                .doing(BucketDeed.Withdraw.class, work::withdraw);
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
        private final Places places;

        World(Caches caches, S3Doors doors, Places places) {
            this.doors = doors;
            this.places = places;
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
            var storageClass = classes.get(new ObjectName(cluster, "", claim.storageClass()));
            return new ClaimFacts(
                    storageClass,
                    secrets.get(observed.name()),
                    configMaps.get(observed.name()),
                    buckets.get(new ObjectName(cluster, "", claim.bucketObject())),
                    claim.alias().flatMap(name -> secrets.get(new ObjectName(cluster, object.namespace(), name))),
                    storageClass.flatMap(places::admin),
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

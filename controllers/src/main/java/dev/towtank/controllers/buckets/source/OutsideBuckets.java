package dev.towtank.controllers.buckets.source;

import dev.towtank.controllers.buckets.s3.OutsideKey;
import dev.towtank.controllers.buckets.s3.OutsidePlace;
import dev.towtank.model.Json;
import java.io.IOException;
import java.util.Optional;
import java.util.function.Function;

/// Buckets in object stores elsewhere. Who has a claim gets keys of this server, which open the one bucket through it;
/// the administrator's keys are never handed out.
public final class OutsideBuckets {

    private final BucketStore store;
    private final OutsideStores stores;
    private final Function<OutsideKey, Optional<OutsidePlace>> places;

    /// @param places where a class has its buckets now
    public OutsideBuckets(
            BucketStore store, OutsideStores stores, Function<OutsideKey, Optional<OutsidePlace>> places) {
        this.store = store;
        this.stores = stores;
        this.places = places;
    }

    private OutsidePlace place(OutsideKey key) throws IOException {
        return places.apply(key)
                .orElseThrow(() -> new IOException("StorageClass " + key.storageClass()
                        + " is gone, or no longer says where its object store is and with which keys it is opened"));
    }

    /// As [BucketStore#provide]. A bucket that is there already is never taken, even where the keys would open it.
    public Optional<Json.Obj> provide(BucketStore.Wanted wanted, OutsideKey key)
            throws IOException, InterruptedException {
        var bucket = wanted.bucket();
        var place = place(key);
        var owner = store.owner(bucket);
        if (owner.filter(each -> !each.claim().equals(wanted.claim())).isPresent()) {
            return Optional.empty();
        }
        if (owner.isEmpty()) {
            if (stores.exists(place, bucket)) {
                return Optional.empty();
            }
            // From here on it is ours when it is there, whenever we are interrupted.
            store.own(bucket, new Owner(wanted.claim(), Optional.of(key), false));
        }
        if (owner.filter(Owner::isMade).isEmpty()) {
            if (!stores.make(place, bucket)) {
                store.remove(wanted.claim(), bucket);
                return Optional.empty();
            }
            store.own(bucket, new Owner(wanted.claim(), Optional.of(key), true));
        }
        return Optional.of(store.keys(wanted));
    }

    /// Deletes it there, with all that is in it.
    public void remove(String claim, String bucket) throws IOException, InterruptedException {
        var key = store.outside(claim, bucket);
        if (key.isPresent()) {
            stores.remove(place(key.get()), bucket);
        }
    }
}

package dev.towtank.apiserver.upkeep;

import dev.towtank.apiserver.Api;
import dev.towtank.apiserver.Catalog;
import dev.towtank.apiserver.admission.QuotaCount;
import dev.towtank.apiserver.store.Change;
import dev.towtank.apiserver.store.Key;
import dev.towtank.apiserver.store.Range;
import dev.towtank.apiserver.store.Store;
import dev.towtank.model.GroupResource;
import dev.towtank.model.Json;
import dev.towtank.model.LogicalCluster;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.Consumer;

/// Counts again what quotas have in use whenever something in their namespace changes. Looked at is a namespace.
public final class QuotaRecount implements StoreLoop.Task<QuotaRecount.Place> {

    private static final GroupResource QUOTAS = new GroupResource("", "resourcequotas");

    /// Pods whose time is over count no longer without any change of theirs.
    private static final Duration EVERY = Duration.ofMinutes(5);

    /// A namespace of a logical cluster.
    public record Place(LogicalCluster cluster, String namespace) {}

    private final Store store;
    private final Caretaker caretaker;
    private final QuotaCount count;
    private Instant next = Instant.MIN;

    public QuotaRecount(Store store, Api api, Catalog catalog, InstantSource clock) {
        this.store = store;
        this.caretaker = new Caretaker(api, catalog, Caretaker.controller("resourcequota-controller"));
        this.count = new QuotaCount(store, this::write, clock);
    }

    private void write(LogicalCluster cluster, Json.Obj quota) {
        var metadata = quota.object("metadata");
        caretaker.update(
                new Key(QUOTAS, cluster, metadata.string("namespace"), metadata.string("name")), "status", quota);
    }

    @Override
    public void reset() {
        next = Instant.MIN;
    }

    @Override
    public void observe(Change change, Consumer<Place> touched) {
        var key = change.key();
        if (!key.namespace().isEmpty() && hasQuota(key)) {
            touched.accept(new Place(key.cluster(), key.namespace()));
        }
    }

    private boolean hasQuota(Key key) {
        return key.resource().equals(QUOTAS) || store.count(Range.of(QUOTAS, key.cluster(), key.namespace())) > 0;
    }

    @Override
    public void tick(Instant now, Consumer<Place> touched) {
        if (now.isBefore(next)) {
            return;
        }
        next = now.plus(EVERY);
        for (var quota : store.list(Range.of(QUOTAS), 0, null, 0).items()) {
            touched.accept(new Place(quota.key().cluster(), quota.key().namespace()));
        }
    }

    @Override
    public void look(Place place) {
        count.recount(place.cluster(), place.namespace());
    }
}

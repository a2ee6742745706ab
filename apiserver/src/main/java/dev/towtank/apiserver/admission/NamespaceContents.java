package dev.towtank.apiserver.admission;

import dev.towtank.apiserver.store.Key;
import dev.towtank.apiserver.store.Store;
import dev.towtank.apiserver.store.Write;
import dev.towtank.model.GroupResource;
import dev.towtank.model.Json;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.kinds.core.NamespaceStandards;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/// A namespace is born with what every pod in it needs: a service account and the certificate of the server.
///
/// Committed together with the namespace, so that a pod can be created the moment the namespace exists.
public final class NamespaceContents implements Admission {

    private final Store store;
    private final String authority;
    private final InstantSource clock;
    private final Supplier<String> uids;

    /// @param authority the certificates, as PEM, that clients inside pods trust
    public NamespaceContents(Store store, String authority, InstantSource clock, Supplier<String> uids) {
        this.store = store;
        this.authority = authority;
        this.clock = clock;
        this.uids = uids;
    }

    @Override
    public List<Write> alongside(Review review) {
        boolean creates = review.operation() == Review.Operation.CREATE && review.isWholeObject("", "Namespace");
        return creates ? of(review.cluster(), review.name()) : List.of();
    }

    /// What a namespace begins with, as far as it is not there.
    public List<Write> of(LogicalCluster cluster, String namespace) {
        var writes = new ArrayList<Write>();
        add(writes, cluster, "serviceaccounts", NamespaceStandards.account(namespace));
        add(writes, cluster, "configmaps", NamespaceStandards.certificates(namespace, authority));
        return writes;
    }

    private void add(List<Write> writes, LogicalCluster cluster, String resource, Json.Obj object) {
        var metadata = object.object("metadata");
        var key = new Key(
                new GroupResource("", resource), cluster, metadata.string("namespace"), metadata.string("name"));
        if (store.get(key) == null) {
            writes.add(new Write.Create(key, born(object)));
        }
    }

    private Json.Obj born(Json.Obj object) {
        var metadata = object.object("metadata")
                .with("uid", Json.of(uids.get()))
                .with(
                        "creationTimestamp",
                        Json.of(clock.instant().truncatedTo(ChronoUnit.SECONDS).toString()));
        return object.with("metadata", metadata);
    }
}

package dev.towtank.apiserver.registry;

import dev.towtank.apiserver.admission.Admission;
import dev.towtank.apiserver.admission.NamespaceContents;
import dev.towtank.apiserver.admission.Review;
import dev.towtank.apiserver.catalog.Metadata;
import dev.towtank.apiserver.store.Key;
import dev.towtank.apiserver.store.Write;
import dev.towtank.model.Json;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.kinds.LogicalClusters;
import dev.towtank.model.kinds.core.Namespaces;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/// A logical cluster begins with the namespaces that clients expect, or as a snapshot was, in the same commit as
/// its object.
public final class NewCluster implements Admission {

    private static final List<String> NAMESPACES = List.of("default", "kube-node-lease", "kube-public", "kube-system");

    private final NamespaceContents contents;
    private final Snapshots snapshots;
    private final InstantSource clock;
    private final RandomGenerator random;

    public NewCluster(NamespaceContents contents, Snapshots snapshots, InstantSource clock, RandomGenerator random) {
        this.contents = contents;
        this.snapshots = snapshots;
        this.clock = clock;
        this.random = random;
    }

    @Override
    public List<Write> alongside(Review review) {
        boolean creates = review.operation() == Review.Operation.CREATE && review.isKind(LogicalClusters.KIND);
        var object = review.object();
        if (!creates || object == null) {
            return List.of();
        }
        var cluster = new LogicalCluster(review.name());
        var snapshot = LogicalClusters.snapshot(object);
        var writes = new ArrayList<Write>();
        writes.add(Clusters.birth(cluster));
        writes.addAll(snapshot.isEmpty() ? contents(cluster) : snapshots.copies(review.call(), cluster, snapshot));
        return writes;
    }

    /// What a new cluster contains.
    public List<Write> contents(LogicalCluster cluster) {
        var writes = new ArrayList<Write>();
        for (var name : NAMESPACES) {
            writes.add(namespace(cluster, name));
            writes.addAll(contents.of(cluster, name));
        }
        return writes;
    }

    private Write namespace(LogicalCluster cluster, String name) {
        var rules = Namespaces.KIND.rules();
        var object = withSystemMetadata(
                Json.Obj.of(
                        "apiVersion",
                        Json.of("v1"),
                        "kind",
                        Json.of(Namespaces.KIND.kind()),
                        "metadata",
                        Json.Obj.of("name", Json.of(name))),
                clock.instant(),
                random);
        var key = new Key(Namespaces.KIND.resource(), cluster, "", name);
        return new Write.Create(key, Metadata.ordered(rules.defaults(rules.prepareCreate(rules.defaults(object)))));
    }

    /// A cluster-scoped object as it is stored the first time.
    public static Json.Obj withSystemMetadata(Json.Obj object, Instant now, RandomGenerator random) {
        var given = object.object("metadata");
        var metadata = Metadata.forCreate(given, given.string("name"), "", Metadata.uid(random), now, false);
        return Metadata.ordered(object.with("metadata", metadata));
    }

    public static String uid(RandomGenerator random) {
        return Metadata.uid(random);
    }
}

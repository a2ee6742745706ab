package dev.towtank.apiserver.registry;

import dev.towtank.apiserver.Call;
import dev.towtank.apiserver.admission.Admission;
import dev.towtank.apiserver.admission.Review;
import dev.towtank.apiserver.catalog.Metadata;
import dev.towtank.apiserver.store.Key;
import dev.towtank.apiserver.store.Range;
import dev.towtank.apiserver.store.Store;
import dev.towtank.apiserver.store.Stored;
import dev.towtank.apiserver.store.Write;
import dev.towtank.model.FieldError;
import dev.towtank.model.GroupResource;
import dev.towtank.model.Json;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Path;
import dev.towtank.model.StatusError;
import dev.towtank.model.kinds.ClusterSnapshots;
import dev.towtank.model.kinds.LogicalClusters;
import dev.towtank.model.kinds.core.Services;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// What was in a logical cluster, kept for others to begin with.
///
/// It lies in the store beside what is served, where nobody finds it who does not ask for it here: no kind is served
/// from it, and no controller sees it. It comes and goes in the commits of its ClusterSnapshot.
public final class Snapshots implements Admission {

    private static final GroupResource CONTENTS = new GroupResource("towtank.dev", "snapshotcontents");
    private static final int MOST_OBJECTS = 20_000;
    private static final int PAGE = 500;

    private final Store store;
    private final Admission addresses;
    private final InstantSource clock;
    private final RandomGenerator random;

    /// @param addresses gives Services theirs
    public Snapshots(Store store, Admission addresses, InstantSource clock, RandomGenerator random) {
        this.store = store;
        this.addresses = addresses;
        this.clock = clock;
        this.random = random;
    }

    @Override
    public Json.Obj change(Review review, Json.Obj object) {
        boolean isNew = review.operation() == Review.Operation.CREATE
                && review.isWholeObject("towtank.dev", ClusterSnapshots.KIND.kind());
        if (!isNew || !LogicalCluster.isValid(object.string("spec", "cluster"))) {
            return object;
        }
        int count = kept(source(object)).size();
        return object.with("status", Json.Obj.of("objects", Json.of(count)));
    }

    private static LogicalCluster source(Json.Obj snapshot) {
        return new LogicalCluster(snapshot.string("spec", "cluster"));
    }

    @Override
    public void check(Review review) {
        var object = review.object();
        if (object == null || review.operation() != Review.Operation.CREATE) {
            return;
        }
        if (review.isKind(ClusterSnapshots.KIND)) {
            new Clusters(store).check(source(object));
            if (kept(source(object)).size() > MOST_OBJECTS) {
                throw review.forbidden("cluster " + source(object) + " has more than " + MOST_OBJECTS
                        + " objects, which is the most that a snapshot has");
            }
        }
        var begins = review.isKind(LogicalClusters.KIND) ? LogicalClusters.snapshot(object) : "";
        if (!begins.isEmpty() && find(begins).isEmpty()) {
            var errors = new FieldError.Collector();
            errors.notFound(Path.of("spec", "snapshot"), Json.of(begins));
            throw StatusError.invalid(LogicalClusters.KIND, review.name(), errors.errors());
        }
    }

    private Optional<Stored> find(String name) {
        return Optional.ofNullable(
                store.get(new Key(ClusterSnapshots.KIND.resource(), LogicalCluster.DEFAULT, "", name)));
    }

    @Override
    public List<Write> alongside(Review review) {
        if (!review.isWholeObject("towtank.dev", ClusterSnapshots.KIND.kind())) {
            return List.of();
        }
        return switch (review.operation()) {
            case CREATE -> taken(review);
            case DELETE -> isHeld(review.old()) ? List.of() : forgotten(review.name());
            case UPDATE -> isReleased(review) ? forgotten(review.name()) : List.of();
            case CONNECT -> List.of();
        };
    }

    private static boolean isHeld(Json.@Nullable Obj snapshot) {
        return snapshot != null && snapshot.array("metadata", "finalizers").size() > 0;
    }

    /// An update that takes the last finalizer off something that waits to go is its deletion.
    private static boolean isReleased(Review review) {
        var object = review.object();
        return object != null && object.object("metadata").has("deletionTimestamp") && !isHeld(object);
    }

    private record Found(Key key, Json.Obj object) {}

    private List<Found> kept(LogicalCluster cluster) {
        var all = new ArrayList<Found>();
        for (var stored : store.list(Range.of(cluster), 0, null, 0).items()) {
            SnapshotCopy.kept(stored.key(), stored.tree()).ifPresent(tree -> all.add(new Found(stored.key(), tree)));
        }
        return all;
    }

    private List<Write> taken(Review review) {
        var object = review.object();
        var writes = new ArrayList<Write>();
        for (var found : kept(source(object == null ? Json.Obj.EMPTY : object))) {
            var name = String.format(Locale.ROOT, "%s.%08d", review.name(), writes.size());
            var content = Json.Obj.builder()
                    .put("metadata", Json.Obj.of("name", Json.of(name), "uid", Json.of("content-" + name)))
                    .put("group", found.key.resource().group())
                    .put("resource", found.key.resource().resource())
                    .put("namespace", found.key.namespace())
                    .put("name", found.key.name())
                    .put("object", found.object)
                    .build();
            writes.add(new Write.Create(new Key(CONTENTS, LogicalCluster.DEFAULT, "", name), content));
        }
        return writes;
    }

    private List<Write> forgotten(String name) {
        var writes = new ArrayList<Write>();
        contents(name).forEach(each -> writes.add(new Write.Delete(each.key(), each.revision(), each.tree())));
        return writes;
    }

    private List<Stored> contents(String name) {
        Predicate<Stored> isPart = each -> each.key().name().startsWith(name + ".");
        var all = new ArrayList<Stored>();
        var after = new Key(CONTENTS, LogicalCluster.DEFAULT, "", name + ".");
        while (true) {
            var page = store.list(Range.of(CONTENTS, LogicalCluster.DEFAULT, ""), 0, after, PAGE);
            page.items().stream().filter(isPart).forEach(all::add);
            if (!page.more() || !isPart.test(page.items().getLast())) {
                return all;
            }
            after = page.items().getLast().key();
        }
    }

    /// All that a new cluster has that begins with a snapshot.
    ///
    /// @param call that makes the cluster
    List<Write> copies(Call call, LogicalCluster cluster, String snapshot) {
        var parts = contents(snapshot);
        var uids = new HashMap<String, String>();
        for (var part : parts) {
            var uid = part.tree().string("object", "metadata", "uid");
            if (!uid.isEmpty()) {
                uids.put(uid, Metadata.uid(random));
            }
        }
        var copy = new SnapshotCopy(uids, clock.instant());
        var writes = new ArrayList<Write>();
        // It must still be that one when this is written.
        find(snapshot).ifPresent(found -> writes.add(new Write.Check(found.key(), found.revision())));
        for (var part : parts) {
            var tree = part.tree();
            var key = new Key(
                    new GroupResource(tree.string("group"), tree.string("resource")),
                    cluster,
                    tree.string("namespace"),
                    tree.string("name"));
            var object = Metadata.ordered(copy.of(key, tree.object("object")));
            if (key.resource().equals(Services.KIND.resource())) {
                service(call, key, object, writes);
            } else {
                writes.add(new Write.Create(key, object));
            }
        }
        return writes;
    }

    /// Each with addresses that no other has, of those that are copied with it neither.
    private void service(Call call, Key key, Json.Obj object, List<Write> writes) {
        var inside = new Call(call.user(), key.cluster(), call.verb(), call.target(), call.params(), call.body());
        var taken = writes.stream().map(Write::key).collect(Collectors.toSet());
        while (true) {
            var housed = addresses.change(review(inside, key, object), object);
            var notes = addresses.alongside(review(inside, key, housed));
            if (notes.stream().noneMatch(note -> taken.contains(note.key()))) {
                writes.addAll(notes);
                writes.add(new Write.Create(key, housed));
                return;
            }
        }
    }

    private static Review review(Call call, Key key, Json.Obj object) {
        return new Review(call, Services.KIND, Review.Operation.CREATE, key.namespace(), key.name(), "", object, null);
    }
}

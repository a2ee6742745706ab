package dev.towtank.cluster.testing;

import dev.towtank.cluster.Cluster;
import dev.towtank.cluster.ObjectName;
import dev.towtank.cluster.Selection;
import dev.towtank.cluster.Watch;
import dev.towtank.model.FieldError;
import dev.towtank.model.GroupResource;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.Path;
import dev.towtank.model.Resource;
import dev.towtank.model.StatusError;
import dev.towtank.model.apply.Ownership;
import dev.towtank.model.apply.Shape;
import dev.towtank.model.apply.Versions;
import dev.towtank.model.apply.Writer;
import dev.towtank.model.patch.JsonPatch;
import dev.towtank.model.patch.MergePatch;
import dev.towtank.model.patch.Patch;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// A cluster in memory, honest about what controllers rely on: versions, conflicts, watches, finalizers, subresources.
///
/// It knows no schemas, validation or permissions, collects garbage only when told, and takes neither strategic patches
/// nor apply.
public final class FakeCluster implements Cluster {

    private final InstantSource clock;
    private final FakeHistory history = new FakeHistory();
    private final Map<GroupResource, TreeMap<ObjectName, Resource>> objects = new TreeMap<>();
    private long generated;

    public FakeCluster(InstantSource clock) {
        this.clock = clock;
    }

    @Override
    public synchronized Optional<Resource> get(Kind<?> kind, ObjectName name) {
        return Optional.ofNullable(all(kind).get(name));
    }

    @Override
    public synchronized Listing list(Kind<?> kind, Selection selection) {
        var selector = new FakeSelector(selection);
        var items = all(kind).values().stream().filter(selector::matches).toList();
        return new Listing(Long.toString(history.revision()), items);
    }

    @Override
    public synchronized Watch watch(Kind<?> kind, Selection selection, String afterResourceVersion) {
        return history.watch(kind, new FakeSelector(selection), Long.parseLong(afterResourceVersion));
    }

    /// As if the server forgot what happened until now: older watches can no longer begin.
    public void forgetHistory() {
        history.forget();
    }

    /// As servers do after some minutes.
    public void endWatches() {
        history.endWatches();
    }

    public long revision() {
        return history.revision();
    }

    /// Stores an object exactly as given, with its uid and status: the beginning of a test.
    public synchronized Resource given(Kind<?> kind, Resource object) {
        return store(kind, all(kind).get(ObjectName.of(object)), object);
    }

    @Override
    public synchronized Resource create(Kind<?> kind, Resource object, WriteOptions options) {
        var metadata = object.metadata();
        if (!object.resourceVersion().isEmpty()) {
            throw StatusError.badRequest("resourceVersion should not be set on objects to be created");
        }
        var name = object.name().isEmpty() ? generatedName(kind, object) : object.name();
        var full = metadata.with("name", Json.of(name))
                .with("uid", Json.of("00000000-0000-4000-8000-%012d".formatted(++generated)))
                .with("creationTimestamp", Json.of(now()));
        var json = object.json()
                .with("apiVersion", Json.of(kind.apiVersion()))
                .with("kind", Json.of(kind.kind()))
                .with("metadata", kind.rules().countsGenerations() ? full.with("generation", Json.of(1)) : full);
        var created = object.with(kind.hasStatus() ? json.without("status") : json);
        if (all(kind).containsKey(ObjectName.of(created))) {
            throw StatusError.alreadyExists(kind.resource(), name);
        }
        return options.dryRun() ? created : store(kind, null, created);
    }

    private String generatedName(Kind<?> kind, Resource object) {
        var prefix = object.metadata().string("generateName");
        if (prefix.isEmpty()) {
            var errors = new FieldError.Collector();
            errors.required(Path.of("metadata", "name"), "name or generateName is required");
            throw StatusError.invalid(kind, "", errors.errors());
        }
        return prefix + "%05d".formatted(++generated);
    }

    @Override
    public synchronized Resource update(Kind<?> kind, Resource object, WriteOptions options) {
        return change(kind, ObjectName.of(object), options, _ -> object.json());
    }

    @Override
    public synchronized Resource patch(Kind<?> kind, ObjectName name, Patch patch, WriteOptions options) {
        return switch (patch) {
            case Patch.Merge(var body) ->
                change(kind, name, options, old -> sameUid(kind, old, MergePatch.apply(old, body)));
            case Patch.Operations(var operations) ->
                change(kind, name, options, old -> sameUid(kind, old, (Json.Obj) JsonPatch.apply(old, operations)));
            case Patch.Apply(var body) -> apply(kind, name, body, options);
            case Patch.Strategic _ ->
                throw new StatusError(
                        StatusError.Reason.UNSUPPORTED_MEDIA_TYPE, "the fake cluster takes no strategic merge patches");
        };
    }

    /// Knows no schemas, so a list has one owner.
    private Resource apply(Kind<?> kind, ObjectName name, Json.Obj body, WriteOptions options) {
        var ownership = new Ownership(Versions.only(kind.apiVersion(), () -> Shape.Unknown.UNKNOWN));
        var writer = new Writer(options.fieldManager(), kind.apiVersion(), options.subresource());
        if (all(kind).get(name) == null) {
            var owned = ownership.apply(Json.Obj.EMPTY, body, writer, options.force(), clock.instant());
            return create(kind, new Resource(name.cluster(), owned), options);
        }
        return change(kind, name, options, old -> ownership.apply(old, body, writer, options.force(), clock.instant()));
    }

    /// To a patch a uid is a field that must not change; to an update it is a precondition.
    private static Json.Obj sameUid(Kind<?> kind, Json.Obj old, Json.Obj patched) {
        var uid = patched.string("metadata", "uid");
        if (!uid.equals(old.string("metadata", "uid"))) {
            var errors = new FieldError.Collector();
            errors.invalid(Path.of("metadata", "uid"), uid, "field is immutable");
            throw StatusError.invalid(kind, old.string("metadata", "name"), errors.errors());
        }
        return patched;
    }

    private Resource change(Kind<?> kind, ObjectName name, WriteOptions options, UnaryOperator<Json.Obj> change) {
        var old = found(kind, name);
        var asked = old.with(change.apply(old.json()));
        check(kind, old, asked);
        var next = old.with(merged(kind, old, asked, options.subresource()));
        if (next.json().equals(old.json()) || options.dryRun()) {
            return next;
        }
        if (next.isDeleting() && next.finalizers().isEmpty()) {
            return remove(kind, next);
        }
        return store(kind, old, next);
    }

    private static void check(Kind<?> kind, Resource old, Resource asked) {
        if (!asked.resourceVersion().isEmpty() && !asked.resourceVersion().equals(old.resourceVersion())) {
            throw StatusError.conflict(
                    kind.resource(),
                    old.name(),
                    "the object has been modified; please apply your changes to the latest version and try again");
        }
        if (!asked.uid().isEmpty() && !asked.uid().equals(old.uid())) {
            throw StatusError.conflict(
                    kind.resource(),
                    old.name(),
                    "Precondition failed: UID in precondition: " + asked.uid() + ", UID in object meta: " + old.uid());
        }
    }

    /// The parts of the object that the (sub)resource lets a client change, over what the server keeps.
    private static Json.Obj merged(Kind<?> kind, Resource old, Resource asked, String subresource) {
        if (subresource.equals("status") && kind.hasStatus()) {
            return old.json().withOrWithout("status", asked.json().get("status"));
        } else if (!subresource.isEmpty()) {
            throw new StatusError(StatusError.Reason.NOT_FOUND, "the server could not find the requested resource");
        }
        var metadata = asked.metadata();
        for (var kept : List.of(
                "name",
                "namespace",
                "uid",
                "resourceVersion",
                "creationTimestamp",
                "deletionTimestamp",
                "deletionGracePeriodSeconds",
                "generation")) {
            metadata = metadata.withOrWithout(kept, old.metadata().get(kept));
        }
        var json = asked.json()
                .with("apiVersion", Json.of(kind.apiVersion()))
                .with("kind", Json.of(kind.kind()))
                .with("metadata", metadata);
        if (kind.hasStatus()) {
            json = json.withOrWithout("status", old.json().get("status"));
        }
        return kind.rules().countsGenerations() && !content(json).equals(content(old.json()))
                ? json.with(List.of("metadata", "generation"), Json.of(old.generation() + 1))
                : json;
    }

    private static Json.Obj content(Json.Obj json) {
        return json.without("metadata").without("status");
    }

    @Override
    public synchronized void delete(Kind<?> kind, ObjectName name, DeleteOptions options) {
        var old = found(kind, name);
        var conditions = old.metadata();
        options.uid()
                .ifPresent(uid ->
                        check(kind, old, old.with(Json.Obj.of("metadata", conditions.with("uid", Json.of(uid))))));
        options.resourceVersion()
                .ifPresent(revision -> check(
                        kind,
                        old,
                        old.with(Json.Obj.of("metadata", conditions.with("resourceVersion", Json.of(revision))))));
        var finalizers = finalizers(old, options);
        if (finalizers.isEmpty()) {
            remove(kind, old);
        } else if (!old.isDeleting()) {
            var metadata = old.metadata()
                    .with("finalizers", Json.Arr.ofStrings(finalizers))
                    .with("deletionTimestamp", Json.of(now()))
                    .with("deletionGracePeriodSeconds", Json.of(0));
            store(kind, old, old.with(old.json().with("metadata", metadata)));
        }
    }

    @Override
    public boolean hasLogicalClusters() {
        return true;
    }

    /// Deletes what has owners of which none exists any more.
    public synchronized void collectGarbage(List<? extends Kind<?>> kinds) {
        var uids = new HashSet<String>();
        objects.values().forEach(some -> some.values().forEach(object -> uids.add(object.uid())));
        for (var kind : kinds) {
            for (var object : List.copyOf(all(kind).values())) {
                var owners = object.owners();
                if (!owners.isEmpty() && owners.stream().noneMatch(owner -> uids.contains(owner.uid()))) {
                    delete(kind, ObjectName.of(object), DeleteOptions.DEFAULT);
                }
            }
        }
    }

    private static List<String> finalizers(Resource old, DeleteOptions options) {
        var finalizers = new ArrayList<>(old.finalizers());
        var added = options.propagation()
                .map(policy -> switch (policy) {
                    case FOREGROUND -> "foregroundDeletion";
                    case ORPHAN -> "orphan";
                    case BACKGROUND -> "";
                })
                .orElse("");
        if (!added.isEmpty() && !finalizers.contains(added)) {
            finalizers.add(added);
        }
        return finalizers;
    }

    private Resource found(Kind<?> kind, ObjectName name) {
        var found = all(kind).get(name);
        if (found == null) {
            throw StatusError.notFound(kind.resource(), name.name());
        }
        return found;
    }

    private Resource store(Kind<?> kind, @Nullable Resource before, Resource object) {
        var stored = history.add(kind, before, object, false);
        all(kind).put(ObjectName.of(stored), stored);
        return stored;
    }

    private Resource remove(Kind<?> kind, Resource object) {
        var before = all(kind).remove(ObjectName.of(object));
        return history.add(kind, before, object, true);
    }

    private Map<ObjectName, Resource> all(Kind<?> kind) {
        return objects.computeIfAbsent(kind.resource(), _ -> new TreeMap<>());
    }

    private String now() {
        return clock.instant().truncatedTo(ChronoUnit.SECONDS).toString();
    }
}

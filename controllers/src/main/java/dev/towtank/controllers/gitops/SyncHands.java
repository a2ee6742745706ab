package dev.towtank.controllers.gitops;

import dev.towtank.cluster.Cluster;
import dev.towtank.cluster.Deed;
import dev.towtank.cluster.ObjectName;
import dev.towtank.controllers.gitops.diff.ManagedFields;
import dev.towtank.controllers.gitops.source.ManyHands;
import dev.towtank.controllers.gitops.sync.Marks;
import dev.towtank.controllers.gitops.sync.SyncStep;
import dev.towtank.controllers.gitops.sync.SyncStep.Outcome;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Resource;
import dev.towtank.model.StatusError;
import dev.towtank.model.patch.Patch;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Does what a step of a sync says, in its order.
final class SyncHands implements Deed.Doer<SyncDeed> {

    private static final Set<String> NEVER_DELETED = Set.of("Namespace", "CustomResourceDefinition");

    private static final String CLIENT_SIDE = "kubectl-client-side-apply";

    private final Cluster cluster;
    private final Destinations destinations;
    private final LiveObjects live;

    SyncHands(Cluster cluster, Destinations destinations, LiveObjects live) {
        this.cluster = cluster;
        this.destinations = destinations;
        this.live = live;
    }

    @Override
    public Json done(SyncDeed deed) throws IOException, InterruptedException {
        var application = deed.application();
        var found =
                destinations.find(ObjectName.of(application), application.spec().object("destination"));
        if (found.destination().isEmpty()) {
            throw new IOException(found.problem());
        }
        var place = found.destination().get().place();
        var outcomes = new ArrayList<Json>();
        for (var group : alike(deed.actions())) {
            ManyHands.each(group, action -> outcome(place, deed, action)).forEach(each -> outcomes.add(each.json()));
        }
        return new Json.Arr(outcomes);
    }

    /// Kind by kind in their order; what is of one kind needs no order.
    private static List<List<SyncStep.Action>> alike(List<SyncStep.Action> actions) {
        var groups = new ArrayList<List<SyncStep.Action>>();
        for (var action : actions) {
            var first = groups.isEmpty() ? null : groups.getLast().getFirst();
            boolean isAlike = first != null
                    && first.verb() == action.verb()
                    && first.key().kind().equals(action.key().kind())
                    && first.key().group().equals(action.key().group());
            if (!isAlike) {
                groups.add(new ArrayList<>());
            }
            groups.getLast().add(action);
        }
        return groups;
    }

    private Outcome outcome(LogicalCluster place, SyncDeed deed, SyncStep.Action action) throws IOException {
        var object = action.object();
        var kind = live.kind(place, object.string("apiVersion"), object.string("kind"));
        if (kind.isEmpty()) {
            return new Outcome(
                    false, "the server has no kind " + object.string("kind") + " of " + object.string("apiVersion"));
        }
        var name = new ObjectName(place, action.key().namespace(), action.key().name());
        try {
            return switch (action.verb()) {
                case APPLY -> apply(kind.get(), name, object, deed.options());
                case DELETE -> delete(kind.get(), name, object, deed.propagation());
                case RELEASE -> release(kind.get(), name, object);
            };
        } catch (UncheckedIOException e) {
            throw new IOException("cannot reach the cluster: " + e.getMessage(), e);
        } catch (StatusError e) {
            boolean isGone = e.is(StatusError.Reason.NOT_FOUND) && action.verb() != SyncStep.Verb.APPLY;
            return new Outcome(isGone, isGone ? "" : e.text());
        }
    }

    private Outcome apply(Kind<?> kind, ObjectName name, Json.Obj target, Set<String> options) {
        var before = cluster.get(kind, name);
        boolean isReplacing = isAsked("Replace=true", target, before, options);
        boolean isForced = isAsked("Force=true", target, before, options) && !NEVER_DELETED.contains(kind.kind());
        if (isReplacing && before.isPresent()) {
            return isForced ? recreated(kind, name, target, before.get()) : replaced(kind, name, target);
        }
        try {
            if (!options.contains("ClientSideApplyMigration=false")) {
                before.ifPresent(old -> adopt(kind, name, old));
            }
            return applied(kind, name, target, before);
        } catch (StatusError e) {
            boolean isFixed = e.is(StatusError.Reason.INVALID) || e.is(StatusError.Reason.CONFLICT);
            if (isForced && isFixed && before.isPresent()) {
                return recreated(kind, name, target, before.get());
            }
            throw e;
        }
    }

    /// For all, or in the annotations of one: as it is wanted, or as it lives.
    private static boolean isAsked(String option, Json.Obj target, Optional<Resource> before, Set<String> options) {
        return options.contains(option)
                || Marks.hasOption(target, option)
                || before.filter(live -> Marks.hasOption(live.json(), option)).isPresent();
    }

    /// What `kubectl apply` once set would stay for ever, if it did not become ours.
    private void adopt(Kind<?> kind, ObjectName name, Resource before) {
        ManagedFields.adopted(before.json(), CLIENT_SIDE, LiveObjects.MANAGER).ifPresent(fields -> {
            var metadata = Json.Obj.of("resourceVersion", Json.of(before.resourceVersion()), "managedFields", fields);
            try {
                cluster.patch(
                        kind,
                        name,
                        new Patch.Merge(Json.Obj.of("metadata", metadata)),
                        Cluster.WriteOptions.DEFAULT.by(LiveObjects.MANAGER));
            } catch (StatusError e) {
                // Somebody was faster; the next sync comes to it.
                if (!e.is(StatusError.Reason.CONFLICT)) {
                    throw e;
                }
            }
        });
    }

    private Outcome applied(Kind<?> kind, ObjectName name, Json.Obj target, Optional<Resource> before) {
        var after = cluster.patch(
                kind, name, new Patch.Apply(target), new Cluster.WriteOptions("", LiveObjects.MANAGER, false, true));
        return told(
                kind,
                name,
                before.isEmpty()
                        ? "created"
                        : before.get().resourceVersion().equals(after.resourceVersion()) ? "unchanged" : "configured");
    }

    private static Outcome told(Kind<?> kind, ObjectName name, String verb) {
        var group = kind.group().isEmpty() ? "" : "." + kind.group();
        return new Outcome(true, kind.names().singular() + group + "/" + name.name() + " " + verb);
    }

    private Outcome replaced(Kind<?> kind, ObjectName name, Json.Obj target) {
        cluster.update(
                kind, new Resource(name.cluster(), target), Cluster.WriteOptions.DEFAULT.by(LiveObjects.MANAGER));
        return told(kind, name, "replaced");
    }

    /// What finalizers keep is not waited for: the sync fails, and may be tried again.
    private Outcome recreated(Kind<?> kind, ObjectName name, Json.Obj target, Resource before) {
        cluster.delete(kind, name, Cluster.DeleteOptions.ofUid(before.uid()).with(Cluster.Propagation.BACKGROUND));
        cluster.create(
                kind, new Resource(name.cluster(), target), Cluster.WriteOptions.DEFAULT.by(LiveObjects.MANAGER));
        return told(kind, name, "replaced");
    }

    private Outcome delete(Kind<?> kind, ObjectName name, Json.Obj seen, Cluster.Propagation propagation) {
        cluster.delete(
                kind,
                name,
                Cluster.DeleteOptions.ofUid(seen.string("metadata", "uid")).with(propagation));
        return new Outcome(true, "");
    }

    private Outcome release(Kind<?> kind, ObjectName name, Json.Obj seen) {
        var others = seen.array("metadata", "finalizers").strings().stream()
                .filter(each -> !each.equals(Marks.HOOK_FINALIZER))
                .toList();
        var fields = Json.Obj.of("metadata", Json.Obj.of("finalizers", Json.Arr.ofStrings(others)));
        cluster.patch(kind, name, new Patch.Merge(fields), Cluster.WriteOptions.DEFAULT.by(LiveObjects.MANAGER));
        return new Outcome(true, "");
    }

    static List<Outcome> read(Json result) {
        return result instanceof Json.Arr list
                ? list.objects().stream().map(Outcome::read).toList()
                : List.of();
    }
}

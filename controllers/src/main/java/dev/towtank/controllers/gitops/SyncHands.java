package dev.towtank.controllers.gitops;

import dev.towtank.cluster.Cluster;
import dev.towtank.cluster.Deed;
import dev.towtank.cluster.ObjectName;
import dev.towtank.controllers.gitops.sync.Marks;
import dev.towtank.controllers.gitops.sync.Step;
import dev.towtank.controllers.gitops.sync.Step.Outcome;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.Patch;
import dev.towtank.model.StatusError;
import java.util.ArrayList;
import java.util.List;

/// Does what a step of a sync says, in its order.
final class SyncHands implements Deed.Doer<SyncDeed> {

    private final Cluster cluster;
    private final LiveObjects live;

    SyncHands(Cluster cluster, LiveObjects live) {
        this.cluster = cluster;
        this.live = live;
    }

    @Override
    public Json done(SyncDeed deed) {
        var outcomes = new ArrayList<Json>();
        for (var action : deed.actions()) {
            outcomes.add(outcome(deed, action).json());
        }
        return new Json.Arr(outcomes);
    }

    private Outcome outcome(SyncDeed deed, Step.Action action) {
        var object = action.object();
        var kind = live.kind(deed.place(), object.string("apiVersion"), object.string("kind"));
        if (kind.isEmpty()) {
            return new Outcome(
                    false, "the server has no kind " + object.string("kind") + " of " + object.string("apiVersion"));
        }
        var name = new ObjectName(
                deed.place(), action.key().namespace(), action.key().name());
        try {
            return switch (action.verb()) {
                case APPLY -> apply(kind.get(), name, object);
                case DELETE -> delete(kind.get(), name, object, deed.propagation());
                case RELEASE -> release(kind.get(), name, object);
            };
        } catch (StatusError e) {
            boolean isGone = e.is(StatusError.Reason.NOT_FOUND) && action.verb() != Step.Verb.APPLY;
            return new Outcome(isGone, isGone ? "" : e.text());
        }
    }

    private Outcome apply(Kind<?> kind, ObjectName name, Json.Obj target) {
        var before = cluster.get(kind, name);
        var after = cluster.patch(
                kind, name, new Patch.Apply(target), new Cluster.WriteOptions("", LiveObjects.MANAGER, false, true));
        var verb = before.isEmpty()
                ? "created"
                : before.get().resourceVersion().equals(after.resourceVersion()) ? "unchanged" : "configured";
        var group = kind.group().isEmpty() ? "" : "." + kind.group();
        return new Outcome(true, kind.names().singular() + group + "/" + name.name() + " " + verb);
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

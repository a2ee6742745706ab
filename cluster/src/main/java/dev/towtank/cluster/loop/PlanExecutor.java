package dev.towtank.cluster.loop;

import dev.towtank.cluster.Change;
import dev.towtank.cluster.Cluster;
import dev.towtank.cluster.Deed;
import dev.towtank.cluster.ObjectName;
import dev.towtank.cluster.Plan;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.Resource;
import dev.towtank.model.StatusError;
import dev.towtank.model.patch.Patch;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Carries out plans: the only place where decisions touch the world.
public final class PlanExecutor {

    public enum Outcome {
        DONE,
        /// The world is not as it was when the plan was made; decide again.
        STALE
    }

    private final Cluster cluster;
    private final EventLog events;
    private final String manager;
    private final Map<Class<?>, Deed.Doer<?>> doers;

    /// @param manager whom the written fields belong to: the name of the controller
    public PlanExecutor(Cluster cluster, EventLog events, String manager) {
        this(cluster, events, manager, Map.of());
    }

    /// @param doers who does what is to be done outside, by the class of the deed
    public PlanExecutor(Cluster cluster, EventLog events, String manager, Map<Class<?>, Deed.Doer<?>> doers) {
        this.cluster = cluster;
        this.events = events;
        this.manager = manager;
        this.doers = Map.copyOf(doers);
    }

    /// Stops at the first change that cannot be made.
    ///
    /// @throws StatusError when the server refuses a change for another reason than that the plan is old
    public Outcome execute(Plan plan) {
        return execute(plan, new Written());
    }

    private Outcome execute(Plan plan, Written written) {
        for (var change : plan.changes()) {
            if (change instanceof Change.Event && written.wasKnown) {
                // It tells of a creation that an earlier plan made.
                continue;
            }
            written.wasKnown = false;
            try {
                if (carryOut(change, written) == Outcome.STALE) {
                    return Outcome.STALE;
                }
            } catch (StatusError e) {
                return switch (change) {
                    case Change.TryCreate attempt
                    when isFinal(e) -> execute(attempt.otherwise().after(e), written);
                    case Change.Apply attempt
                    when isFinal(e) || e.is(StatusError.Reason.CONFLICT) ->
                        execute(attempt.otherwise().after(e), written);
                    default -> throw e;
                };
            }
        }
        return Outcome.DONE;
    }

    /// Whether the same request would be refused again.
    private static boolean isFinal(StatusError refusal) {
        return refusal.is(StatusError.Reason.FORBIDDEN)
                || refusal.is(StatusError.Reason.INVALID)
                || refusal.is(StatusError.Reason.BAD_REQUEST)
                || refusal.is(StatusError.Reason.REQUEST_TOO_LARGE);
    }

    private Outcome carryOut(Change change, Written written) {
        try {
            return switch (change) {
                case Change.Create(var kind, var object) -> create(kind, object, written);
                case Change.TryCreate(var kind, var object, var _) -> create(kind, object, written);
                case Change.PatchFields(var kind, var seen, var fields) ->
                    patch(kind, written.newest(seen), fields, written);
                case Change.SetStatus(var kind, var seen, var status) ->
                    setStatus(kind, written.newest(seen), status, written);
                case Change.Apply apply -> apply(apply, written);
                case Change.Act(var deed, var sequel) -> execute(sequel.after(done(deed)), written);
                case Change.ActOnce once -> actOnce(once, written);
                case Change.Delete delete -> delete(delete);
                case Change.Event event -> {
                    events.record(event);
                    yield Outcome.DONE;
                }
            };
        } catch (StatusError e) {
            if (e.is(StatusError.Reason.CONFLICT) && !(change instanceof Change.Apply)) {
                return Outcome.STALE;
            }
            throw e;
        }
    }

    private Outcome apply(Change.Apply apply, Written written) {
        var options = new Cluster.WriteOptions("", apply.manager(), false, apply.force());
        written.add(cluster.patch(
                apply.kind(),
                ObjectName.of(apply.object()),
                new Patch.Apply(apply.object().json()),
                options));
        return Outcome.DONE;
    }

    /// The note comes first: it is refused when the object has changed, and it is there when the deed may have been
    /// done.
    private Outcome actOnce(Change.ActOnce once, Written written) {
        var seen = written.newest(once.seen());
        var mark = once.deed().getClass().getSimpleName() + " "
                + Integer.toHexString(once.deed().json().hashCode());
        if (seen.metadata().string("annotations", Change.ActOnce.ANNOTATION).equals(mark)) {
            return execute(once.sequel().after(Json.Null.NULL), written);
        }
        var note = Json.Obj.of(
                "metadata", Json.Obj.of("annotations", Json.Obj.of(Change.ActOnce.ANNOTATION, Json.of(mark))));
        return patch(once.kind(), seen, note, written) == Outcome.STALE
                ? Outcome.STALE
                : execute(once.sequel().after(done(once.deed())), written);
    }

    @SuppressWarnings("unchecked")
    private <D extends Deed> Json done(D deed) {
        var doer = (Deed.Doer<D>) doers.get(deed.getClass());
        if (doer == null) {
            throw new IllegalStateException(
                    manager + " has nobody who does " + deed.getClass().getSimpleName());
        }
        try {
            return doer.done(deed);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new UncheckedIOException(new InterruptedIOException("interrupted while acting"));
        }
    }

    private Outcome create(Kind<?> kind, Resource object, Written written) {
        try {
            cluster.create(kind, object, Cluster.WriteOptions.DEFAULT.by(manager));
            return Outcome.DONE;
        } catch (StatusError e) {
            if (e.is(StatusError.Reason.ALREADY_EXISTS) && !object.name().isEmpty()) {
                written.wasKnown = true;
                return alreadyThere(kind, object, e);
            }
            // The namespace is going: what is to be done there will soon be nothing.
            if (hasCause(e, "NamespaceTerminating") || e.is(StatusError.Reason.NOT_FOUND)) {
                return Outcome.STALE;
            }
            tell(object, e);
            throw e;
        }
    }

    /// People look at the owner to see why its child is missing.
    private void tell(Resource object, StatusError refusal) {
        object.controller()
                .ifPresent(owner -> events.record(Change.Event.warning(
                        reference(object, owner), "FailedCreate", "Error creating: " + refusal.text())));
    }

    private static Resource reference(Resource object, Resource.Owner owner) {
        return object.with(Json.Obj.builder()
                .put("apiVersion", owner.apiVersion())
                .put("kind", owner.kind())
                .put(
                        "metadata",
                        Json.Obj.builder()
                                .put("name", owner.name())
                                .putNonEmpty("namespace", object.namespace())
                                .put("uid", owner.uid())
                                .build())
                .build());
    }

    /// Our cache is older than our own last plan, or somebody else took the name.
    private Outcome alreadyThere(Kind<?> kind, Resource wanted, StatusError refusal) {
        var found = cluster.get(kind, ObjectName.of(wanted));
        if (found.isEmpty() || found.get().isDeleting()) {
            return Outcome.STALE;
        }
        var owner = wanted.controller().map(Resource.Owner::uid);
        if (owner.isPresent() && !owner.equals(found.get().controller().map(Resource.Owner::uid))) {
            throw new StatusError(
                    refusal.reason(),
                    found.get().describe() + " already exists and does not belong to "
                            + wanted.controller().map(Resource.Owner::name).orElse("") + "; delete or rename it",
                    refusal.details());
        }
        return Outcome.DONE;
    }

    private Outcome patch(Kind<?> kind, Resource seen, Json.Obj fields, Written written) {
        // A version belongs to one state of one object, so an old decision about it is a conflict.
        var version = Json.of(seen.resourceVersion());
        var conditional = new Patch.Merge(fields.with(List.of("metadata", "resourceVersion"), version));
        try {
            written.add(
                    cluster.patch(kind, ObjectName.of(seen), conditional, Cluster.WriteOptions.DEFAULT.by(manager)));
            return Outcome.DONE;
        } catch (StatusError e) {
            return staleWhenGone(e);
        }
    }

    private Outcome setStatus(Kind<?> kind, Resource seen, Json.Obj status, Written written) {
        var changed = seen.with(seen.json().with("status", status));
        try {
            written.add(cluster.update(kind, changed, Cluster.WriteOptions.STATUS.by(manager)));
            return Outcome.DONE;
        } catch (StatusError e) {
            return staleWhenGone(e);
        }
    }

    private static boolean hasCause(StatusError refusal, String reason) {
        return refusal.details().objects("causes").stream()
                .anyMatch(cause -> cause.string("reason").equals(reason));
    }

    private static Outcome staleWhenGone(StatusError refusal) {
        if (refusal.is(StatusError.Reason.NOT_FOUND)) {
            return Outcome.STALE;
        }
        throw refusal;
    }

    private Outcome delete(Change.Delete delete) {
        var options = new Cluster.DeleteOptions(
                Optional.of(delete.seen().uid()), Optional.empty(), delete.propagation(), delete.graceSeconds());
        try {
            cluster.delete(delete.kind(), ObjectName.of(delete.seen()), options);
        } catch (StatusError e) {
            if (!e.is(StatusError.Reason.NOT_FOUND)) {
                throw e;
            }
        }
        return Outcome.DONE;
    }

    /// What this plan wrote: its second change of an object builds on the first, not on what was seen.
    private static final class Written {
        private final Map<String, Resource> byUid = new HashMap<>();
        /// Whether the last change created what was there already.
        private boolean wasKnown;

        void add(Resource result) {
            byUid.put(result.uid(), result);
        }

        Resource newest(Resource seen) {
            return byUid.getOrDefault(seen.uid(), seen);
        }
    }
}

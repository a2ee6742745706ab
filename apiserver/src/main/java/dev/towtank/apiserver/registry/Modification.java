package dev.towtank.apiserver.registry;

import dev.towtank.apiserver.Answer;
import dev.towtank.apiserver.Call;
import dev.towtank.apiserver.Catalog.Served;
import dev.towtank.apiserver.Content;
import dev.towtank.apiserver.admission.Review;
import dev.towtank.apiserver.catalog.Converted;
import dev.towtank.apiserver.catalog.Metadata;
import dev.towtank.apiserver.store.Key;
import dev.towtank.apiserver.store.Store;
import dev.towtank.apiserver.store.Stored;
import dev.towtank.apiserver.store.Write;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.Schemas;
import dev.towtank.model.StatusError;
import dev.towtank.model.kinds.core.PodResize;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/// Changes objects that exist, whole or a part of them.
final class Modification {

    private final Commits commits;
    private final Turns turns = new Turns(Turns.PATIENCE);

    Modification(Commits commits) {
        this.commits = commits;
    }

    /// What a request makes of the object as it is now; asked again when somebody else wrote in between.
    @FunctionalInterface
    interface Edit {
        Json.Obj apply(Json.Obj current);

        /// Whether the edit itself has settled who owns what, as an apply does.
        default boolean settlesOwners() {
            return false;
        }

        /// Told when the edit, with defaults and all, left the object exactly as it is.
        default void madeNoDifference(Stored current) {}

        /// An edit that keeps its own account of who owns what.
        static Edit settlingOwners(UnaryOperator<Json.Obj> edit, Consumer<Stored> noDifference) {
            return new Edit() {
                @Override
                public Json.Obj apply(Json.Obj current) {
                    return edit.apply(current);
                }

                @Override
                public boolean settlesOwners() {
                    return true;
                }

                @Override
                public void madeNoDifference(Stored current) {
                    noDifference.accept(current);
                }
            };
        }
    }

    /// Which part of an object a request may change.
    enum Part {
        /// All but the status, where the kind has a status subresource.
        OBJECT {
            @Override
            Json.Obj keepTheRest(Kind<?> kind, Json.Obj edited, Json.Obj old) {
                return kind.hasStatus() ? edited.withOrWithout("status", old.get("status")) : edited;
            }
        },
        /// The status, and with it what the kind lets be written of the metadata.
        STATUS {
            @Override
            Json.Obj keepTheRest(Kind<?> kind, Json.Obj edited, Json.Obj old) {
                var metadata = edited.object("metadata");
                for (var kept : kind.rules().metadataKeptByStatus()) {
                    metadata =
                            metadata.withOrWithout(kept, old.object("metadata").get(kept));
                }
                return old.with("metadata", metadata).withOrWithout("status", edited.get("status"));
            }
        },
        /// The containers that somebody adds to a running pod.
        EPHEMERAL_CONTAINERS {
            @Override
            Json.Obj keepTheRest(Kind<?> kind, Json.Obj edited, Json.Obj old) {
                var spec = old.object("spec")
                        .withOrWithout("ephemeralContainers", edited.at("spec", "ephemeralContainers"));
                return old.with("spec", spec).with("metadata", metadataOf(edited, old));
            }
        },
        /// What the containers of a running pod may use.
        RESIZE {
            @Override
            Json.Obj keepTheRest(Kind<?> kind, Json.Obj edited, Json.Obj old) {
                return PodResize.only(edited, old.with("metadata", metadataOf(edited, old)));
            }
        },
        /// Whatever the edit did: an edit that the server itself makes, which no rule for users is about.
        EVERYTHING {
            @Override
            Json.Obj keepTheRest(Kind<?> kind, Json.Obj edited, Json.Obj old) {
                return edited;
            }
        };

        abstract Json.Obj keepTheRest(Kind<?> kind, Json.Obj edited, Json.Obj old);

        /// Of who writes a part of the spec nothing counts but whose the fields are.
        private static Json.Obj metadataOf(Json.Obj edited, Json.Obj old) {
            return old.object("metadata")
                    .withOrWithout("managedFields", edited.object("metadata").get("managedFields"));
        }
    }

    Instant now() {
        return commits.clock().instant();
    }

    Answer modify(Call call, Served served, Part part, Edit edit, List<String> warnings) {
        var key = Reading.key(call, served);
        return call.isDryRun()
                ? modify(call, served, part, edit, warnings, key)
                : turns.inTurn(key, () -> modify(call, served, part, edit, warnings, key));
    }

    private Answer modify(Call call, Served served, Part part, Edit edit, List<String> warnings, Key key) {
        for (int attempt = 0; attempt < Commits.ATTEMPTS; attempt++) {
            var current = commits.store().get(key);
            if (current == null) {
                throw StatusError.notFound(served.kind().resource(), key.name());
            }
            var answer = attempt(call, served, part, edit, warnings, key, current);
            if (answer.isPresent()) {
                return answer.get();
            }
        }
        throw Commits.tooBusy(served.kind(), "PUT");
    }

    private Optional<Answer> attempt(
            Call call, Served served, Part part, Edit edit, List<String> warnings, Key key, Stored current) {
        var kind = served.kind();
        var old = Reading.view(current, served);
        var edited = edit.apply(old);
        checkPreconditions(kind, edited, old);
        var prepared = prepare(call, served, part, edited, old, !edit.settlesOwners());
        var object = admit(call, kind, part, prepared, old);
        var review = review(call, kind, object, old);
        if (part != Part.EVERYTHING) {
            commits.check(review);
        }
        var all = new ArrayList<>(warnings);
        if (part == Part.OBJECT) {
            all.addAll(commits.warnings(review, object));
        }
        if (object.equals(old) && served.conversion().isCurrent(current.tree())) {
            if (prepared.equals(old)) {
                edit.madeNoDifference(current);
            }
            return Optional.of(new Answer.One(200, Optional.of(kind), Converted.of(current, served), all));
        }
        var stored = served.conversion().toStored(object);
        if (call.isDryRun()) {
            var shown = Content.of(served.conversion().fromStored(stored));
            return Optional.of(new Answer.One(200, Optional.of(kind), shown, all));
        }
        var write = vanishes(kind, object)
                ? new Write.Delete(key, current.revision(), stored)
                : new Write.Update(key, current.revision(), stored);
        try {
            return commits.commit(review, write)
                    .map(change -> new Answer.One(200, Optional.of(kind), Converted.of(change.now(), served), all));
        } catch (Store.Conflict e) {
            // Only a client that named a revision is told; the others meant whatever is newest.
            if (named(edited)) {
                throw StatusError.modified(kind.resource(), key.name());
            }
            return Optional.empty();
        }
    }

    /// What the server makes of an edit that is known to make no difference: only admission may see it otherwise now.
    ///
    /// @param warnings about the request and the object, known from then, too
    /// @return empty when it does
    Optional<Answer> unchanged(Call call, Served served, Part part, Stored current, List<String> warnings) {
        var kind = served.kind();
        var old = Reading.view(current, served);
        var review = review(call, kind, old, old);
        if (!commits.change(review, old).equals(old)) {
            return Optional.empty();
        }
        if (part != Part.EVERYTHING) {
            commits.check(review);
        }
        var all = new ArrayList<>(warnings);
        if (part == Part.OBJECT) {
            all.addAll(commits.warnings(review));
        }
        return Optional.of(new Answer.One(200, Optional.of(kind), Converted.of(current, served), all));
    }

    /// The object as it goes to admission.
    private Json.Obj prepare(
            Call call, Served served, Part part, Json.Obj edited, Json.Obj old, boolean accountOwners) {
        var kind = served.kind();
        var metadata = Metadata.forUpdate(edited.object("metadata"), old.object("metadata"));
        var object = part.keepTheRest(kind, edited.with("metadata", metadata), old);
        return switch (part) {
            case STATUS -> {
                object = kind.completed(object);
                yield accountOwners ? ownedAsWritten(call, served, object, metadata, old) : object;
            }
            case EVERYTHING -> object;
            case EPHEMERAL_CONTAINERS, RESIZE -> {
                object = kind.completed(object);
                yield accountOwners ? owned(call, served, part, object, old) : object;
            }
            case OBJECT -> {
                object = kind.rules().prepareUpdate(kind.completed(withSpec(kind, object, old)), old);
                yield accountOwners ? owned(call, served, part, object, old) : object;
            }
        };
    }

    /// A built-in kind that has a spec always has one, though nobody says anything in it any more.
    private static Json.Obj withSpec(Kind<?> kind, Json.Obj object, Json.Obj old) {
        boolean lost = old.has("spec") && !object.has("spec");
        return lost && Schemas.builtin().find(kind).isPresent() ? object.with("spec", Json.Obj.EMPTY) : object;
    }

    private Json.Obj admit(Call call, Kind<?> kind, Part part, Json.Obj prepared, Json.Obj old) {
        return switch (part) {
            case STATUS -> {
                var changed = commits.change(review(call, kind, prepared, old), prepared);
                var object = prepared.withOrWithout("status", changed.get("status"));
                commits.validateStatus(kind, object, old);
                yield object;
            }
            case EVERYTHING -> countGeneration(kind, prepared, old);
            case EPHEMERAL_CONTAINERS, RESIZE -> {
                var changed = commits.change(review(call, kind, prepared, old), prepared);
                var object = countGeneration(kind, kind.completed(changed), old);
                commits.validatePart(call.target().subresource(), kind, object, old);
                yield object;
            }
            case OBJECT -> {
                var changed = commits.change(review(call, kind, prepared, old), prepared);
                var object = countGeneration(kind, kind.completed(changed), old);
                commits.validateUpdate(kind, object, old);
                yield object;
            }
        };
    }

    private static Review review(Call call, Kind<?> kind, Json.Obj object, Json.Obj old) {
        return new Review(
                call,
                kind,
                Review.Operation.UPDATE,
                old.string("metadata", "namespace"),
                old.string("metadata", "name"),
                call.target().subresource(),
                object,
                old);
    }

    private Json.Obj owned(Call call, Served served, Part part, Json.Obj object, Json.Obj old) {
        return FieldOwners.updated(
                call, served, part, object, old, commits.clock().instant());
    }

    /// Whose a field is follows from what was written, though not all of it is kept.
    private Json.Obj ownedAsWritten(Call call, Served served, Json.Obj object, Json.Obj metadata, Json.Obj old) {
        return FieldOwners.withOwnersOf(
                object, owned(call, served, Part.STATUS, object.with("metadata", metadata), old));
    }

    private static Json.Obj countGeneration(Kind<?> kind, Json.Obj object, Json.Obj old) {
        if (!kind.rules().countsGenerations() || counted(kind, object).equals(counted(kind, old))) {
            return object;
        }
        return object.with(List.of("metadata", "generation"), Json.of(old.integer("metadata", "generation") + 1));
    }

    /// What a generation is about. The status of a custom kind that has no subresource for it is a field like others.
    private static Json.Obj counted(Kind<?> kind, Json.Obj object) {
        boolean custom = Schemas.builtin().find(kind).isEmpty();
        var fields = custom && !kind.hasStatus() ? object : object.without("status");
        var metadata = Json.Obj.EMPTY;
        if (kind.rules().countsAnnotations()) {
            metadata = metadata.with("annotations", object.object("metadata", "annotations"));
        }
        if (kind.rules().countsLabels()) {
            metadata = metadata.with("labels", object.object("metadata", "labels"));
        }
        return fields.with("metadata", metadata);
    }

    private static boolean named(Json.Obj edited) {
        return !edited.string("metadata", "resourceVersion").isEmpty();
    }

    private static void checkPreconditions(Kind<?> kind, Json.Obj edited, Json.Obj old) {
        var name = old.string("metadata", "name");
        var uid = edited.string("metadata", "uid");
        if (!uid.isEmpty() && !uid.equals(old.string("metadata", "uid"))) {
            throw StatusError.conflict(
                    kind.resource(),
                    name,
                    "Precondition failed: UID in precondition: " + uid + ", UID in object meta: "
                            + old.string("metadata", "uid"));
        }
        var revision = edited.string("metadata", "resourceVersion");
        if (!revision.isEmpty()
                && !revision.equals("0")
                && !revision.equals(old.string("metadata", "resourceVersion"))) {
            throw StatusError.modified(kind.resource(), name);
        }
    }

    /// An object under deletion goes when the last thing that kept it is taken away.
    static boolean vanishes(Kind<?> kind, Json.Obj object) {
        var metadata = object.object("metadata");
        return metadata.has("deletionTimestamp")
                && metadata.array("finalizers").size() == 0
                && metadata.integer("deletionGracePeriodSeconds") == 0
                && !kind.rules().keepsWhileDeleting(object);
    }
}

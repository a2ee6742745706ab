package dev.towtank.apiserver.registry;

import dev.towtank.apiserver.Answer;
import dev.towtank.apiserver.Call;
import dev.towtank.apiserver.Catalog.Served;
import dev.towtank.apiserver.Content;
import dev.towtank.apiserver.Target;
import dev.towtank.apiserver.Verb;
import dev.towtank.apiserver.admission.Review;
import dev.towtank.apiserver.catalog.Converted;
import dev.towtank.apiserver.catalog.Metadata;
import dev.towtank.apiserver.store.Change;
import dev.towtank.apiserver.store.Key;
import dev.towtank.apiserver.store.Store;
import dev.towtank.apiserver.store.Stored;
import dev.towtank.apiserver.store.Write;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.StatusError;
import dev.towtank.model.kinds.core.Namespaces;
import dev.towtank.model.kinds.core.Pods;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/// Deletes objects: at once, after a grace period, or when their finalizers are gone.
final class Deletion {

    private final Commits commits;
    private final Reading reading;

    Deletion(Commits commits, Reading reading) {
        this.commits = commits;
        this.reading = reading;
    }

    /// What one look at the stored object decides.
    private sealed interface Step {
        /// Nothing to write: the deletion is already under way.
        record Pending() implements Step {}

        record Mark(Json.Obj object) implements Step {}

        record Remove(Json.Obj object) implements Step {}
    }

    Answer delete(Call call, Served served) {
        return delete(call, served, commits::check);
    }

    /// A deletion that follows from a request which the rules have already looked at.
    Answer deleteAdmitted(Call call, Served served) {
        return delete(call, served, _ -> {});
    }

    private Answer delete(Call request, Served served, Consumer<Review> check) {
        var options = DeleteRequest.of(request);
        var call = options.applyTo(request);
        var key = Reading.key(call, served);
        for (int attempt = 0; attempt < Commits.ATTEMPTS; attempt++) {
            var current = reading.find(call, served);
            var answer = attempt(call, served, options, key, current, check);
            if (answer.isPresent()) {
                return answer.get();
            }
        }
        throw Commits.tooBusy(served.kind(), "DELETE");
    }

    private Optional<Answer> attempt(
            Call call, Served served, DeleteRequest options, Key key, Stored current, Consumer<Review> check) {
        var kind = served.kind();
        var old = Reading.view(current, served);
        options.checkPreconditions(kind, old);
        var review = new Review(call, kind, Review.Operation.DELETE, key.namespace(), key.name(), "", null, old);
        check.accept(review);
        var step = decide(kind, options, old, commits.clock().instant());
        if (step instanceof Step.Pending || call.isDryRun()) {
            boolean removed = step instanceof Step.Remove;
            var shown = switch (step) {
                case Step.Pending _ -> Converted.of(current, served);
                case Step.Mark(var object) -> Content.of(object);
                case Step.Remove(var object) -> Content.of(object);
            };
            return Optional.of(answer(served, options, removed, shown));
        }
        var write = switch (step) {
            case Step.Pending _ -> throw new IllegalStateException("a pending deletion writes nothing");
            case Step.Mark(var object) ->
                new Write.Update(key, current.revision(), served.conversion().toStored(object));
            case Step.Remove(var object) ->
                new Write.Delete(key, current.revision(), served.conversion().toStored(object));
        };
        try {
            Optional<Change> change = commits.commit(review, write);
            return change.map(
                    done -> answer(served, options, write instanceof Write.Delete, Converted.of(done.now(), served)));
        } catch (Store.Conflict e) {
            return Optional.empty();
        }
    }

    private static Step decide(Kind<?> kind, DeleteRequest options, Json.Obj old, Instant now) {
        var finalizers = options.finalizers(kind, old.object("metadata"));
        var object = Metadata.withFinalizers(old, finalizers);
        boolean deleting = old.object("metadata").has("deletionTimestamp");
        long grace = options.graceSeconds(kind.rules().deletionGraceSeconds(old));
        if (deleting) {
            return decideAgain(kind, options, old, object, now);
        }
        object = kind.rules().beginDeletion(object);
        if (grace > 0) {
            return new Step.Mark(Metadata.deleting(object, now.plus(Duration.ofSeconds(grace)), grace));
        }
        boolean kept = !finalizers.isEmpty() || kind.rules().keepsWhileDeleting(object);
        if (kept) {
            return new Step.Mark(
                    kind.resource().equals(Namespaces.KIND.resource())
                            ? Metadata.deleting(object, now)
                            : Metadata.deleting(object, now, 0));
        }
        // A pod that goes at once is told about as one whose time is up.
        boolean isPod = kind.resource().equals(Pods.KIND.resource());
        return new Step.Remove(isPod ? Metadata.deleting(object, now, 0) : object);
    }

    // A second deletion may only shorten the grace period, or change what becomes of dependents.
    private static Step decideAgain(Kind<?> kind, DeleteRequest options, Json.Obj old, Json.Obj object, Instant now) {
        long before = old.integer("metadata", "deletionGracePeriodSeconds");
        boolean shorter = options.asksGrace() && options.graceSeconds(before) < before;
        if (before > 0 && !shorter) {
            return object.equals(old) ? new Step.Pending() : new Step.Mark(object);
        }
        long grace = shorter ? options.graceSeconds(before) : 0;
        if (grace > 0) {
            return new Step.Mark(Metadata.deleting(object, now.plus(Duration.ofSeconds(grace)), grace));
        }
        var ended = before == 0 ? object : Metadata.deleting(object, now, 0);
        if (Modification.vanishes(kind, ended)) {
            return new Step.Remove(ended);
        }
        return ended.equals(old) ? new Step.Pending() : new Step.Mark(ended);
    }

    private static Answer answer(Served served, DeleteRequest options, boolean removed, Content object) {
        var kind = served.kind();
        var warnings = options.warnings(kind);
        if (!removed || kind.rules().returnsDeletedObject()) {
            return new Answer.One(removed || !options.legacyCascade() ? 200 : 202, Optional.of(kind), object, warnings);
        }
        var details = Json.Obj.builder()
                .put("name", object.tree().string("metadata", "name"))
                .putNonEmpty("group", kind.group())
                .put("kind", kind.plural())
                .put("uid", object.tree().string("metadata", "uid"))
                .build();
        var status = Json.Obj.builder()
                .put("kind", "Status")
                .put("apiVersion", "v1")
                .put("metadata", Json.Obj.EMPTY)
                .put("status", "Success")
                .put("details", details)
                .build();
        return new Answer.One(200, Optional.empty(), Content.of(status), warnings);
    }

    /// Deletes everything a list would show, and answers with that list.
    Answer deleteCollection(Call call, Served served) {
        DeleteRequest.of(call);
        if (!(reading.list(call, served) instanceof Answer.Many found)) {
            throw new IllegalStateException("a list answered with something else");
        }
        var deleted = Workers.<Content>filter(
                List.copyOf(found.items()), item -> isDeletedNow(one(call, item.tree()), served));
        return new Answer.Many(
                served.kind(), found.revision(), deleted, found.continueToken(), found.remaining(), List.of());
    }

    private boolean isDeletedNow(Call call, Served served) {
        try {
            delete(call, served);
            return true;
        } catch (StatusError e) {
            if (e.is(StatusError.Reason.NOT_FOUND)) {
                return false; // somebody else was quicker
            }
            throw e;
        }
    }

    private static Call one(Call call, Json.Obj object) {
        var target = call.target();
        return new Call(
                call.user(),
                call.cluster(),
                Verb.DELETE,
                new Target(
                        target.group(),
                        target.version(),
                        target.resource(),
                        object.string("metadata", "namespace"),
                        object.string("metadata", "name"),
                        ""),
                call.params(),
                call.body(),
                call.agent(),
                call.notes());
    }
}

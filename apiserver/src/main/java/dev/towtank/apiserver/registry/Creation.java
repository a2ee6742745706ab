package dev.towtank.apiserver.registry;

import dev.towtank.apiserver.Answer;
import dev.towtank.apiserver.Call;
import dev.towtank.apiserver.Catalog.Served;
import dev.towtank.apiserver.Content;
import dev.towtank.apiserver.Verb;
import dev.towtank.apiserver.admission.Review;
import dev.towtank.apiserver.catalog.Converted;
import dev.towtank.apiserver.catalog.Metadata;
import dev.towtank.apiserver.store.Change;
import dev.towtank.apiserver.store.Key;
import dev.towtank.apiserver.store.Store;
import dev.towtank.apiserver.store.Write;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.StatusError;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/// Creates objects.
final class Creation {

    private static final int NAME_ATTEMPTS = 8;

    private final Commits commits;

    Creation(Commits commits) {
        this.commits = commits;
    }

    Answer create(Call call, Served served) {
        Options.check(call, "CreateOptions");
        var warnings = new ArrayList<String>();
        var object = Decoder.object(call, served.kind(), warnings::add);
        return create(call, served, object, warnings);
    }

    /// Creates an object that is already decoded: the body of a POST, or of a PUT or apply to a name that is free.
    Answer create(Call call, Served served, Json.Obj object, List<String> warnings) {
        var kind = served.kind();
        checkIdentity(call, kind, object);
        var given = object.object("metadata");
        boolean generated =
                given.string("name").isEmpty() && !given.string("generateName").isEmpty();
        for (int attempt = 1; ; attempt++) {
            var name = generated
                    ? Metadata.generateName(given.string("generateName"), commits.random())
                    : given.string("name");
            try {
                return createNamed(call, served, object, name, warnings);
            } catch (Store.Conflict e) {
                if (!generated) {
                    throw StatusError.alreadyExists(kind.resource(), name);
                }
                if (attempt == NAME_ATTEMPTS) {
                    throw generateNameConflict(kind, name);
                }
            }
        }
    }

    private static StatusError generateNameConflict(Kind<?> kind, String name) {
        var exists = StatusError.alreadyExists(kind.resource(), name);
        return new StatusError(
                StatusError.Reason.ALREADY_EXISTS,
                exists.text() + ", the server was not able to generate a unique name for the object",
                exists.details().with("retryAfterSeconds", Json.of(1)));
    }

    private static void checkIdentity(Call call, Kind<?> kind, Json.Obj object) {
        var metadata = object.object("metadata");
        var namespace = metadata.string("namespace");
        var requested = call.target().namespace();
        if (!namespace.isEmpty() && !namespace.equals(requested) && kind.isNamespaced()) {
            throw StatusError.badRequest(
                    "the namespace of the provided object does not match the namespace sent on the request");
        }
        if (kind.isNamespaced() && requested.isEmpty()) {
            throw StatusError.badRequest("namespace is required to create " + kind.kind()
                    + ": send the request to /namespaces/<namespace>/" + kind.plural());
        }
        if (!metadata.string("resourceVersion").isEmpty()) {
            throw StatusError.badRequest("resourceVersion should not be set on objects to be created");
        }
    }

    private Answer createNamed(Call call, Served served, Json.Obj given, String name, List<String> warnings) {
        var kind = served.kind();
        var key = new Key(served.storage(), call.cluster(), call.target().namespace(), name);
        var prepared = prepare(call, kind, given, name);
        for (int attempt = 0; attempt < Commits.ATTEMPTS; attempt++) {
            var admitted = admit(call, served, given, prepared, key, warnings);
            if (call.isDryRun()) {
                return dryRun(key, served, admitted.write.object(), admitted.warnings);
            }
            var change = commits.commit(admitted.review, admitted.write);
            if (change.isPresent()) {
                return admitted.answer(served, change.get());
            }
        }
        throw Commits.tooBusy(kind, "POST");
    }

    /// What has passed all rules.
    private record Admitted(Review review, Write.Create write, List<String> warnings) {

        Answer answer(Served served, Change change) {
            return new Answer.One(201, Optional.of(served.kind()), Converted.of(change.now(), served), warnings);
        }
    }

    private Admitted admit(
            Call call, Served served, Json.Obj given, Json.Obj prepared, Key key, List<String> warnings) {
        var kind = served.kind();
        var owned = owned(call, served, kind.completed(prepared), given);
        var object = kind.completed(commits.change(review(call, kind, key.name(), prepared), owned));
        commits.validateCreate(kind, object);
        var review = review(call, kind, key.name(), object);
        commits.check(review);
        var stored = Metadata.ordered(served.conversion().toStored(object));
        var all = new ArrayList<>(warnings);
        all.addAll(commits.warnings(review, object));
        return new Admitted(review, new Write.Create(key, stored), all);
    }

    /// All of these in one write. Each has its name.
    ///
    /// @return empty when that is not possible, and nothing was written
    /// @throws StatusError when one of them is refused, and nothing was written
    Optional<List<Answer>> together(List<Call> calls, List<Served> served) {
        var all = new ArrayList<Admitted>();
        for (int i = 0; i < calls.size(); i++) {
            all.add(admit(calls.get(i), served.get(i)));
        }
        var changes = commits.together(
                all.stream().map(Admitted::review).toList(),
                all.stream().<Write>map(Admitted::write).toList());
        return changes.map(some -> IntStream.range(0, calls.size())
                .mapToObj(i -> all.get(i).answer(served.get(i), some.get(i)))
                .toList());
    }

    private Admitted admit(Call call, Served served) {
        Options.check(call, "CreateOptions");
        var warnings = new ArrayList<String>();
        var object = Decoder.object(call, served.kind(), warnings::add);
        checkIdentity(call, served.kind(), object);
        var name = object.string("metadata", "name");
        if (name.isEmpty()) {
            throw StatusError.badRequest("what is created together with others has a name");
        }
        var key = new Key(served.storage(), call.cluster(), call.target().namespace(), name);
        return admit(call, served, object, prepare(call, served.kind(), object, name), key, warnings);
    }

    private Json.Obj prepare(Call call, Kind<?> kind, Json.Obj given, String name) {
        var metadata = Metadata.forCreate(
                given.object("metadata"),
                name,
                call.target().namespace(),
                Metadata.uid(commits.random()),
                commits.clock().instant(),
                kind.rules().countsGenerations());
        boolean dropsStatus = kind.hasStatus() && !kind.rules().keepsStatusOnCreate();
        var withoutStatus = dropsStatus ? given.without("status") : given;
        return kind.rules().prepareCreate(Metadata.ordered(withoutStatus.with("metadata", metadata)));
    }

    // An apply that creates has settled who owns what already.
    private Json.Obj owned(Call call, Served served, Json.Obj object, Json.Obj given) {
        return call.verb() == Verb.PATCH
                ? object
                : FieldOwners.created(
                        call, served, object, given, commits.clock().instant());
    }

    private static Review review(Call call, Kind<?> kind, String name, Json.Obj object) {
        return new Review(call, kind, Review.Operation.CREATE, call.target().namespace(), name, "", object, null);
    }

    // Told as it would be read back: what the conversion does to it is part of the trial.
    private Answer dryRun(Key key, Served served, Json.Obj stored, List<String> warnings) {
        var found = commits.store().get(key);
        if (found != null) {
            throw new Store.Conflict(key, found);
        }
        return new Answer.One(
                201, Optional.of(served.kind()), Content.of(served.conversion().fromStored(stored)), warnings);
    }
}

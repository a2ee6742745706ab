package dev.towtank.apiserver.registry;

import dev.towtank.apiserver.admission.Admission;
import dev.towtank.apiserver.admission.Review;
import dev.towtank.apiserver.store.Change;
import dev.towtank.apiserver.store.Key;
import dev.towtank.apiserver.store.Store;
import dev.towtank.apiserver.store.Write;
import dev.towtank.model.FieldError;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Path;
import dev.towtank.model.StatusError;
import dev.towtank.model.kinds.ObjectMetas;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;

/// What all writes share: the rules they pass and the way they reach the store.
record Commits(Store store, List<Admission> admissions, InstantSource clock, RandomGenerator random) {

    /// Somebody else's write came between reading and committing this often: the client may try again.
    static final int ATTEMPTS = 64;

    Commits {
        admissions = List.copyOf(admissions);
    }

    /// Whether a rule may wait for somebody.
    boolean mayWait(LogicalCluster cluster) {
        for (var admission : admissions) {
            if (admission.mayWait(cluster)) {
                return true;
            }
        }
        return false;
    }

    Json.Obj change(Review review, Json.Obj object) {
        var changed = object;
        for (var admission : admissions) {
            changed = admission.change(review, changed);
        }
        return changed;
    }

    void check(Review review) {
        for (var admission : admissions) {
            admission.check(review);
        }
    }

    /// Advice about an accepted write, of the kind and of admission.
    List<String> warnings(Review review, Json.Obj object) {
        var warnings = new ArrayList<>(review.kind().rules().warnings(object));
        warnings.addAll(warnings(review));
        return warnings;
    }

    /// Advice of admission alone, which may look at other objects, too.
    List<String> warnings(Review review) {
        var warnings = new ArrayList<String>();
        admissions.forEach(admission -> warnings.addAll(admission.warnings(review)));
        return warnings;
    }

    void validateCreate(Kind<?> kind, Json.Obj object) {
        kind.rules().unreadable(object).ifPresent(Commits::refuse);
        var errors = new FieldError.Collector();
        ObjectMetas.validate(kind, object.object("metadata"), errors);
        checkName(object.string("metadata", "name"), errors);
        kind.rules().validate(object, errors);
        kind.rules().validateCreate(object, errors);
        refuse(kind, object, errors);
        kind.rules().refusal(object, null).ifPresent(Commits::refuse);
    }

    // Some kinds (roles and such) take nearly every name; what nobody could ask for again is refused for all.
    private static void checkName(String name, FieldError.Collector errors) {
        if (errors.isEmpty()) {
            Key.problemWith(name).ifPresent(problem -> errors.invalid(Path.of("metadata", "name"), name, problem));
        }
    }

    void validateUpdate(Kind<?> kind, Json.Obj object, Json.Obj old) {
        kind.rules().unreadable(object).ifPresent(Commits::refuse);
        var errors = new FieldError.Collector();
        ObjectMetas.validateUpdate(kind, object.object("metadata"), old.object("metadata"), errors);
        if (!errors.isEmpty() && checksMetadataTwice(kind)) {
            ObjectMetas.validateUpdate(kind, object.object("metadata"), old.object("metadata"), errors);
        }
        kind.rules().validate(object, errors);
        kind.rules().validateUpdate(object, old, errors);
        refuse(kind, object, errors);
        kind.rules().refusal(object, old).ifPresent(Commits::refuse);
    }

    /// In Kubernetes most kinds check their metadata once more than all do, which clients see in the causes.
    static boolean checksMetadataTwice(Kind<?> kind) {
        return !Set.of("limitranges", "poddisruptionbudgets").contains(kind.plural());
    }

    void validatePart(String subresource, Kind<?> kind, Json.Obj object, Json.Obj old) {
        var errors = new FieldError.Collector();
        kind.rules().validate(object, errors);
        kind.rules().validatePart(subresource, object, old, errors);
        refuse(kind, object, errors);
    }

    void validateStatus(Kind<?> kind, Json.Obj object, Json.Obj old) {
        var errors = new FieldError.Collector();
        ObjectMetas.validateUpdate(kind, object.object("metadata"), old.object("metadata"), errors);
        kind.rules().validateStatus(object, old, errors);
        refuse(kind, object, errors);
    }

    private static void refuse(Kind<?> kind, Json.Obj object, FieldError.Collector errors) {
        if (!errors.isEmpty()) {
            throw StatusError.invalid(kind, object.string("metadata", "name"), errors.errors());
        }
    }

    private static void refuse(StatusError refusal) {
        throw refusal;
    }

    /// Commits a write with whatever admission wants to go with it.
    ///
    /// @return the change, or nothing where another write came in between and all must be decided again
    /// @throws Store.Conflict when the conflict is about the written key itself
    Optional<Change> commit(Review review, Write write) {
        var writes = new ArrayList<Write>();
        writes.add(write);
        for (var admission : admissions) {
            writes.addAll(admission.alongside(review));
        }
        try {
            return Optional.of(store.commit(writes).getFirst());
        } catch (Store.Conflict conflict) {
            if (conflict.key().equals(write.key())) {
                throw conflict;
            }
            return Optional.empty();
        } catch (Store.Unavailable e) {
            throw new StatusError(StatusError.Reason.SERVICE_UNAVAILABLE, String.valueOf(e.getMessage()), RETRY_SOON);
        }
    }

    /// Commits writes of several requests at once, where admission wants nothing written besides.
    ///
    /// @return their changes, or nothing where that is not so, or one of them cannot be made now
    Optional<List<Change>> together(List<Review> reviews, List<Write> each) {
        var writes = new ArrayList<>(each);
        for (var review : reviews) {
            for (var admission : admissions) {
                writes.addAll(admission.alongside(review));
            }
        }
        long changed =
                writes.stream().filter(write -> !(write instanceof Write.Check)).count();
        long keys = each.stream().map(Write::key).distinct().count();
        if (changed != each.size() || keys != each.size()) {
            return Optional.empty();
        }
        try {
            return Optional.of(store.commit(writes));
        } catch (Store.Conflict | Store.Unavailable e) {
            return Optional.empty();
        }
    }

    private static final Json.Obj RETRY_SOON = Json.Obj.of("retryAfterSeconds", Json.of(1));

    static StatusError tooBusy(Kind<?> kind, String operation) {
        return new StatusError(
                StatusError.Reason.SERVER_TIMEOUT,
                "The " + operation + " operation against " + kind.resource()
                        + " could not be completed at this time, please try again.",
                RETRY_SOON.with("kind", Json.of(kind.plural())));
    }
}

package dev.towtank.apiserver.registry;

import dev.towtank.apiserver.Answer;
import dev.towtank.apiserver.Call;
import dev.towtank.apiserver.Catalog.Served;
import dev.towtank.apiserver.registry.Modification.Edit;
import dev.towtank.apiserver.registry.Modification.Part;
import dev.towtank.apiserver.store.Stored;
import dev.towtank.model.FieldError;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.Path;
import dev.towtank.model.StatusError;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// PUT and PATCH, on the object or on its status.
final class Replacement {

    private final Commits commits;
    private final Modification modification;
    private final Creation creation;
    private final AppliedBefore before = new AppliedBefore();

    Replacement(Commits commits, Modification modification, Creation creation) {
        this.commits = commits;
        this.modification = modification;
        this.creation = creation;
    }

    Answer update(Call call, Served served, Part part) {
        Options.check(call, "UpdateOptions");
        var kind = served.kind();
        var warnings = new ArrayList<String>();
        var object = Decoder.object(call, kind, warnings::add);
        checkIdentity(call, kind, object);
        boolean mayCreate = part == Part.OBJECT && kind.rules().allowsCreateOnUpdate();
        if (mayCreate && commits.store().get(Reading.key(call, served)) == null) {
            return creation.create(call, served, object, warnings);
        }
        return modification.modify(
                call,
                served,
                part,
                _ -> {
                    checkRevision(kind, object);
                    return object;
                },
                warnings);
    }

    private static void checkRevision(Kind<?> kind, Json.Obj object) {
        if (object.string("metadata", "resourceVersion").isEmpty()
                && !kind.rules().allowsUnconditionalUpdate()) {
            var errors = new FieldError.Collector();
            errors.invalid(Path.of("metadata", "resourceVersion"), Json.of(0), "must be specified for an update");
            // Here Kubernetes names the resource where it elsewhere names the kind.
            throw StatusError.invalid(kind.group(), kind.plural(), object.string("metadata", "name"), errors.errors());
        }
    }

    static void checkIdentity(Call call, Kind<?> kind, Json.Obj object) {
        checkNamespace(kind, object, call.target().namespace());
        var name = object.string("metadata", "name");
        var wanted = call.target().name();
        if (name.isEmpty()) {
            throw StatusError.badRequest(
                    "the name of the object (" + wanted + " based on URL) was undeterminable: name must be provided");
        }
        checkName(name, wanted);
    }

    /// An object without a namespace means that of the request.
    static void checkNamespace(Kind<?> kind, Json.Obj object, String wanted) {
        var namespace = object.string("metadata", "namespace");
        if (kind.isNamespaced() && !namespace.isEmpty() && !namespace.equals(wanted)) {
            throw StatusError.badRequest(
                    "the namespace of the provided object does not match the namespace sent on the request");
        }
    }

    static void checkName(String name, String wanted) {
        if (!name.equals(wanted)) {
            throw StatusError.badRequest(
                    "the name of the object (" + name + ") does not match the name on the URL (" + wanted + ")");
        }
    }

    Answer patch(Call call, Served served, Part part) {
        Options.check(call, "PatchOptions");
        boolean isApply = Decoder.isApply(call);
        Options.checkApply(call, isApply);
        var warnings = new ArrayList<String>();
        if (isApply) {
            return apply(call, served, part, warnings);
        }
        var patch = Decoder.patch(call, served.kind());
        return modification.modify(
                call,
                served,
                part,
                current -> Patching.patched(call, served.kind(), patch, current, warnings::add),
                warnings);
    }

    /// Makes the configuration in the body the caller's, and creates the object where there is none.
    private Answer apply(Call call, Served served, Part part, List<String> warnings) {
        var key = Reading.key(call, served);
        var request = before.request(call, served, part, key);
        var current = commits.store().get(key);
        var known = known(call, served, part, request, current);
        if (known.isPresent()) {
            return known.get();
        }
        var applied = Decoder.configuration(call, served.kind(), warnings::add);
        checkApplied(call, served.kind(), applied);
        if (part == Part.OBJECT && current == null) {
            try {
                return createApplied(call, served, applied, warnings);
            } catch (StatusError e) {
                if (!e.is(StatusError.Reason.ALREADY_EXISTS)) {
                    throw e;
                }
                // somebody else was quicker
            }
        }
        var aboutBody = List.copyOf(warnings);
        return modification.modify(
                call,
                served,
                part,
                Edit.settlingOwners(
                        live -> {
                            Patching.checkUid(served.kind(), applied, live);
                            return applied(call, served, part, applied, live);
                        },
                        same -> request.ifPresent(
                                each -> before.remember(each, served, same, said(aboutBody, served, part, same)))),
                warnings);
    }

    /// The answer to an apply of the whole object that is known to make no difference; empty where that is not known or
    /// where a rule may wait for somebody.
    Optional<Answer> appliedBefore(Call call, Served served) {
        if (!Decoder.isApply(call) || commits.mayWait(call.cluster())) {
            return Optional.empty();
        }
        var key = Reading.key(call, served);
        var request = before.request(call, served, Part.OBJECT, key);
        return known(call, served, Part.OBJECT, request, commits.store().get(key));
    }

    private Optional<Answer> known(
            Call call, Served served, Part part, Optional<AppliedBefore.Request> request, @Nullable Stored current) {
        return current == null
                ? Optional.empty()
                : request.flatMap(each -> before.find(each, served, current))
                        .flatMap(said -> modification.unchanged(call, served, part, current, said));
    }

    /// What applying the same again would say, but for admission.
    private static List<String> said(List<String> aboutBody, Served served, Part part, Stored same) {
        var all = new ArrayList<>(aboutBody);
        if (part == Part.OBJECT) {
            all.addAll(served.kind().rules().warnings(Reading.view(same, served)));
        }
        return List.copyOf(all);
    }

    private Json.Obj applied(Call call, Served served, Part part, Json.Obj applied, Json.Obj live) {
        var merged = FieldOwners.applied(
                call, served, part, applied, live, commits.clock().instant());
        var known = Decoder.known(merged, served.kind(), _ -> {});
        var revision = applied.string("metadata", "resourceVersion");
        var metadata = known.object("metadata").without("resourceVersion");
        return known.with(
                "metadata", revision.isEmpty() ? metadata : metadata.with("resourceVersion", Json.of(revision)));
    }

    private Answer createApplied(Call call, Served served, Json.Obj applied, List<String> warnings) {
        var kind = served.kind();
        var name = call.target().name();
        var uid = applied.string("metadata", "uid");
        if (!uid.isEmpty()) {
            throw StatusError.conflict(
                    kind.resource(),
                    name,
                    "uid mismatch: the provided object specified uid " + uid + ", and no existing object was found");
        }
        // A revision is a demand on an object that is there.
        var wanted = applied.with("metadata", applied.object("metadata").without("resourceVersion"));
        var object = applied(call, served, Part.OBJECT, wanted, Json.Obj.EMPTY)
                .with(List.of("metadata", "name"), Json.of(name))
                .with("apiVersion", Json.of(kind.apiVersion()))
                .with("kind", Json.of(kind.kind()));
        return creation.create(call, served, object, warnings);
    }

    private static void checkApplied(Call call, Kind<?> kind, Json.Obj applied) {
        var name = applied.string("metadata", "name");
        var named = name.isEmpty()
                ? applied.with(
                        List.of("metadata", "name"), Json.of(call.target().name()))
                : applied;
        checkIdentity(call, kind, named);
    }
}

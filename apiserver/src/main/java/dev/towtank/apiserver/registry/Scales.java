package dev.towtank.apiserver.registry;

import dev.towtank.apiserver.Answer;
import dev.towtank.apiserver.Call;
import dev.towtank.apiserver.Catalog.Served;
import dev.towtank.apiserver.Content;
import dev.towtank.apiserver.registry.Modification.Edit;
import dev.towtank.apiserver.registry.Modification.Part;
import dev.towtank.model.FieldError;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.Path;
import dev.towtank.model.Schemas;
import dev.towtank.model.StatusError;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The `scale` subresource: how many replicas, seen and set without knowing the kind.
final class Scales {

    static final Kind<Json.Obj> SCALE = Kind.namespaced("autoscaling", "v1", "Scale", "scales");

    private final Reading reading;
    private final Modification modification;

    Scales(Reading reading, Modification modification) {
        this.reading = reading;
        this.modification = modification;
    }

    Answer get(Call call, Served served) {
        return answer(served, Reading.view(reading.find(call, served), served), List.of());
    }

    Answer update(Call call, Served served) {
        var warnings = new ArrayList<String>();
        var wanted = Decoder.object(call, SCALE, warnings::add);
        reading.find(call, served);
        Replacement.checkIdentity(call, SCALE, wanted);
        return set(call, served, _ -> wanted, warnings);
    }

    Answer patch(Call call, Served served) {
        boolean isApply = Decoder.isApply(call);
        Options.checkApply(call, isApply);
        var warnings = new ArrayList<String>();
        if (isApply) {
            return apply(call, served, warnings);
        }
        var patch = Decoder.patch(call, served.kind());
        return set(
                call,
                served,
                current -> Patching.patched(call, SCALE, patch, scale(served.kind(), current), warnings::add),
                warnings);
    }

    /// The number of replicas becomes the caller's, as a field of the object that is scaled.
    private Answer apply(Call call, Served served, List<String> warnings) {
        var kind = served.kind();
        var scale = Decoder.configuration(call, SCALE, warnings::add);
        if (!scale.string("apiVersion").equals(SCALE.apiVersion())) {
            throw StatusError.badRequest("Incorrect version specified in apply patch. Specified patch version: "
                    + scale.string("apiVersion") + ", expected: " + SCALE.apiVersion());
        }
        var replicas = scale.at("spec", "replicas");
        var identity = Json.Obj.of("apiVersion", Json.of(kind.apiVersion()), "kind", Json.of(kind.kind()));
        var applied = replicas == null ? identity : identity.with(paths(kind).specReplicas(), replicas);
        return answer(
                call,
                served,
                Edit.settlingOwners(
                        current -> {
                            var now = modification.now();
                            var merged = FieldOwners.applied(call, served, Part.OBJECT, applied, current, now);
                            return ofRevision(replicas == null ? merged : withReplicas(kind, merged, scale), scale);
                        },
                        _ -> {}),
                warnings);
    }

    private Answer set(Call call, Served served, Edit wanted, List<String> warnings) {
        return answer(
                call,
                served,
                current -> {
                    var scale = wanted.apply(current);
                    return ofRevision(withReplicas(served.kind(), current, scale), scale);
                },
                warnings);
    }

    private Answer answer(Call call, Served served, Edit edit, List<String> warnings) {
        var answer = modification.modify(call, served, Part.OBJECT, edit, warnings);
        if (!(answer instanceof Answer.One one)) {
            throw new IllegalStateException("an update answered with something else");
        }
        return answer(served, one.object().tree(), one.warnings());
    }

    private static Json.Obj withReplicas(Kind<?> kind, Json.Obj current, Json.Obj scale) {
        long replicas = scale.integer("spec", "replicas");
        boolean custom = Schemas.builtin().find(kind).isEmpty();
        if (replicas < 0 && !custom) {
            var errors = new FieldError.Collector();
            errors.invalid(Path.of("spec", "replicas"), Json.of(replicas), "must be greater than or equal to 0");
            throw StatusError.invalid(SCALE, current.string("metadata", "name"), errors.errors());
        }
        return current.with(paths(kind).specReplicas(), Json.of(replicas));
    }

    /// The object with the revision that the request demands, if it demands one.
    private static Json.Obj ofRevision(Json.Obj object, Json.Obj scale) {
        var revision = scale.string("metadata", "resourceVersion");
        var metadata = object.object("metadata").without("resourceVersion");
        return object.with(
                "metadata", revision.isEmpty() ? metadata : metadata.with("resourceVersion", Json.of(revision)));
    }

    private static Answer answer(Served served, Json.Obj object, List<String> warnings) {
        return new Answer.One(200, Optional.of(SCALE), Content.of(scale(served.kind(), object)), warnings);
    }

    private static Kind.Scale paths(Kind<?> kind) {
        return kind.scale().orElseThrow(() -> new IllegalStateException(kind + " has no scale"));
    }

    static Json.Obj scale(Kind<?> kind, Json.Obj object) {
        return paths(kind).of(object);
    }
}

package dev.towtank.apiserver.registry;

import dev.towtank.apiserver.Call;
import dev.towtank.model.FieldError;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.Kind;
import dev.towtank.model.Path;
import dev.towtank.model.Pruning;
import dev.towtank.model.Schemas;
import dev.towtank.model.StatusError;
import dev.towtank.model.patch.JsonPatch;
import dev.towtank.model.patch.MergePatch;
import dev.towtank.model.patch.Patch;
import dev.towtank.model.patch.StrategicMergePatch;
import java.util.ArrayList;
import java.util.function.Consumer;

/// What a patch makes of an object. Its result must still be that object: no patch changes what something is.
final class Patching {

    private Patching() {}

    /// The current object with the patch applied; fields that the kind does not have are dropped.
    static Json.Obj patched(
            Call call, Kind<?> kind, Decoder.PatchBody body, Json.Obj current, Consumer<String> warnings) {
        var edited = identified(kind, apply(kind, body.patch(), current), current);
        var problems = new ArrayList<>(body.problems());
        var known = known(kind, edited, path -> problems.add(Decoder.unknownField(path)));
        if (Decoder.isStrict(call) && !problems.isEmpty()) {
            throw invalid(edited, "strict decoding error: " + String.join(", ", problems));
        }
        Decoder.warn(call, problems, warnings);
        Replacement.checkNamespace(kind, known, current.string("metadata", "namespace"));
        checkName(known, current);
        checkUid(kind, known, current);
        // A revision that the patch did not set is no demand of the client; one that it did set comes again with every
        // attempt, and is then seen to differ.
        boolean carriedOver =
                known.string("metadata", "resourceVersion").equals(current.string("metadata", "resourceVersion"));
        return carriedOver ? known.with("metadata", known.object("metadata").without("resourceVersion")) : known;
    }

    private static Json.Obj known(Kind<?> kind, Json.Obj edited, Consumer<String> unknownField) {
        var type = Schemas.builtin().find(kind.apiVersion(), kind.kind());
        if (type.isEmpty()) {
            return kind.rules().prune(edited, unknownField);
        }
        try {
            return Pruning.prune(edited, type.get(), unknownField);
        } catch (Pruning.Mismatch e) {
            throw invalid(edited, e.text());
        }
    }

    private static Json.Obj apply(Kind<?> kind, Patch patch, Json.Obj current) {
        var result = switch (patch) {
            case Patch.Operations(var operations) -> JsonPatch.apply(current, operations);
            case Patch.Merge(var body) -> MergePatch.apply(current, body);
            case Patch.Strategic(var body) -> strategic(kind, current, body);
            case Patch.Apply _ -> throw new IllegalStateException("an apply is no edit of a tree");
        };
        if (result instanceof Json.Obj object) {
            return object;
        }
        throw invalid(result, "couldn't get version/kind; json parse error: the patch leaves no object");
    }

    // This one is made of the fields of a type; what says which type it is, is none of them.
    private static Json.Obj strategic(Kind<?> kind, Json.Obj current, Json.Obj body) {
        var type = Schemas.builtin()
                .find(kind.apiVersion(), kind.kind())
                .orElseThrow(() -> new IllegalStateException(kind + " has no strategy for merging"));
        return StrategicMergePatch.apply(current, body, type)
                .withOrWithout("apiVersion", current.get("apiVersion"))
                .withOrWithout("kind", current.get("kind"));
    }

    /// The result as what it was before.
    private static Json.Obj identified(Kind<?> kind, Json.Obj edited, Json.Obj current) {
        var found = edited.string("kind");
        var version = edited.string("apiVersion");
        if (found.equals(kind.kind()) && version.equals(kind.apiVersion())) {
            return edited;
        }
        boolean custom = Schemas.builtin().find(kind.apiVersion(), kind.kind()).isEmpty();
        if (custom && !found.isEmpty() && !version.isEmpty()) {
            var errors = new FieldError.Collector();
            if (!version.equals(kind.apiVersion())) {
                errors.invalid(Path.of("apiVersion"), version, "must be " + kind.apiVersion());
            }
            if (!found.equals(kind.kind())) {
                errors.invalid(Path.of("kind"), found, "must be " + kind.kind());
            }
            throw StatusError.invalid(groupOf(version), found, current.string("metadata", "name"), errors.errors());
        }
        // Left out, it can only mean what it was; a built-in version that is left out means nothing to Kubernetes.
        boolean leftOut = found.isEmpty() && version.equals(kind.apiVersion()) && !custom;
        if (!leftOut) {
            throw invalid(edited, whyNot(kind, found, version));
        }
        return edited.with("kind", Json.of(kind.kind()));
    }

    private static String whyNot(Kind<?> kind, String found, String version) {
        if (found.isEmpty() || version.isEmpty()) {
            return "Object '" + (found.isEmpty() ? "Kind" : "apiVersion") + "' is missing in the patched object";
        }
        return Schemas.builtin().find(version, found).isPresent()
                ? "converting (" + version.substring(version.indexOf('/') + 1) + "." + found + ") to ("
                        + Decoder.internalName(kind) + "): unknown conversion"
                : "no kind \"" + found + "\" is registered for version \"" + version
                        + "\" in scheme \"pkg/api/legacyscheme/scheme.go:30\"";
    }

    private static String groupOf(String apiVersion) {
        int slash = apiVersion.indexOf('/');
        return slash < 0 ? "" : apiVersion.substring(0, slash);
    }

    /// A result that is no object of the kind, in the words that Kubernetes has for all of them.
    private static StatusError invalid(Json result, String why) {
        var errors = new FieldError.Collector();
        errors.invalid(Path.of("patch"), Json.of(shown(result)), why);
        return StatusError.invalid("", "", "", errors.errors());
    }

    // The values of a Secret stay out of messages, which end up in logs.
    private static String shown(Json result) {
        boolean isSecret = result instanceof Json.Obj object
                && (object.string("kind").equals("Secret") || object.has("stringData"));
        return isSecret ? "(a Secret)" : JsonText.write(result);
    }

    private static void checkName(Json.Obj known, Json.Obj current) {
        var name = current.string("metadata", "name");
        if (known.string("metadata", "name").isEmpty()) {
            throw StatusError.badRequest(
                    "the name of the object (" + name + " based on URL) was undeterminable: name must be provided");
        }
        Replacement.checkName(known.string("metadata", "name"), name);
    }

    static void checkUid(Kind<?> kind, Json.Obj patched, Json.Obj current) {
        var uid = patched.string("metadata", "uid");
        if (!uid.isEmpty() && !uid.equals(current.string("metadata", "uid"))) {
            var errors = new FieldError.Collector();
            errors.invalid(Path.of("metadata", "uid"), uid, "field is immutable");
            if (Commits.checksMetadataTwice(kind)) {
                errors.invalid(Path.of("metadata", "uid"), uid, "field is immutable");
            }
            throw StatusError.invalid(kind, current.string("metadata", "name"), errors.errors());
        }
    }
}

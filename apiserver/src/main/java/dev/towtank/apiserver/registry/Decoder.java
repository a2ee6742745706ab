package dev.towtank.apiserver.registry;

import dev.towtank.apiserver.Body;
import dev.towtank.apiserver.Call;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.Kind;
import dev.towtank.model.Patch;
import dev.towtank.model.ProtobufReader;
import dev.towtank.model.Pruning;
import dev.towtank.model.Schemas;
import dev.towtank.model.StatusError;
import dev.towtank.model.YamlText;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;

/// Bodies to trees: text to JSON, the right kind, only fields that the kind has.
final class Decoder {

    private static final int SHOWN_BYTES = 100;
    private static final Set<String> OPERATION_FIELDS = Set.of("op", "path", "from", "value");

    private Decoder() {}

    /// What a client sent, and what was wrong with it that Kubernetes forgives.
    ///
    /// @param duplicates each in the words of whoever found it
    /// @param isYaml whether that was the reader of YAML, which tells all of them in one error
    private record Decoded(Json json, List<String> duplicates, boolean isYaml) {

        Decoded(Json json) {
            this(json, List.of(), false);
        }

        /// In a list of strict decoding errors.
        List<String> errors() {
            return isYaml && !duplicates.isEmpty()
                    ? List.of("yaml: unmarshal errors:\n  " + String.join("\n  ", duplicates))
                    : duplicates;
        }
    }

    /// A patch, and what is wrong with it that Kubernetes forgives.
    record PatchBody(Patch patch, List<String> problems) {
        PatchBody {
            problems = List.copyOf(problems);
        }
    }

    /// The object in the body, as the given kind.
    ///
    /// Fields that the kind does not have are dropped with a warning, or refused when the client wants it strict.
    static Json.Obj object(Call call, Kind<?> kind, Consumer<String> warnings) {
        var decoded = decode(call.body(), kind.kind());
        if (!(decoded.json instanceof Json.Obj object)) {
            throw unrecognized(kind.kind(), "expected a JSON object", decoded.json.toString());
        }
        checkType(object, kind);
        var unknown = new ArrayList<String>();
        var known = known(object, kind, path -> unknown.add(unknownField(path)));
        if (isStrict(call)) {
            refuse(kind, joined(decoded.errors(), unknown));
        } else {
            warn(call, joined(decoded.duplicates, unknown), warnings);
        }
        return known.with("apiVersion", Json.of(kind.apiVersion())).with("kind", Json.of(kind.kind()));
    }

    /// The configuration in the body of an apply: a part of an object, whose fields are checked when it is merged.
    static Json.Obj configuration(Call call, Kind<?> kind, Consumer<String> warnings) {
        var decoded = decode(call.body(), kind.kind());
        if (!(decoded.json instanceof Json.Obj object)) {
            throw unrecognized(kind.kind(), "expected a JSON object", decoded.json.toString());
        }
        if (object.string("kind").isEmpty()) {
            throw StatusError.badRequest("invalid object type: Object 'Kind' is missing in the applied configuration");
        }
        if (!object.string("kind").equals(kind.kind())) {
            checkType(object, kind);
        }
        if (isStrict(call) && !decoded.duplicates.isEmpty()) {
            throw StatusError.badRequest("error strict decoding patch: error converting YAML to JSON: "
                    + String.join(", ", decoded.errors()));
        }
        warn(call, decoded.duplicates, warnings);
        return object;
    }

    /// Drops what the kind does not have: by the schema of a built-in type, or by the rules of a custom one.
    static Json.Obj known(Json.Obj object, Kind<?> kind, Consumer<String> unknownField) {
        return Pruning.known(object, kind, unknownField);
    }

    private static void checkType(Json.Obj object, Kind<?> kind) {
        var apiVersion = object.string("apiVersion");
        if (!apiVersion.isEmpty() && !apiVersion.equals(kind.apiVersion())) {
            throw StatusError.badRequest("the API version in the data (" + apiVersion
                    + ") does not match the expected API version (" + kind.apiVersion() + ")");
        }
        var found = object.string("kind");
        if (!found.isEmpty() && !found.equals(kind.kind())) {
            throw StatusError.badRequest(found + " in version \"" + kind.version() + "\" cannot be handled as a "
                    + kind.kind() + ": converting (" + kind.version() + "." + found + ") to (" + kind.kind()
                    + "): unknown conversion");
        }
    }

    /// What is wrong with a patched object that Kubernetes forgives, refused when the client wants it strict.
    static void complain(Call call, Kind<?> kind, List<String> problems, Consumer<String> warnings) {
        if (isStrict(call)) {
            refuse(kind, problems);
        } else {
            warn(call, problems, warnings);
        }
    }

    private static boolean isStrict(Call call) {
        return call.params().text("fieldValidation").equals("Strict");
    }

    private static void refuse(Kind<?> kind, List<String> problems) {
        if (!problems.isEmpty()) {
            throw StatusError.badRequest(kind.kind() + " in version \"" + kind.version()
                    + "\" cannot be handled as a " + kind.kind() + ": strict decoding error: "
                    + String.join(", ", problems));
        }
    }

    private static void warn(Call call, List<String> problems, Consumer<String> warnings) {
        if (!call.params().text("fieldValidation").equals("Ignore")) {
            problems.forEach(warnings);
        }
    }

    static String unknownField(String path) {
        return "unknown field \"" + path + "\"";
    }

    private static List<String> joined(List<String> some, List<String> others) {
        return Stream.concat(some.stream(), others.stream()).toList();
    }

    static boolean isApply(Call call) {
        return Patch.isApply(mediaType(call.body()));
    }

    static PatchBody patch(Call call) {
        var decoded = decode(call.body(), "patch");
        var patch = Patch.of(mediaType(call.body()), decoded.json).orElseThrow(() -> unsupported(call.body()));
        var problems = new ArrayList<>(decoded.duplicates);
        if (patch instanceof Patch.Operations(var operations)) {
            unknownInOperations(operations, path -> problems.add(unknownField(path)));
            problems.replaceAll(problem -> "json patch " + problem);
        }
        return new PatchBody(patch, problems);
    }

    private static void unknownInOperations(Json.Arr operations, Consumer<String> unknown) {
        for (int i = 0; i < operations.size(); i++) {
            if (operations.get(i) instanceof Json.Obj operation) {
                for (var field : operation.keys()) {
                    if (!OPERATION_FIELDS.contains(field)) {
                        unknown.accept("[" + i + "]." + field);
                    }
                }
            }
        }
    }

    private static StatusError unsupported(Body body) {
        return new StatusError(
                StatusError.Reason.UNSUPPORTED_MEDIA_TYPE,
                "the body of the request was in an unknown format (" + mediaType(body) + ") - accepted media types"
                        + " include: application/json-patch+json, application/merge-patch+json,"
                        + " application/strategic-merge-patch+json");
    }

    /// An optional body, such as the options of a deletion.
    static Json.Obj options(Call call) {
        if (call.body() instanceof Body.None || (call.body() instanceof Body.Text text && text.bytes().length == 0)) {
            return Json.Obj.EMPTY;
        }
        return decode(call.body(), "DeleteOptions").json instanceof Json.Obj options ? options : Json.Obj.EMPTY;
    }

    private static String mediaType(Body body) {
        return switch (body) {
            case Body.None _ -> "";
            case Body.Text text -> text.mediaType();
            case Body.Tree(var mediaType, var _) -> mediaType;
        };
    }

    private static Decoded decode(Body body, String expected) {
        return switch (body) {
            case Body.None _ -> throw unrecognized(expected, "unexpected end of JSON input", "");
            case Body.Tree(var _, var json) -> new Decoded(json);
            case Body.Text text -> decode(text, expected);
        };
    }

    private static Decoded decode(Body.Text text, String expected) {
        try {
            if (text.mediaType().endsWith("yaml")) {
                var duplicateKeys = new ArrayList<String>();
                return new Decoded(YamlText.parse(text.bytes(), duplicateKeys::add), duplicateKeys, true);
            }
            if (text.mediaType().equals(ProtobufReader.MEDIA_TYPE)) {
                return new Decoded(ProtobufReader.read(text.bytes(), Schemas.builtin()));
            }
            var duplicates = new ArrayList<String>();
            return new Decoded(
                    JsonText.parse(text.bytes(), path -> duplicates.add("duplicate field \"" + path + "\"")),
                    duplicates,
                    false);
        } catch (JsonText.Malformed e) {
            throw unrecognized(expected, String.valueOf(e.getMessage()), shown(text.bytes()));
        }
    }

    private static StatusError unrecognized(String expected, String why, String shown) {
        return StatusError.badRequest("the object provided is unrecognized (must be of type " + expected
                + "): couldn't get version/kind; json parse error: " + why + " ("
                + (shown.isEmpty() ? "<empty>" : shown) + ")");
    }

    // A Secret may be among what does not parse, so the message shows only how it begins, and as hex like upstream.
    private static String shown(byte[] bytes) {
        var hex = new StringBuilder();
        for (int i = 0; i < Math.min(bytes.length, SHOWN_BYTES / 4); i++) {
            hex.append(String.format("%02x", bytes[i]));
        }
        return bytes.length > SHOWN_BYTES / 4 ? hex + " ..." : hex.toString();
    }
}

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
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;

/// Bodies to trees: text to JSON, the right kind, only fields that the kind has.
final class Decoder {

    private static final int BEGINNING = 30;
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

    /// The kind as Kubernetes calls it where it is of no version: `core.ConfigMap`, `rbac.Role`.
    static String internalName(Kind<?> kind) {
        var group = kind.group();
        int dot = group.indexOf('.');
        return (group.isEmpty() ? "core" : dot < 0 ? group : group.substring(0, dot)) + "." + kind.kind();
    }

    /// What Go's decoder says about JSON that is no object.
    static String notAnObject(Json json) {
        var found = switch (json) {
            case Json.Arr _ -> "array";
            case Json.Str _ -> "string";
            case Json.Bool _ -> "bool";
            case Json.Int _, Json.Real _ -> "number";
            case Json.Null _ -> "null";
            case Json.Obj _ -> "object";
        };
        return "json: cannot unmarshal " + found
                + " into Go value of type struct { APIVersion string \"json:\\\"apiVersion,omitempty\\\"\";"
                + " Kind string \"json:\\\"kind,omitempty\\\"\" }";
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
            throw unrecognized(kind.kind(), notAnObject(decoded.json), beginning(decoded.json.toString()));
        }
        checkType(object, kind);
        if (Schemas.builtin().find(kind).isEmpty()) {
            checkTyped(call, object, kind);
        }
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
            throw unrecognized(kind.kind(), notAnObject(decoded.json), beginning(decoded.json.toString()));
        }
        var version = object.string("apiVersion");
        if (object.string("kind").isEmpty() || version.isEmpty()) {
            throw StatusError.badRequest("invalid object type: " + (version.indexOf('/') < 0 ? "/" : "") + version
                    + ", Kind=" + object.string("kind"));
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

    // Built-in objects are known by their address; custom ones must say what they are.
    private static void checkTyped(Call call, Json.Obj object, Kind<?> kind) {
        if (object.string("kind").isEmpty()) {
            throw StatusError.badRequest("the object provided is unrecognized (must be of type " + kind.kind()
                    + "): Object 'Kind' is missing in '" + JsonText.write(object) + "' ("
                    + (call.body() instanceof Body.Text text ? beginning(text.bytes()) : "") + ")");
        }
        if (object.string("apiVersion").isEmpty()) {
            throw StatusError.badRequest("the API version in the data () does not match the expected API version ("
                    + kind.apiVersion() + ")");
        }
    }

    private static String beginning(byte[] bytes) {
        return bytes.length <= BEGINNING
                ? new String(bytes, StandardCharsets.UTF_8)
                : new String(bytes, 0, BEGINNING, StandardCharsets.UTF_8) + " ...";
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
                    + kind.kind() + ": converting (" + kind.version() + "." + found + ") to ("
                    + internalName(kind) + "): unknown conversion");
        }
    }

    static boolean isStrict(Call call) {
        return call.params().text("fieldValidation").equals("Strict");
    }

    private static void refuse(Kind<?> kind, List<String> problems) {
        if (!problems.isEmpty()) {
            throw StatusError.badRequest(kind.kind() + " in version \"" + kind.version()
                    + "\" cannot be handled as a " + kind.kind() + ": strict decoding error: "
                    + String.join(", ", problems));
        }
    }

    static void warn(Call call, List<String> problems, Consumer<String> warnings) {
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

    /// @param kind whose objects are to be patched, or a part of them
    static PatchBody patch(Call call, Kind<?> kind) {
        boolean custom = Schemas.builtin().find(kind).isEmpty();
        var decoded = decode(call.body(), "patch");
        var patch = Patch.of(mediaType(call.body()), decoded.json)
                .filter(each -> !(custom && each instanceof Patch.Strategic))
                .orElseThrow(() -> unsupported(custom));
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

    private static StatusError unsupported(boolean custom) {
        return new StatusError(
                StatusError.Reason.UNSUPPORTED_MEDIA_TYPE,
                "the body of the request was in an unknown format - accepted media types include:"
                        + " application/json-patch+json, application/merge-patch+json,"
                        + (custom ? "" : " application/strategic-merge-patch+json,")
                        + " application/apply-patch+yaml");
    }

    /// An optional body, such as a request for a token.
    static Json.Obj options(Call call) {
        return isEmpty(call.body()) || !(decode(call.body(), "object").json instanceof Json.Obj options)
                ? Json.Obj.EMPTY
                : options;
    }

    static boolean isEmpty(Body body) {
        return body instanceof Body.None || (body instanceof Body.Text text && text.bytes().length == 0);
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
            return parse(text);
        } catch (JsonText.Malformed e) {
            throw unrecognized(expected, String.valueOf(e.getMessage()), shown(text.bytes()));
        }
    }

    /// The text as a tree.
    ///
    /// @throws JsonText.Malformed where it is none
    static Json json(Body.Text text) {
        return parse(text).json;
    }

    private static Decoded parse(Body.Text text) {
        if (text.mediaType().endsWith("yaml")) {
            var duplicateKeys = new ArrayList<String>();
            return new Decoded(YamlText.first(text.bytes(), duplicateKeys::add, text.unwanted()), duplicateKeys, true);
        }
        if (text.mediaType().equals(ProtobufReader.MEDIA_TYPE)) {
            return new Decoded(ProtobufReader.read(text.bytes(), Schemas.builtin()));
        }
        var duplicates = new ArrayList<String>();
        return new Decoded(
                JsonText.parse(text.bytes(), path -> duplicates.add("duplicate field \"" + path + "\"")),
                duplicates,
                false);
    }

    private static StatusError unrecognized(String expected, String why, String shown) {
        return StatusError.badRequest("the object provided is unrecognized (must be of type " + expected
                + "): couldn't get version/kind; json parse error: " + why + " ("
                + (shown.isEmpty() ? "<empty>" : shown) + ")");
    }

    private static String beginning(String text) {
        return text.length() > SHOWN_BYTES ? text.substring(0, SHOWN_BYTES) + "..." : text;
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

package dev.towtank.apiserver.registry;

import dev.towtank.apiserver.Body;
import dev.towtank.apiserver.Call;
import dev.towtank.model.FieldError;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.Kind;
import dev.towtank.model.Path;
import dev.towtank.model.Pruning;
import dev.towtank.model.Schemas;
import dev.towtank.model.StatusError;
import dev.towtank.model.YamlText;
import dev.towtank.model.patch.Patch;
import dev.towtank.model.protobuf.ProtobufReader;
import dev.towtank.model.wording.GoJson;
import dev.towtank.model.wording.GoYaml;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;

/// Bodies to trees: text to JSON, the right kind, only fields that the kind has.
final class Decoder {

    private static final String PATCH = "patch";
    private static final int BEGINNING = 30;
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
        return "json: cannot unmarshal " + nameOf(json)
                + " into Go value of type struct { APIVersion string \"json:\\\"apiVersion,omitempty\\\"\";"
                + " Kind string \"json:\\\"kind,omitempty\\\"\" }";
    }

    private static String nameOf(Json json) {
        return switch (json) {
            case Json.Arr _ -> "array";
            case Json.Str _ -> "string";
            case Json.Bool _ -> "bool";
            case Json.Int _, Json.Real _ -> "number";
            case Json.Null _ -> "null";
            case Json.Obj _ -> "object";
        };
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
        // To Go, null is an object in which nothing is said.
        var given = decoded.json instanceof Json.Null && !(call.body() instanceof Body.Tree)
                ? Json.Obj.EMPTY
                : decoded.json;
        if (!(given instanceof Json.Obj object)) {
            throw unrecognized(kind.kind(), notAnObject(given), beginning(call.body(), given));
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
            throw unrecognized(kind.kind(), notAnObject(decoded.json), beginning(call.body(), decoded.json));
        }
        var version = object.string("apiVersion");
        if (object.string("kind").isEmpty() || version.isEmpty()) {
            throw StatusError.badRequest("invalid object type: " + (version.indexOf('/') < 0 ? "/" : "") + version
                    + ", Kind=" + object.string("kind"));
        }
        if (!object.string("kind").equals(kind.kind())) {
            throw StatusError.badRequest("invalid object type: " + (version.indexOf('/') < 0 ? "/" : "") + version
                    + ", Kind=" + object.string("kind"));
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
        var metadata = object.get("metadata");
        if (metadata != null && !(metadata instanceof Json.Obj) && !(metadata instanceof Json.Null)) {
            throw StatusError.badRequest(kind.kind() + " in version \"" + kind.version() + "\" cannot be handled as a "
                    + kind.kind() + ": json: cannot unmarshal " + nameOf(metadata)
                    + " into Go value of type v1.ObjectMeta");
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
        var found = object.string("kind");
        boolean known = Schemas.builtin().find(kind).isPresent()
                && Schemas.builtin().find(apiVersion, found).isPresent();
        if (!found.isEmpty() && !found.equals(kind.kind()) && known) {
            throw unknownConversion(apiVersion.substring(apiVersion.indexOf('/') + 1), found, kind);
        }
        if (!apiVersion.isEmpty() && !apiVersion.equals(kind.apiVersion())) {
            throw StatusError.badRequest("the API version in the data (" + apiVersion
                    + ") does not match the expected API version (" + kind.apiVersion() + ")");
        }
        if (!found.isEmpty() && !found.equals(kind.kind())) {
            throw Schemas.builtin().find(kind).isPresent()
                    ? unknownConversion(kind.version(), found, kind)
                    : notThatKind(object, kind);
        }
    }

    // A custom object is decoded as whatever it says, and found out by validation.
    private static StatusError notThatKind(Json.Obj object, Kind<?> kind) {
        var errors = new FieldError.Collector();
        errors.invalid(Path.of("kind"), object.string("kind"), "must be " + kind.kind());
        return StatusError.invalid(
                kind.group(), object.string("kind"), object.string("metadata", "name"), errors.errors());
    }

    private static StatusError unknownConversion(String version, String found, Kind<?> kind) {
        return StatusError.badRequest(found + " in version \"" + version + "\" cannot be handled as a "
                + kind.kind() + ": converting (" + version + "." + found + ") to (" + internalName(kind)
                + "): unknown conversion");
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
        var decoded = decode(call.body(), PATCH);
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
            boolean isYaml = text.mediaType().endsWith("yaml");
            var why =
                    (isYaml ? GoYaml.problem(e) : GoJson.problem(text.bytes())).orElse(String.valueOf(e.getMessage()));
            if (expected.equals(PATCH)) {
                throw StatusError.badRequest("error decoding patch: " + why);
            }
            throw isYaml
                    ? unrecognized(expected, why, "", shown(text.bytes()))
                    : unrecognized(expected, why, shown(text.bytes()));
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
        return unrecognized(expected, why, "couldn't get version/kind; json parse error: ", shown);
    }

    private static StatusError unrecognized(String expected, String why, String step, String shown) {
        return StatusError.badRequest("the object provided is unrecognized (must be of type " + expected + "): " + step
                + why + " (" + (shown.isEmpty() ? "<empty>" : shown) + ")");
    }

    private static String beginning(Body body, Json json) {
        return shown(body instanceof Body.Text text ? text.bytes() : JsonText.bytes(json));
    }

    // A Secret may be among what does not parse, so the message shows only how it begins, and no text but that of JSON.
    private static String shown(byte[] bytes) {
        if (bytes.length > 0 && bytes[0] == '{') {
            return beginning(bytes);
        }
        var hex = HexFormat.of().formatHex(bytes, 0, Math.min(bytes.length, BEGINNING));
        return bytes.length > BEGINNING ? hex + " ..." : hex;
    }
}

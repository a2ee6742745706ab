package dev.towtank.model.cel;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import dev.cel.common.types.CelType;
import dev.cel.common.types.ListType;
import dev.cel.common.types.MapType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.values.NullValue;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.YamlText;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// What Tekton Triggers adds to the language.
public final class TriggersFunctions {

    private static final MapType MAP = MapType.create(SimpleType.STRING, SimpleType.DYN);
    private static final ListType LIST = ListType.create(SimpleType.DYN);
    private static final int LARGEST_TRANSLATION = 4 << 20;
    private static final ScopedValue<Secrets> SECRETS = ScopedValue.newInstance();

    private TriggersFunctions() {}

    /// The secrets that expressions may compare texts with.
    @FunctionalInterface
    public interface Secrets {
        /// @param namespace empty where the expression names none
        Optional<byte[]> find(String namespace, String name, String key);
    }

    /// Evaluates with secrets at hand.
    public static <T> T withSecrets(Secrets secrets, Supplier<T> evaluation) {
        return ScopedValue.where(SECRETS, secrets).call(evaluation::get);
    }

    static void addTo(FunctionLibrary library) {
        addHeaders(library);
        addTexts(library);
        addParsers(library);
        library.function("first").member("first_list", SimpleType.DYN, LIST, List.class, list -> end(list, true));
        library.function("last").member("last_list", SimpleType.DYN, LIST, List.class, list -> end(list, false));
        library.function("marshalJSON")
                .member("marshalJSON_dyn", SimpleType.STRING, SimpleType.DYN, Object.class, TriggersFunctions::written);
    }

    private static void addHeaders(FunctionLibrary library) {
        library.function("match")
                .member(
                        "match_map_string_string",
                        SimpleType.BOOL,
                        List.of(MAP, SimpleType.STRING, SimpleType.STRING),
                        List.of(Map.class, String.class, String.class),
                        arguments -> header((Map<?, ?>) arguments[0], (String) arguments[1])
                                .equals(arguments[2]));
        library.function("canonical")
                .member(
                        "canonical_map_string",
                        SimpleType.STRING,
                        MAP,
                        Map.class,
                        SimpleType.STRING,
                        String.class,
                        (headers, name) -> header(headers, name));
    }

    private static void addTexts(FunctionLibrary library) {
        CelType text = SimpleType.STRING;
        library.function("truncate")
                .member(
                        "truncate_string_uint",
                        text,
                        text,
                        String.class,
                        SimpleType.INT,
                        Long.class,
                        (value, length) -> value.substring(0, Math.clamp(length, 0, value.length())));
        library.function("compareSecret")
                .member(
                        "compareSecret_string_string",
                        SimpleType.BOOL,
                        List.of(text, text, text),
                        List.of(String.class, String.class, String.class),
                        TriggersFunctions::isSecret)
                .member(
                        "compareSecret_string_string_string",
                        SimpleType.BOOL,
                        List.of(text, text, text, text),
                        List.of(String.class, String.class, String.class, String.class),
                        TriggersFunctions::isSecret);
        library.function("translate")
                .member(
                        "translate_string_string",
                        text,
                        List.of(text, text, text),
                        List.of(String.class, String.class, String.class),
                        arguments -> translated((String) arguments[0], (String) arguments[1], (String) arguments[2]));
        library.function("decodeb64").member("decodeb64_string", text, text, String.class, TriggersFunctions::decoded);
    }

    private static void addParsers(FunctionLibrary library) {
        library.function("parseJSON")
                .member("parseJSON_string", MAP, SimpleType.STRING, String.class, text -> parsed(text, false));
        library.function("parseYAML")
                .member("parseYAML_string", MAP, SimpleType.STRING, String.class, text -> parsed(text, true));
        library.function("parseURL")
                .member("parseURL_string", MAP, SimpleType.STRING, String.class, TriggersFunctions::url);
    }

    /// JSON as expressions on events see it: all numbers are real.
    public static Json numbersAsReals(Json json) {
        return switch (json) {
            case Json.Int(var number) -> new Json.Real(number);
            case Json.Arr array -> array.map(TriggersFunctions::numbersAsReals);
            case Json.Obj object -> {
                var changed = Json.Obj.builder();
                object.forEach((key, value) -> changed.put(key, numbersAsReals(value)));
                yield changed.build();
            }
            case Json.Null _, Json.Bool _, Json.Real _, Json.Str _ -> json;
        };
    }

    private static String header(Map<?, ?> headers, String name) {
        if (!headers.values().stream().allMatch(List.class::isInstance)) {
            throw new JsonValues.Missing("failed to convert to http.Header");
        }
        for (var entry : headers.entrySet()) {
            if (String.valueOf(entry.getKey()).equalsIgnoreCase(name)
                    && entry.getValue() instanceof List<?> values
                    && !values.isEmpty()) {
                return String.valueOf(values.getFirst());
            }
        }
        return "";
    }

    private static boolean isSecret(Object[] arguments) {
        var key = (String) arguments[1];
        var name = (String) arguments[2];
        var namespace = arguments.length > 3 ? (String) arguments[3] : "";
        var secret = SECRETS.isBound() ? SECRETS.get().find(namespace, name, key) : Optional.<byte[]>empty();
        if (secret.isEmpty()) {
            throw new JsonValues.Missing("failed to find secret '" + (namespace.isEmpty() ? "" : namespace + "/") + name
                    + "' with the key '" + key + "' in compareSecret");
        }
        return MessageDigest.isEqual(secret.get(), ((String) arguments[0]).getBytes(StandardCharsets.UTF_8));
    }

    private static String translated(String text, String pattern, String replacement) {
        try {
            var result = Pattern.compile(pattern).matcher(text).replaceAll(braced(replacement));
            if (result.length() > LARGEST_TRANSLATION) {
                throw new JsonValues.Missing("the translation is larger than " + LARGEST_TRANSLATION + " characters");
            }
            return result;
        } catch (PatternSyntaxException e) {
            throw new JsonValues.Missing("failed to parse regular expression for translation: " + e.getMessage());
        } catch (IndexOutOfBoundsException | IllegalArgumentException e) {
            throw new JsonValues.Missing("failed to translate: " + e.getMessage());
        }
    }

    // Go has `$$` for a dollar sign where Java has a backslash, which Go takes as it is.
    private static String braced(String replacement) {
        return replacement.replace("\\", "\\\\").replace("$$", "\\$");
    }

    private static String decoded(String text) {
        try {
            return new String(Base64.getDecoder().decode(text), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw new JsonValues.Missing("failed to decode in decodeb64: " + e.getMessage());
        }
    }

    private static Object parsed(String text, boolean isYaml) {
        try {
            var json = isYaml ? YamlText.parse(text) : JsonText.parse(text);
            if (json instanceof Json.Obj object) {
                return JsonValues.read(numbersAsReals(object), Shape.Scalar.ANY);
            }
            throw new JsonValues.Missing("failed to decode in parse" + (isYaml ? "YAML" : "JSON") + ": no object");
        } catch (JsonText.Malformed e) {
            throw new JsonValues.Missing(
                    "failed to decode in parse" + (isYaml ? "YAML" : "JSON") + ": " + e.getMessage());
        }
    }

    private static Object end(List<?> list, boolean isFirst) {
        return list.isEmpty() ? NullValue.NULL_VALUE : isFirst ? list.getFirst() : list.getLast();
    }

    private static String written(Object value) {
        if (!(value instanceof Map) && !(value instanceof List)) {
            var type = value instanceof String ? "string" : value instanceof Boolean ? "bool" : "number";
            throw new JsonValues.Missing("no such overload: marshalJSON(" + type + ")");
        }
        return JsonText.write(sorted(JsonValues.write(value)));
    }

    private static Json sorted(Json json) {
        return switch (json) {
            case Json.Obj object -> {
                var changed = Json.Obj.builder();
                var byName = new TreeMap<String, Json>();
                object.forEach((key, value) -> byName.put(key, sorted(value)));
                byName.forEach(changed::put);
                yield changed.build();
            }
            case Json.Arr array -> array.map(TriggersFunctions::sorted);
            case Json.Null _, Json.Bool _, Json.Int _, Json.Real _, Json.Str _ -> json;
        };
    }

    private static Map<String, Object> url(String text) {
        try {
            var url = new URI(text);
            var parts = new LinkedHashMap<String, Object>();
            parts.put("scheme", orEmpty(url.getScheme()));
            parts.put("host", hostOf(url));
            parts.put("path", orEmpty(url.getPath()));
            parts.put("rawQuery", orEmpty(url.getRawQuery()));
            parts.put("fragment", orEmpty(url.getFragment()));
            var query = UrlFunctions.query(url);
            parts.put("queryStrings", query);
            var joined = new LinkedHashMap<String, String>();
            query.forEach((name, values) -> joined.put(name, String.join(",", values)));
            parts.put("query", joined);
            var user = orEmpty(url.getUserInfo());
            if (!user.isEmpty()) {
                int colon = user.indexOf(':');
                parts.put(
                        "auth",
                        Map.of(
                                "username", colon < 0 ? user : user.substring(0, colon),
                                "password", colon < 0 ? "" : user.substring(colon + 1)));
            }
            return parts;
        } catch (URISyntaxException e) {
            throw new JsonValues.Missing("failed to decode in parseURL: " + e.getReason());
        }
    }

    private static String hostOf(URI url) {
        var host = orEmpty(url.getRawAuthority());
        return host.substring(host.lastIndexOf('@') + 1);
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }
}

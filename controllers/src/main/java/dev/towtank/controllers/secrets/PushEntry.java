package dev.towtank.controllers.secrets;

import dev.towtank.controllers.secrets.reading.ReadProblem;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// One line of a PushSecret: which value becomes what of which Secret.
///
/// @param json the line as it was written, with its defaults
record PushEntry(Json.Obj json) {

    private static final Pattern ESCAPED = Pattern.compile("_U([0-9a-fA-F]{4,5})_");
    private static final String LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

    String remoteKey() {
        return json.string("match", "remoteRef", "remoteKey");
    }

    String property() {
        return json.string("match", "remoteRef", "property");
    }

    private String secretKey() {
        return json.string("match", "secretKey");
    }

    /// How the status calls it.
    String key() {
        return property().isEmpty() ? remoteKey() : remoteKey() + "/" + property();
    }

    boolean isIn(Json.Obj secret) {
        return property().isEmpty() || secret.object("data").has(property());
    }

    /// The Secret with what this line says of it.
    ///
    /// @param before its type, data and metadata; empty where there is none
    /// @throws ReadProblem the source does not have it
    Json.Obj into(Json.Obj before, PushFacts.Source source) {
        var data = converted(source.data());
        var value = secretKey().isEmpty() ? whole(data) : data.get(secretKey());
        if (value == null) {
            throw ReadProblem.of("secret key " + secretKey() + " does not exist");
        }
        if (property().isEmpty() && !secretKey().isEmpty()) {
            throw ReadProblem.of(
                    "could not write remote ref " + secretKey() + " to target secretstore: requires property"
                            + " in RemoteRef to push secret value if secret key is defined");
        }
        var pushed = Json.Obj.builder();
        if (property().isEmpty()) {
            data.forEach((key, each) -> pushed.put(key, encoded(each)));
        } else {
            before.object("data").forEach(pushed::put);
            pushed.put(property(), encoded(value));
        }
        var metadata = Json.Obj.of(
                "labels", metadata(before, "labels", source), "annotations", metadata(before, "annotations", source));
        var type = source.type().isEmpty() ? "Opaque" : source.type();
        return Json.Obj.of(
                "type", Json.of(before.has("type") ? before.string("type") : type),
                "metadata", metadata,
                "data", pushed.build());
    }

    private static byte[] whole(NavigableMap<String, byte[]> data) {
        var texts = Json.Obj.builder();
        data.forEach((key, value) -> texts.put(key, new String(value, StandardCharsets.UTF_8)));
        return JsonText.bytes(texts.build());
    }

    private static String encoded(byte[] value) {
        return Base64.getEncoder().encodeToString(value);
    }

    private NavigableMap<String, byte[]> converted(NavigableMap<String, byte[]> data) {
        if (!json.string("conversionStrategy").equals("ReverseUnicode")) {
            return data;
        }
        var converted = new TreeMap<String, byte[]>();
        data.forEach((key, value) -> {
            var plain = ESCAPED.matcher(key)
                    .replaceAll(found ->
                            Matcher.quoteReplacement(Character.toString(Integer.parseInt(found.group(1), 16))));
            if (converted.put(plain, value) != null) {
                throw ReadProblem.of("could not apply conversion strategy to keys: secret name collision during"
                        + " conversion: " + plain);
            }
        });
        return converted;
    }

    /// What a whole PushSecretMetadata says about labels and annotations.
    private Json.Obj metadata(Json.Obj before, String part, PushFacts.Source source) {
        var wanted = json.object("metadata", "spec");
        var own = new TreeMap<>(part.equals("labels") ? source.labels() : source.annotations());
        // It holds the values that kubectl was given.
        own.remove(LAST_APPLIED);
        if (wanted.string("sourceMergePolicy").equals("Replace")) {
            own.clear();
        }
        own.putAll(wanted.stringMap(part));
        var there = new TreeMap<>(before.stringMap("metadata", part));
        return Json.Obj.ofStrings(
                switch (wanted.string("targetMergePolicy")) {
                    case "Replace" -> own;
                    case "Ignore" -> there;
                    default -> {
                        there.putAll(own);
                        yield there;
                    }
                });
    }
}

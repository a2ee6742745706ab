package dev.towtank.controllers.secrets.reading;

import dev.towtank.model.GroupResource;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.LabelSelector;
import dev.towtank.model.Resource;
import dev.towtank.model.StatusError;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/// Secrets of a Kubernetes namespace, which somebody else's rights let us read.
public record KubernetesProvider(Source secrets) implements Provider {

    private static final GroupResource SECRETS = new GroupResource("", "secrets");
    static final int MOST_FOUND = 10_000;

    /// Both throw a [ReadProblem] where it is not allowed.
    public interface Source {
        Optional<Resource> get(String name);

        List<Resource> list(LabelSelector selector);
    }

    @Override
    public byte[] value(RemoteRef ref) {
        // Without its own kind of error, so that no deletion policy takes it for a secret that was removed.
        var secret = secrets.get(ref.key())
                .orElseThrow(() ->
                        ReadProblem.of(StatusError.notFound(SECRETS, ref.key()).text()));
        if (ref.property().isEmpty()) {
            return JsonText.bytes(ref.ofMetadata() ? metadata(secret) : texts(data(secret)));
        }
        return ref.ofMetadata()
                ? ofMetadata(secret, ref.property())
                        .orElseThrow(() -> ReadProblem.of("property %s does not exist in metadata of secret %s"
                                .formatted(ref.property(), Json.of(ref.key()))))
                : ofData(data(secret), ref.property())
                        .orElseThrow(() -> ReadProblem.of("property %s does not exist in data of secret %s"
                                .formatted(ref.property(), Json.of(ref.key()))));
    }

    /// A key that has dots of its own comes first, so that `tls.crt` works; then a path into the JSON of a value.
    private static Optional<byte[]> ofData(Map<String, byte[]> data, String property) {
        int dot = property.indexOf('.');
        return Optional.ofNullable(data.get(property))
                .or(() -> dot <= 0 || dot == property.length() - 1
                        ? Optional.empty()
                        : Optional.ofNullable(data.get(property.substring(0, dot)))
                                .flatMap(value -> JsonProperty.find(value, property.substring(dot + 1))));
    }

    private static Optional<byte[]> ofMetadata(Resource secret, String property) {
        int dot = property.indexOf('.');
        var group = dot < 0 ? property : property.substring(0, dot);
        if (!group.equals("labels") && !group.equals("annotations")) {
            return Optional.empty();
        }
        var values = secret.metadata().object(group);
        if (dot < 0) {
            return Optional.of(JsonText.bytes(values));
        }
        var key = property.substring(dot + 1);
        return Optional.ofNullable(values.get(key))
                .map(JsonProperty::bytes)
                .or(() -> JsonProperty.find(JsonText.bytes(values), key));
    }

    @Override
    public NavigableMap<String, byte[]> values(RemoteRef ref) {
        var secret = secrets.get(ref.key()).orElseThrow(ReadProblem::ofMissing);
        var all = ref.ofMetadata() ? values(metadata(secret)) : data(secret);
        if (ref.property().isEmpty()) {
            return all;
        }
        var value = ofData(all, ref.property())
                .orElseThrow(
                        () -> ReadProblem.of("property " + ref.property() + " does not exist in key " + ref.key()));
        try {
            var inner = new TreeMap<String, byte[]>();
            JsonText.parseObject(value).forEach((key, part) -> inner.put(key, JsonText.bytes(part)));
            return inner;
        } catch (JsonText.Malformed e) {
            throw ReadProblem.of("failed to unmarshal secret: invalid JSON format");
        }
    }

    @Override
    public NavigableMap<String, byte[]> find(Json.Obj find) {
        List<Resource> matching;
        if (find.get("tags") instanceof Json.Obj) {
            matching = list(selector(find));
        } else if (find.get("name") instanceof Json.Obj name) {
            var all = list(LabelSelector.EVERYTHING);
            var names = NameExpressions.matching(
                    name.string("regexp"), all.stream().map(Resource::name).toList());
            matching = all.stream().filter(each -> names.contains(each.name())).toList();
        } else {
            throw ReadProblem.of("unexpected find operator: one of name and tags must be set");
        }
        var found = new TreeMap<String, byte[]>();
        matching.forEach(secret -> found.put(secret.name(), JsonText.bytes(texts(data(secret)))));
        return Keys.converted(found, find.string("conversionStrategy"));
    }

    private static LabelSelector selector(Json.Obj find) {
        try {
            return LabelSelector.of(find.stringMap("tags"));
        } catch (StatusError e) {
            throw ReadProblem.of("unable to validate selector tags: " + e.text());
        }
    }

    private List<Resource> list(LabelSelector selector) {
        try {
            var all = secrets.list(selector);
            if (all.size() > MOST_FOUND) {
                throw ReadProblem.of("more than " + MOST_FOUND + " match; narrow the search by tags");
            }
            return all;
        } catch (ReadProblem e) {
            throw e.inside("unable to list secrets: ");
        }
    }

    /// The values of a Secret.
    public static NavigableMap<String, byte[]> data(Resource secret) {
        var data = new TreeMap<String, byte[]>();
        secret.json().object("data").forEach((key, value) -> data.put(key, bytes(value.display())));
        return data;
    }

    // Clients may have put line breaks into it.
    private static byte[] bytes(String text) {
        return Base64.getDecoder().decode(text.replace("\n", "").replace("\r", ""));
    }

    private static Json.Obj texts(NavigableMap<String, byte[]> data) {
        var texts = Json.Obj.builder();
        data.forEach((key, value) -> texts.put(key, new String(value, StandardCharsets.UTF_8)));
        return texts.build();
    }

    private static Json.Obj metadata(Resource secret) {
        return Json.Obj.of(
                "annotations",
                secret.metadata().object("annotations"),
                "labels",
                secret.metadata().object("labels"));
    }

    private static NavigableMap<String, byte[]> values(Json.Obj object) {
        var values = new TreeMap<String, byte[]>();
        object.forEach((key, value) -> values.put(key, JsonText.bytes(value)));
        return values;
    }
}

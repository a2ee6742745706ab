package dev.towtank.controllers.secrets.reading;

import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import java.nio.charset.StandardCharsets;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/// The provider for tests: its values stand in the store itself.
///
/// @param spec `provider.fake`
public record FakeProvider(Json.Obj spec) implements Provider {

    @Override
    public byte[] value(RemoteRef ref) {
        var value = entry(ref).orElseThrow(ReadProblem::ofMissing);
        return ref.property().isEmpty()
                ? value
                : JsonProperty.find(value, ref.property()).orElseThrow(ReadProblem::ofMissing);
    }

    private Optional<byte[]> entry(RemoteRef ref) {
        byte[] found = null;
        for (var entry : spec.objects("data")) {
            if (entry.string("key").equals(ref.key()) && entry.string("version").equals(ref.version())) {
                found = bytes(entry);
            }
        }
        return Optional.ofNullable(found);
    }

    private static byte[] bytes(Json.Obj entry) {
        return entry.string("value").getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public NavigableMap<String, byte[]> values(RemoteRef ref) {
        var values = new TreeMap<String, byte[]>();
        try {
            JsonText.parseObject(value(ref)).forEach((key, value) -> values.put(key, JsonProperty.bytes(value)));
        } catch (JsonText.Malformed e) {
            throw ReadProblem.of("unable to unmarshal secret: not a JSON object");
        }
        return values;
    }

    @Override
    public NavigableMap<String, byte[]> find(Json.Obj find) {
        if (!(find.get("name") instanceof Json.Obj name)) {
            throw ReadProblem.of("unsupported find operator: the fake provider finds by name only");
        }
        var newest = new TreeMap<String, Json.Obj>();
        for (var entry : spec.objects("data")) {
            newest.merge(
                    entry.string("key"),
                    entry,
                    (one, other) -> other.string("version").compareTo(one.string("version")) > 0 ? other : one);
        }
        var matching = NameExpressions.matching(
                name.string("regexp"), newest.keySet().stream().toList());
        var found = new TreeMap<String, byte[]>();
        matching.forEach(key -> found.put(key, bytes(newest.getOrDefault(key, Json.Obj.EMPTY))));
        return Keys.converted(found, find.string("conversionStrategy"));
    }
}

package dev.towtank.controllers.secrets.reading;

import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

/// Fields of objects of one kind, which somebody else's rights let us read: what an operator wrote into the status of
/// its
/// object is had without a script.
///
/// @param objects by their names; throws a [ReadProblem] where it is not allowed
public record ObjectProvider(String kind, Function<String, Optional<Json.Obj>> objects) implements Provider {

    @Override
    public byte[] value(RemoteRef ref) {
        var object = object(ref).orElseThrow(() -> missing(ref));
        return part(object, ref);
    }

    private Optional<Json.Obj> object(RemoteRef ref) {
        return objects.apply(ref.key())
                .map(object -> ref.ofMetadata()
                        ? Json.Obj.of(
                                "labels", object.object("metadata", "labels"),
                                "annotations", object.object("metadata", "annotations"))
                        : object);
    }

    private ReadProblem missing(RemoteRef ref) {
        return ReadProblem.of(kind + " " + Json.of(ref.key()) + " not found");
    }

    private byte[] part(Json.Obj object, RemoteRef ref) {
        var text = JsonText.bytes(object);
        return ref.property().isEmpty()
                ? text
                : JsonProperty.find(text, ref.property())
                        .orElseThrow(() -> ReadProblem.of("field %s does not exist in %s %s"
                                .formatted(ref.property(), kind, Json.of(ref.key()))));
    }

    @Override
    public NavigableMap<String, byte[]> values(RemoteRef ref) {
        var object = object(ref).orElseThrow(ReadProblem::ofMissing);
        try {
            var values = new TreeMap<String, byte[]>();
            JsonText.parseObject(part(object, ref)).forEach((key, value) -> values.put(key, JsonProperty.bytes(value)));
            return values;
        } catch (JsonText.Malformed e) {
            throw ReadProblem.of("field %s of %s %s is no object".formatted(ref.property(), kind, Json.of(ref.key())));
        }
    }

    @Override
    public NavigableMap<String, byte[]> find(Json.Obj find) {
        throw ReadProblem.of("unsupported find operator: objects are read by their names");
    }
}

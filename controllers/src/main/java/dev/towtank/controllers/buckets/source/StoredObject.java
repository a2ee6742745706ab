package dev.towtank.controllers.buckets.source;

import dev.towtank.model.Json;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/// An object as it is described beside its bytes.
///
/// @param etag without quotes
/// @param headers that go out with it, by their names in lower case
/// @param pieces files that are its bytes, one behind the other
record StoredObject(
        String key, long size, String etag, Instant modified, Map<String, String> headers, List<Piece> pieces) {

    /// @param file a name of our own in the bucket's directory of data
    record Piece(String file, long size) {

        static Piece read(Json.Obj json) {
            return new Piece(json.string("file"), json.integer("size"));
        }

        Json.Obj json() {
            return Json.Obj.of("file", Json.of(file), "size", Json.of(size));
        }
    }

    StoredObject {
        headers = Map.copyOf(headers);
        pieces = List.copyOf(pieces);
    }

    static StoredObject read(Json.Obj json) {
        return new StoredObject(
                json.string("key"),
                json.integer("size"),
                json.string("etag"),
                Instant.parse(json.string("modified")),
                json.stringMap("headers"),
                json.objects("pieces").stream().map(Piece::read).toList());
    }

    Json.Obj json() {
        return Json.Obj.builder()
                .put("key", key)
                .put("size", size)
                .put("etag", etag)
                .put("modified", modified.toString())
                .put("headers", Json.Obj.ofStrings(headers))
                .put(
                        "pieces",
                        new Json.Arr(pieces.stream().<Json>map(Piece::json).toList()))
                .build();
    }
}

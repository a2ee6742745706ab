package dev.towtank.archive.api;

import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.TreeMap;

/// The part of an answer that a caller wants: `records.name,records.data.value.metadata.name`.
///
/// @param fields empty for everything below
record FieldMask(Map<String, FieldMask> fields) {

    private static final int MAX_LENGTH = 4096;

    static FieldMask of(String text) {
        var root = new FieldMask(new TreeMap<>());
        for (var path : text.substring(0, Math.min(text.length(), MAX_LENGTH)).split(",", -1)) {
            var mask = root;
            for (var field : path.trim().split("\\.", -1)) {
                if (!field.isEmpty()) {
                    mask = mask.fields.computeIfAbsent(field, _ -> new FieldMask(new TreeMap<>()));
                }
            }
        }
        return root;
    }

    Json apply(Json json) {
        if (fields.isEmpty()) {
            return json;
        }
        return switch (json) {
            case Json.Obj object -> applied(object);
            case Json.Arr array -> array.map(this::apply);
            // An archived object, which travels as bytes.
            case Json.Str(var text) -> inside(text);
            case Json.Null _, Json.Bool _, Json.Int _, Json.Real _ -> json;
        };
    }

    private Json applied(Json.Obj object) {
        var kept = Json.Obj.builder();
        object.forEach((key, value) -> {
            var mask = fields.get(key);
            if (mask != null) {
                kept.put(key, mask.apply(value));
            }
        });
        return kept.build();
    }

    private Json inside(String text) {
        try {
            var value = JsonText.parse(Base64.getDecoder().decode(text));
            var bytes = JsonText.write(apply(value)).getBytes(StandardCharsets.UTF_8);
            return Json.of(Base64.getEncoder().encodeToString(bytes));
        } catch (IllegalArgumentException | JsonText.Malformed e) {
            return Json.of(text);
        }
    }
}

package dev.towtank.apiserver.view;

import dev.towtank.apiserver.Content;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.Kind;
import dev.towtank.model.Schemas;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/// `kind` and `apiVersion` of the items of a list: those of built-in kinds are those of the list and not written again,
/// custom objects always say what they are.
///
/// @param beginnings how stored items begin that have them in front, and what follows them
record ItemTypes(boolean areHidden, List<byte[]> beginnings) {

    static ItemTypes of(Kind<?> kind) {
        if (Schemas.builtin().find(kind).isEmpty()) {
            return new ItemTypes(false, List.of());
        }
        var name = "\"kind\":\"" + kind.kind() + "\",";
        var version = "\"apiVersion\":\"" + kind.apiVersion() + "\",";
        return new ItemTypes(true, List.of(bytes("{" + name + version), bytes("{" + version + name)));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    Json.Obj without(Content item) {
        var tree = item.tree();
        return areHidden ? tree.without("kind").without("apiVersion") : tree;
    }

    /// The text of an item without its first brace. As a rule these are the stored bytes.
    ByteBuffer behindTheBrace(Content item) {
        var bytes = item.bytes();
        if (!areHidden) {
            return behind(bytes, 1);
        }
        for (var beginning : beginnings) {
            if (Arrays.mismatch(beginning, bytes) == beginning.length) {
                return behind(bytes, beginning.length);
            }
        }
        return behind(JsonText.bytes(without(item)), 1);
    }

    private static ByteBuffer behind(byte[] bytes, int from) {
        return ByteBuffer.wrap(bytes, from, bytes.length - from);
    }
}

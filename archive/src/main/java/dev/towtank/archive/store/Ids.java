package dev.towtank.archive.store;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.UUID;

/// Identifiers that are a function of what they identify, so that archiving twice makes the same rows.
public final class Ids {

    private static final UUID RESULTS = UUID.fromString("4c4b0a4e-9f8f-4d53-9c0b-7c5a7c1a2f10");

    private Ids() {}

    public static String ofResult(String parent, String name) {
        return named(RESULTS, parent + "/results/" + name);
    }

    public static String ofRecord(String resultId, String name) {
        return named(UUID.fromString(resultId), "records/" + name);
    }

    /// A UUID of version 3: the MD5 of a namespace and a name.
    public static String named(UUID namespace, String name) {
        var text = name.getBytes(StandardCharsets.UTF_8);
        var bytes = ByteBuffer.allocate(16 + text.length)
                .putLong(namespace.getMostSignificantBits())
                .putLong(namespace.getLeastSignificantBits())
                .put(text);
        return UUID.nameUUIDFromBytes(bytes.array()).toString();
    }
}

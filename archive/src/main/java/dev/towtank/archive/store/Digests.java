package dev.towtank.archive.store;

import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.Sha256;
import java.util.HexFormat;

/// A short text that is the same when two objects say the same.
public final class Digests {

    private Digests() {}

    public static String of(Json.Obj object) {
        return HexFormat.of().formatHex(Sha256.of(JsonText.bytes(object)), 0, 16);
    }
}

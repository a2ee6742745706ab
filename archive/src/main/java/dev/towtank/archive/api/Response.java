package dev.towtank.archive.api;

import dev.towtank.archive.ArchiveRefusal;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import java.io.IOException;
import java.io.OutputStream;

/// An answer, whose body may be longer than fits in memory.
public record Response(int status, String contentType, Body body) {

    /// Writes itself; what goes wrong then can only end the connection.
    @FunctionalInterface
    public interface Body {
        void writeTo(OutputStream out) throws IOException;
    }

    static Response json(int status, Json json) {
        var bytes = JsonText.bytes(json);
        return new Response(status, "application/json", out -> out.write(bytes));
    }

    public static Response of(ArchiveRefusal refusal) {
        return json(refusal.code().http(), refusal.json());
    }
}

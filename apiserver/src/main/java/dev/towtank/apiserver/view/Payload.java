package dev.towtank.apiserver.view;

import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// A text to send, as the pieces it consists of, so that nobody has to copy them together first.
public final class Payload {

    public static final Payload EMPTY = new Payload(List.of());

    private static final byte[] NEWLINE = {'\n'};

    private final List<byte[]> pieces;
    private final long length;

    Payload(List<byte[]> pieces) {
        this.pieces = pieces;
        this.length = pieces.stream().mapToLong(piece -> piece.length).sum();
    }

    public static Payload of(byte[] bytes) {
        return new Payload(List.of(bytes));
    }

    public static Payload of(String text) {
        return of(text.getBytes(StandardCharsets.UTF_8));
    }

    /// A JSON text, ended by a newline as all of Kubernetes' are.
    public static Payload line(byte[] json) {
        return new Payload(List.of(json, NEWLINE));
    }

    public static Payload of(Json json) {
        return line(JsonText.bytes(json));
    }

    /// Shared: nobody may write into them.
    public List<byte[]> pieces() {
        return pieces;
    }

    public long length() {
        return length;
    }

    @Override
    public String toString() {
        var text = new StringBuilder();
        for (var piece : pieces) {
            text.append(new String(piece, StandardCharsets.UTF_8));
        }
        return text.toString();
    }
}

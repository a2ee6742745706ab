package dev.towtank.apiserver.view;

import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// A text to send, as the pieces it consists of, so that nobody has to copy them together first.
public final class Payload {

    public static final Payload EMPTY = new Payload(List.of());

    private static final byte[] NEWLINE = {'\n'};

    private final List<ByteBuffer> pieces;
    private final long length;

    Payload(List<ByteBuffer> pieces) {
        this.pieces = pieces;
        this.length = pieces.stream().mapToLong(ByteBuffer::remaining).sum();
    }

    public static Payload of(byte[] bytes) {
        return new Payload(List.of(ByteBuffer.wrap(bytes)));
    }

    public static Payload of(String text) {
        return of(text.getBytes(StandardCharsets.UTF_8));
    }

    /// A JSON text, ended by a newline as all of Kubernetes' are.
    public static Payload line(byte[] json) {
        return new Payload(List.of(ByteBuffer.wrap(json), ByteBuffer.wrap(NEWLINE)));
    }

    public static Payload of(Json json) {
        return line(JsonText.bytes(json));
    }

    /// To be read once. Their bytes are shared: nobody may write into them.
    public List<ByteBuffer> pieces() {
        return pieces.stream().map(ByteBuffer::duplicate).toList();
    }

    public long length() {
        return length;
    }

    @Override
    public String toString() {
        var text = new StringBuilder();
        for (var piece : pieces) {
            text.append(StandardCharsets.UTF_8.decode(piece.duplicate()));
        }
        return text.toString();
    }
}

package dev.towtank.model.openapi;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/// Writes one protobuf message, field by field. Zero values are left out, as protobuf 3 does.
final class ProtobufWriter {

    private static final int VARINT = 0;
    private static final int FIXED64 = 1;
    private static final int BYTES = 2;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    static byte[] message(Consumer<ProtobufWriter> fields) {
        var writer = new ProtobufWriter();
        fields.accept(writer);
        return writer.out.toByteArray();
    }

    void string(int number, String value) {
        if (!value.isEmpty()) {
            bytes(number, value.getBytes(StandardCharsets.UTF_8));
        }
    }

    void strings(int number, Iterable<String> values) {
        values.forEach(value -> bytes(number, value.getBytes(StandardCharsets.UTF_8)));
    }

    void flag(int number, boolean value) {
        if (value) {
            tag(number, VARINT);
            varint(1);
        }
    }

    void integer(int number, long value) {
        if (value != 0) {
            tag(number, VARINT);
            varint(value);
        }
    }

    void real(int number, double value) {
        if (value != 0) {
            tag(number, FIXED64);
            long bits = Double.doubleToLongBits(value);
            for (int shift = 0; shift < Long.SIZE; shift += 8) {
                out.write((int) (bits >>> shift));
            }
        }
    }

    /// Writes the message even when it is empty: its presence may be all it says.
    void message(int number, Consumer<ProtobufWriter> fields) {
        bytes(number, message(fields));
    }

    private void bytes(int number, byte[] value) {
        tag(number, BYTES);
        varint(value.length);
        out.writeBytes(value);
    }

    private void tag(int number, int wireType) {
        varint(((long) number << 3) | wireType);
    }

    private void varint(long value) {
        long rest = value;
        while ((rest & ~0x7FL) != 0) {
            out.write((int) ((rest & 0x7F) | 0x80));
            rest >>>= 7;
        }
        out.write((int) rest);
    }
}

package dev.towtank.model.protobuf;

import dev.towtank.model.JsonText;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// The wire format of protobuf: numbered items, each a number or some bytes. Every length is checked.
final class ProtobufInput {

    static final ProtobufInput EMPTY = new ProtobufInput(new byte[0], 0, 0);

    private static final int VARINT = 0;
    private static final int FIXED64 = 1;
    private static final int LENGTH = 2;
    private static final int FIXED32 = 5;

    private final byte[] bytes;
    private final int end;
    private int at;

    ProtobufInput(byte[] bytes, int from, int end) {
        this.bytes = bytes;
        this.at = from;
        this.end = end;
    }

    /// One field of a message.
    final class Item {
        private final int number;
        private final int wire;
        private final long value;
        private final int from;
        private final int to;

        private Item(int number, int wire, long value, int from, int to) {
            this.number = number;
            this.wire = wire;
            this.value = value;
            this.from = from;
            this.to = to;
        }

        int number() {
            return number;
        }

        long varint() {
            expect(VARINT);
            return value;
        }

        double real() {
            expect(FIXED64);
            double real = Double.longBitsToDouble(value);
            if (Double.isNaN(real) || Double.isInfinite(real)) {
                throw new JsonText.Malformed("JSON has no " + real);
            }
            return real;
        }

        byte[] bytes() {
            expect(LENGTH);
            return Arrays.copyOfRange(bytes, from, to);
        }

        String text() {
            try {
                return StandardCharsets.UTF_8
                        .newDecoder()
                        .decode(ByteBuffer.wrap(bytes()))
                        .toString();
            } catch (CharacterCodingException e) {
                throw new JsonText.Malformed("field " + number + " is not valid UTF-8");
            }
        }

        ProtobufInput message() {
            expect(LENGTH);
            return new ProtobufInput(bytes, from, to);
        }

        boolean isPacked() {
            return wire == LENGTH;
        }

        List<Item> unpack() {
            var inner = message();
            var items = new ArrayList<Item>();
            while (inner.hasMore()) {
                items.add(new Item(number, VARINT, inner.varint(), 0, 0));
            }
            return items;
        }

        private void expect(int expected) {
            if (wire != expected) {
                throw new JsonText.Malformed("proto: wrong wireType = " + wire + " for field " + number);
            }
        }
    }

    boolean hasMore() {
        return at < end;
    }

    Item next() {
        long tag = varint();
        int number = (int) (tag >>> 3);
        int wire = (int) (tag & 7);
        if (number <= 0) {
            throw new JsonText.Malformed("proto: illegal tag " + number);
        }
        return switch (wire) {
            case VARINT -> new Item(number, wire, varint(), 0, 0);
            case FIXED64 -> new Item(number, wire, fixed(8), 0, 0);
            case FIXED32 -> new Item(number, wire, fixed(4), 0, 0);
            case LENGTH -> {
                int length = Math.clamp(varint(), -1, Integer.MAX_VALUE);
                if (length < 0 || length > end - at) {
                    throw new JsonText.Malformed("unexpected EOF");
                }
                int from = at;
                at += length;
                yield new Item(number, wire, 0, from, at);
            }
            default -> throw new JsonText.Malformed("proto: illegal wireType " + wire);
        };
    }

    private long varint() {
        long value = 0;
        for (int shift = 0; shift < 64; shift += 7) {
            if (at >= end) {
                throw new JsonText.Malformed("unexpected EOF");
            }
            byte next = bytes[at++];
            value |= (long) (next & 0x7F) << shift;
            if (next >= 0) {
                return value;
            }
        }
        throw new JsonText.Malformed("proto: integer overflow");
    }

    private long fixed(int size) {
        if (end - at < size) {
            throw new JsonText.Malformed("unexpected EOF");
        }
        long value = 0;
        for (int i = 0; i < size; i++) {
            value |= (bytes[at++] & 0xFFL) << (8 * i);
        }
        return value;
    }
}

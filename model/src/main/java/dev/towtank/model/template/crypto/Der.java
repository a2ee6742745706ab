package dev.towtank.model.template.crypto;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// ASN.1 in its distinguished encoding: what keys and certificates are written in.
final class Der {
    static final int BOOLEAN = 0x01;
    static final int INTEGER = 0x02;
    static final int BITS = 0x03;
    static final int OCTETS = 0x04;
    static final int NAME = 0x06;
    static final int UTF8 = 0x0C;
    static final int PRINTABLE = 0x13;
    static final int UTC_TIME = 0x17;
    static final int LONG_TIME = 0x18;
    static final int SEQUENCE = 0x30;
    static final int SET = 0x31;

    private Der() {}

    /// One element: what it is, and what is in it.
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Element(int tag, byte[] content) {}

    static byte[] element(int tag, byte[]... contents) {
        var inside = new ByteArrayOutputStream();
        for (var content : contents) {
            inside.writeBytes(content);
        }
        var out = new ByteArrayOutputStream();
        out.write(tag);
        int length = inside.size();
        if (length < 0x80) {
            out.write(length);
        } else {
            var digits = BigInteger.valueOf(length).toByteArray();
            int start = digits[0] == 0 ? 1 : 0;
            out.write(0x80 | (digits.length - start));
            out.write(digits, start, digits.length - start);
        }
        out.writeBytes(inside.toByteArray());
        return out.toByteArray();
    }

    static byte[] sequence(byte[]... contents) {
        return element(SEQUENCE, contents);
    }

    static byte[] integer(BigInteger value) {
        return element(INTEGER, value.toByteArray());
    }

    static byte[] integer(long value) {
        return integer(BigInteger.valueOf(value));
    }

    static byte[] octets(byte[] content) {
        return element(OCTETS, content);
    }

    static byte[] bits(byte[] content) {
        return element(BITS, new byte[1], content);
    }

    /// An object identifier, such as `2.5.4.3`.
    static byte[] name(String dotted) {
        var out = new ByteArrayOutputStream();
        var parts = Arrays.stream(dotted.split("\\.", -1))
                .mapToLong(Long::parseLong)
                .toArray();
        out.write((int) (parts[0] * 40 + parts[1]));
        for (int i = 2; i < parts.length; i++) {
            int shift = 0;
            while (parts[i] >> (shift + 7) != 0) {
                shift += 7;
            }
            for (; shift >= 0; shift -= 7) {
                out.write((int) ((parts[i] >> shift) & 0x7F) | (shift > 0 ? 0x80 : 0));
            }
        }
        return element(NAME, out.toByteArray());
    }

    /// The elements in some bytes, one after the other.
    static List<Element> read(byte[] bytes) {
        var found = new ArrayList<Element>();
        for (int at = 0; at < bytes.length; ) {
            if (at + 2 > bytes.length) {
                throw malformed();
            }
            int tag = bytes[at++] & 0xFF;
            int length = bytes[at++] & 0xFF;
            if (length >= 0x80) {
                int digits = length & 0x7F;
                if (digits == 0 || digits > 3 || at + digits > bytes.length) {
                    throw malformed();
                }
                length = new BigInteger(1, bytes, at, digits).intValue();
                at += digits;
            }
            if (at + length > bytes.length) {
                throw malformed();
            }
            found.add(new Element(tag, Arrays.copyOfRange(bytes, at, at + length)));
            at += length;
        }
        return found;
    }

    /// The elements of the sequence that some bytes are.
    static List<Element> readSequence(byte[] bytes) {
        var all = read(bytes);
        if (all.size() != 1 || all.getFirst().tag() != SEQUENCE) {
            throw malformed();
        }
        return read(all.getFirst().content());
    }

    static CryptoError malformed() {
        return new CryptoError("asn1: structure error: it is cut short, or no key or certificate");
    }
}

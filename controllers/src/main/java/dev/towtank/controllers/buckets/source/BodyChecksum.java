package dev.towtank.controllers.buckets.source;

import dev.towtank.controllers.buckets.s3.Signing;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.Locale;
import java.util.Optional;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;
import java.util.zip.Checksum;

/// A sum over bytes that a client may send with them, in the header `x-amz-checksum-` and its name.
enum BodyChecksum {
    CRC32,
    CRC32C,
    CRC64NVME,
    SHA1,
    SHA256;

    /// Adds up.
    interface Sum {
        void update(byte[] bytes, int offset, int length);

        byte[] value();
    }

    String header() {
        return "x-amz-checksum-" + name().toLowerCase(Locale.ROOT);
    }

    Sum begin() {
        return switch (this) {
            case CRC32 -> of(new CRC32(), 4);
            case CRC32C -> of(new CRC32C(), 4);
            case CRC64NVME -> of(new Crc64(), 8);
            case SHA1 -> of("SHA-1");
            case SHA256 -> of("SHA-256");
        };
    }

    static Optional<BodyChecksum> ofHeader(String header) {
        return Arrays.stream(values())
                .filter(each -> each.header().equals(header.toLowerCase(Locale.ROOT)))
                .findFirst();
    }

    static String text(byte[] value) {
        return Base64.getEncoder().encodeToString(value);
    }

    private static Sum of(Checksum checksum, int bytes) {
        return new Sum() {
            @Override
            public void update(byte[] more, int offset, int length) {
                checksum.update(more, offset, length);
            }

            @Override
            public byte[] value() {
                var all = ByteBuffer.allocate(8).putLong(checksum.getValue()).array();
                return Arrays.copyOfRange(all, 8 - bytes, 8);
            }
        };
    }

    private static Sum of(String algorithm) {
        var digest = Signing.digest(algorithm);
        return new Sum() {
            @Override
            public void update(byte[] more, int offset, int length) {
                digest.update(more, offset, length);
            }

            @Override
            public byte[] value() {
                return digest.digest();
            }
        };
    }

    /// CRC-64/NVME, which Java does not have.
    private static final class Crc64 implements Checksum {
        private static final long POLYNOMIAL = 0x9a6c9329ac4bc9b5L;
        private static final long[] TABLE = table();
        private long value = -1;

        private static long[] table() {
            var table = new long[256];
            for (int i = 0; i < table.length; i++) {
                long entry = i;
                for (int bit = 0; bit < 8; bit++) {
                    entry = (entry & 1) == 0 ? entry >>> 1 : (entry >>> 1) ^ POLYNOMIAL;
                }
                table[i] = entry;
            }
            return table;
        }

        @Override
        public void update(int each) {
            value = TABLE[(int) (value ^ each) & 0xff] ^ (value >>> 8);
        }

        @Override
        public void update(byte[] bytes, int offset, int length) {
            for (int i = offset; i < offset + length; i++) {
                update(bytes[i]);
            }
        }

        @Override
        public long getValue() {
            return ~value;
        }

        @Override
        public void reset() {
            value = -1;
        }
    }
}

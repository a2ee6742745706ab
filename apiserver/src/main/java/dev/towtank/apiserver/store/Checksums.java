package dev.towtank.apiserver.store;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/// How the file proves that it is what was written.
final class Checksums {

    private Checksums() {}

    static long ofRow(long revision, int kind, String key, byte @Nullable [] value) {
        var crc = new CRC32C();
        crc.update(ByteBuffer.allocate(12).putLong(revision).putInt(kind).flip());
        crc.update(key.getBytes(StandardCharsets.UTF_8));
        crc.update(0);
        if (value != null) {
            crc.update(value);
        }
        return crc.getValue();
    }

    static long ofHead(long revision, long rows, long digest) {
        var crc = new CRC32C();
        crc.update(ByteBuffer.allocate(24)
                .putLong(revision)
                .putLong(rows)
                .putLong(digest)
                .flip());
        return crc.getValue();
    }

    /// A revision's share in the digest of all rows: XOR adds it and takes it away. Mixed, so that no handful of
    /// revisions cancels another.
    static long share(long revision) {
        long mixed = revision * 0x9E3779B97F4A7C15L;
        mixed = (mixed ^ (mixed >>> 30)) * 0xBF58476D1CE4E5B9L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
        return mixed ^ (mixed >>> 31);
    }
}

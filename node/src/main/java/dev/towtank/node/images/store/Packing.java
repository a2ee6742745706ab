package dev.towtank.node.images.store;

import dev.towtank.node.images.zstd.ZstdInputStream;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.GZIPInputStream;

/// How an archive is packed.
enum Packing {
    NONE,
    GZIP,
    ZSTD;

    private static final int BLOCK = 1 << 16;
    private static final int GZIP_MARK = 0x8b1f;
    private static final int ZSTD_MARK = 0xb528;

    InputStream unpacked(InputStream in) throws IOException {
        return switch (this) {
            case NONE -> new BufferedInputStream(in, BLOCK);
            case GZIP -> new GZIPInputStream(in, BLOCK);
            case ZSTD -> new ZstdInputStream(new BufferedInputStream(in, BLOCK));
        };
    }

    /// By its first bytes, which stay to be read.
    static Packing of(BufferedInputStream in) throws IOException {
        in.mark(2);
        int mark = in.read() | in.read() << 8;
        in.reset();
        return switch (mark) {
            case GZIP_MARK -> GZIP;
            case ZSTD_MARK -> ZSTD;
            default -> NONE;
        };
    }
}

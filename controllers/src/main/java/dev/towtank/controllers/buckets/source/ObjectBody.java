package dev.towtank.controllers.buckets.source;

import dev.towtank.cluster.web.WebResponse;
import dev.towtank.controllers.buckets.source.StoredObject.Piece;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Bytes of an object, out of its files. The first files are opened at once, so that somebody who writes the object
/// anew or deletes it meanwhile does not take them away.
final class ObjectBody implements WebResponse.Body {

    private static final int OPENED_AT_ONCE = 32;
    private static final int BUFFER = 64 * 1024;

    /// @param from the first byte that is wanted of it
    private record Slice(Piece piece, long from, long length, Optional<FileChannel> open) {}

    private final Bucket bucket;
    private final List<Slice> slices = new ArrayList<>();

    ObjectBody(Bucket bucket, StoredObject object, ByteRange range) throws IOException {
        this.bucket = bucket;
        long begin = 0;
        long end = range.first() + range.length();
        for (var piece : object.pieces()) {
            long from = Math.max(0, range.first() - begin);
            long length = Math.min(piece.size(), end - begin) - from;
            if (length > 0) {
                boolean isEarly = slices.size() < OPENED_AT_ONCE;
                slices.add(new Slice(piece, from, length, isEarly ? Optional.of(open(piece)) : Optional.empty()));
            }
            begin += piece.size();
        }
    }

    private FileChannel open(Piece piece) throws IOException {
        return FileChannel.open(bucket.file(piece), StandardOpenOption.READ);
    }

    @Override
    public void writeTo(OutputStream out) throws IOException {
        try {
            for (var slice : slices) {
                try (var channel = slice.open.isPresent() ? slice.open.get() : open(slice.piece)) {
                    copy(Channels.newInputStream(channel.position(slice.from)), slice.length, out);
                }
            }
        } finally {
            for (var slice : slices) {
                if (slice.open.isPresent()) {
                    slice.open.get().close();
                }
            }
        }
    }

    private static void copy(InputStream in, long length, OutputStream out) throws IOException {
        var buffer = new byte[BUFFER];
        long left = length;
        while (left > 0) {
            int read = in.read(buffer, 0, (int) Math.min(buffer.length, left));
            if (read < 0) {
                throw new IOException("a file of the object store is shorter than it was");
            }
            out.write(buffer, 0, read);
            left -= read;
        }
    }
}

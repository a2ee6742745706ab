package dev.towtank.archive.store;

import dev.towtank.archive.sql.Database;
import dev.towtank.archive.sql.Session;
import dev.towtank.archive.sql.Sql;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/// Logs in compressed pieces. A long log is written ahead of its run in many small transactions, and seen only once the
/// run is there; what a crash leaves of it is written again, or swept.
final class LogChunks {

    static final int CHUNK = 256 * 1024;
    private static final int PENDING = 4 * 1024 * 1024;

    private final Database database;
    private final long now;
    private final long maxBytes;
    private final List<Sql> pending = new ArrayList<>();
    private int pendingBytes;

    /// @param size in bytes, uncompressed
    /// @param truncated whether something is missing, at either end
    record Taken(long size, boolean truncated) {}

    LogChunks(Database database, long now, long maxBytes) {
        this.database = database;
        this.now = now;
        this.maxBytes = maxBytes;
    }

    /// Reads a log to its end, or to the most that is kept.
    ///
    /// @param lacksBeginning whether its oldest lines were gone before
    Taken take(String content, InputStream log, boolean lacksBeginning) throws IOException {
        long size = 0;
        for (long position = 0; size < maxBytes; position++) {
            var bytes = log.readNBytes((int) Math.min(CHUNK, maxBytes - size));
            if (bytes.length == 0) {
                return new Taken(size, lacksBeginning);
            }
            size += bytes.length;
            add(content, position, compressed(bytes));
        }
        return new Taken(size, lacksBeginning || log.read() >= 0);
    }

    private void add(String content, long position, byte[] compressed) {
        pending.add(Sql.of(
                "INSERT INTO log_chunks VALUES (?, ?, ?, ?) ON CONFLICT (content_id, position)"
                        + " DO UPDATE SET content = excluded.content, staged_time = excluded.staged_time",
                content,
                position,
                now,
                compressed));
        pendingBytes += compressed.length;
        if (pendingBytes > PENDING) {
            database.write(session -> {
                write(session);
                return true;
            });
            pending.clear();
            pendingBytes = 0;
        }
    }

    /// What has not been written ahead.
    void write(Session session) throws SQLException {
        for (var insertion : pending) {
            session.update(insertion);
        }
    }

    private static byte[] compressed(byte[] bytes) {
        try (var deflater = new Deflater()) {
            deflater.setInput(bytes);
            deflater.finish();
            var buffer = new byte[CHUNK];
            var all = new ByteArrayOutputStream();
            while (!deflater.finished()) {
                all.write(buffer, 0, deflater.deflate(buffer));
            }
            return all.toByteArray();
        }
    }

    /// Writes a stored log out, one piece in memory at a time.
    ///
    /// @param size of all of it: behind that may be pieces that an attempt has left which came to no end
    static void copy(Database database, String content, long size, OutputStream out) throws IOException {
        long left = size;
        for (long position = 0; left > 0; position++) {
            var wanted =
                    Sql.of("SELECT content FROM log_chunks WHERE content_id = ? AND position = ?", content, position);
            var found = database.read(session -> session.first(wanted, row -> row.getBytes(1)));
            if (found.isEmpty()) {
                throw new IOException("a stored log is damaged: " + left + " of its " + size + " bytes are missing");
            }
            left -= inflate(found.get(), left, out);
        }
    }

    /// How much of a piece was written.
    private static long inflate(byte[] bytes, long most, OutputStream out) throws IOException {
        try (var inflater = new Inflater()) {
            inflater.setInput(bytes);
            var buffer = new byte[CHUNK];
            long written = 0;
            while (!inflater.finished() && written < most) {
                int count = inflater.inflate(buffer);
                if (count == 0) {
                    throw new IOException("a stored log is damaged: it ends too early");
                }
                int wanted = (int) Math.min(count, most - written);
                out.write(buffer, 0, wanted);
                written += wanted;
            }
            return written;
        } catch (DataFormatException e) {
            throw new IOException("a stored log is damaged: " + e.getMessage(), e);
        }
    }
}

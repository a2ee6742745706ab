package dev.towtank.controllers.buckets.source;

import dev.towtank.controllers.buckets.s3.Listing;
import dev.towtank.controllers.buckets.s3.S3Refusal;
import dev.towtank.controllers.buckets.s3.Signing;
import dev.towtank.controllers.buckets.source.StoredObject.Piece;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.DigestInputStream;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Collections;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentSkipListMap;

/// The objects of one bucket. Bytes are in files with names of our own; a small file for each object, named by the
/// hash
/// of its key, says which. Writing that one is what makes an object so: before, nothing has happened, and what a
/// crash
/// leaves is cleared away when the bucket is opened next.
final class Bucket {

    /// What stays free on the disk for everything else that the server writes.
    private static final long RESERVE = 64L << 20;

    private final String name;
    private final Path data;
    private final Path descriptions;
    private final Uploads uploads;
    private final InstantSource clock;
    private final NavigableMap<String, StoredObject> objects = new ConcurrentSkipListMap<>(Listing.ORDER);

    /// Opens it; an empty one where there is none.
    Bucket(String name, Path directory, InstantSource clock) throws IOException {
        this.name = name;
        this.clock = clock;
        data = Files.createDirectories(directory.resolve("data"));
        descriptions = Files.createDirectories(directory.resolve("objects"));
        for (var json : SmallFile.readAll(descriptions)) {
            var object = StoredObject.read(json);
            objects.put(object.key(), object);
        }
        uploads = new Uploads(Files.createDirectories(directory.resolve("uploads")), this, clock);
        sweep();
    }

    /// Files that nothing says anything about are of writers that did not come to their end.
    private void sweep() throws IOException {
        var known = new HashSet<String>();
        objects.values().forEach(object -> object.pieces().forEach(piece -> known.add(piece.file())));
        uploads.forgetCompleted(known);
        uploads.pieces().forEach(piece -> known.add(piece.file()));
        try (var files = Files.newDirectoryStream(data)) {
            for (var file : files) {
                if (!known.contains(file.getFileName().toString())) {
                    Files.delete(file);
                }
            }
        }
    }

    String name() {
        return name;
    }

    Uploads uploads() {
        return uploads;
    }

    NavigableMap<String, StoredObject> objects() {
        return Collections.unmodifiableNavigableMap(objects);
    }

    Optional<StoredObject> find(String key) {
        return Optional.ofNullable(objects.get(key));
    }

    Path file(Piece piece) {
        return data.resolve(piece.file());
    }

    /// Keeps bytes that belong to nothing yet.
    ///
    /// @param announced how many will come; −1 where nobody says
    Piece receive(InputStream bytes, long announced) throws IOException, S3Refusal {
        return written(bytes::transferTo, announced);
    }

    /// Keeps bytes of an object once more.
    Piece copied(ObjectBody bytes, long size) throws IOException, S3Refusal {
        return written(
                out -> {
                    bytes.writeTo(out);
                    return size;
                },
                size);
    }

    /// Says how many bytes it has written.
    @FunctionalInterface
    private interface Writer {
        long writeTo(OutputStream out) throws IOException;
    }

    private Piece written(Writer writer, long announced) throws IOException, S3Refusal {
        if (Files.getFileStore(data).getUsableSpace() - Math.max(0, announced) < RESERVE) {
            throw full();
        }
        var file = UUID.randomUUID().toString();
        boolean isWhole = false;
        try (var channel =
                FileChannel.open(data.resolve(file), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            var piece = new Piece(file, writer.writeTo(Channels.newOutputStream(channel)));
            // Who is told that it was stored may delete what it was stored from.
            channel.force(true);
            SmallFile.keepNames(data);
            isWhole = true;
            return piece;
        } catch (IOException e) {
            throw isDiskFull(e) ? new RefusedBody(full()) : e;
        } finally {
            if (!isWhole) {
                Files.deleteIfExists(data.resolve(file));
            }
        }
    }

    String md5(Piece piece) throws IOException {
        try (var in = new DigestInputStream(Files.newInputStream(file(piece)), Signing.digest("MD5"))) {
            in.transferTo(OutputStream.nullOutputStream());
            return HexFormat.of().formatHex(in.getMessageDigest().digest());
        }
    }

    private static boolean isDiskFull(IOException problem) {
        var message = String.valueOf(problem.getMessage());
        return message.contains("No space left on device") || message.contains("Disk quota exceeded");
    }

    private static S3Refusal full() {
        return new S3Refusal(
                507,
                "InsufficientStorage",
                "The disk of the object store has no room for this: delete something first");
    }

    /// Makes it the object of its key, in one moment, where that may be.
    StoredObject put(String key, String etag, Map<String, String> headers, List<Piece> pieces, Precondition condition)
            throws IOException, S3Refusal {
        long size = pieces.stream().mapToLong(Piece::size).sum();
        var object = new StoredObject(key, size, etag, now(), headers, pieces);
        Optional<StoredObject> before;
        synchronized (this) {
            before = find(key);
            condition.require(before);
            try {
                SmallFile.write(description(key), object.json());
            } catch (IOException e) {
                throw isDiskFull(e) ? new RefusedBody(full()) : e;
            }
            objects.put(key, object);
        }
        if (before.isPresent()) {
            forget(before.get().pieces());
        }
        return object;
    }

    /// S3 tells time in seconds where it matters.
    Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.MILLIS);
    }

    /// Nothing where there is none.
    void delete(String key) throws IOException {
        Optional<StoredObject> before;
        synchronized (this) {
            before = find(key);
            if (Files.deleteIfExists(description(key))) {
                SmallFile.keepNames(descriptions);
            }
            objects.remove(key);
        }
        if (before.isPresent()) {
            forget(before.get().pieces());
        }
    }

    /// Whoever reads them now still can.
    void forget(List<Piece> pieces) throws IOException {
        for (var piece : pieces) {
            Files.deleteIfExists(file(piece));
        }
    }

    private Path description(String key) {
        return descriptions.resolve(Signing.sha256(key));
    }
}

package dev.towtank.controllers.registry.source;

import dev.towtank.model.Sha256;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/// Contents that are on their way here, in pieces. They end with the server.
final class Uploads {

    /// @param most at once
    /// @param largest in bytes
    /// @param free what must be left on the disk
    record Limits(int most, long largest, long free) {
        static final Limits USUAL = new Limits(256, 32L << 30, 512L << 20);
    }

    private static final Duration IDLE = Duration.ofHours(1);
    private static final int BLOCK = 1 << 16;
    private static final long LOOK = 16L << 20;

    private final Path directory;
    private final Limits limits;
    private final InstantSource clock;
    private final Map<String, Upload> all = new ConcurrentHashMap<>();

    Uploads(Path directory, Limits limits, InstantSource clock) {
        this.directory = directory;
        this.limits = limits;
        this.clock = clock;
    }

    /// One content. Guarded by its monitor.
    static final class Upload {
        private final Repository repository;
        private final Path file;
        private final MessageDigest sum = Sha256.begin();
        private long size;
        private Instant touched;

        private Upload(Repository repository, Path file, Instant now) {
            this.repository = repository;
            this.file = file;
            this.touched = now;
        }
    }

    /// @return its name
    String begin(Repository repository) throws IOException {
        var old = clock.instant().minus(IDLE);
        for (var entry : all.entrySet()) {
            if (entry.getValue().touched.isBefore(old)) {
                drop(entry.getKey());
            }
        }
        if (all.size() >= limits.most()) {
            throw new RegistryRefusal(429, "TOOMANYREQUESTS", "too many uploads are under way; try again in a moment");
        }
        var name = UUID.randomUUID().toString();
        all.put(name, new Upload(repository, Files.createFile(directory.resolve(name)), clock.instant()));
        return name;
    }

    private Upload find(Repository repository, String name) throws RegistryRefusal {
        var found = all.get(name);
        if (found == null || !found.repository.equals(repository)) {
            throw RegistryRefusal.unknownUpload();
        }
        return found;
    }

    long size(Repository repository, String name) throws RegistryRefusal {
        var upload = find(repository, name);
        synchronized (upload) {
            return upload.size;
        }
    }

    /// @param from where the piece begins, or −1
    /// @return how many bytes there are by now
    long append(Repository repository, String name, long from, InputStream in) throws IOException {
        var upload = find(repository, name);
        synchronized (upload) {
            if (from >= 0 && from != upload.size) {
                throw new RegistryRefusal(416, "BLOB_UPLOAD_INVALID", "the next piece begins at byte " + upload.size);
            }
            try (var out = FileChannel.open(upload.file, StandardOpenOption.WRITE, StandardOpenOption.APPEND)) {
                copy(in, upload, out);
            } catch (IOException e) {
                drop(name); // how much of it has come, its sender does not know
                throw e;
            } finally {
                upload.touched = clock.instant();
            }
            return upload.size;
        }
    }

    private void copy(InputStream in, Upload upload, FileChannel out) throws IOException {
        var block = new byte[BLOCK];
        for (int count = in.read(block); count >= 0; count = in.read(block)) {
            if (upload.size / LOOK != (upload.size + count) / LOOK || upload.size == 0) {
                check(upload.size + count);
            }
            var left = ByteBuffer.wrap(block, 0, count);
            while (left.hasRemaining()) {
                out.write(left);
            }
            upload.sum.update(block, 0, count);
            upload.size += count;
        }
    }

    private void check(long size) throws IOException {
        if (size > limits.largest()) {
            throw new RegistryRefusal(413, "SIZE_INVALID", "a layer has at most " + limits.largest() + " bytes here");
        }
        if (Files.getFileStore(directory).getUsableSpace() < limits.free()) {
            throw new RegistryRefusal(
                    507, "DENIED", "no space left on device: the registry keeps some of the disk free");
        }
    }

    /// Ends it well.
    ///
    /// @return the file, on the disk, of a content with this digest
    Path finish(Repository repository, String name, String digest) throws IOException {
        var upload = find(repository, name);
        synchronized (upload) {
            if (!digest.equals("sha256:" + HexFormat.of().formatHex(upload.sum.digest()))) {
                drop(name);
                throw RegistryRefusal.wrongDigest();
            }
            try (var out = FileChannel.open(upload.file, StandardOpenOption.WRITE)) {
                out.force(true);
            }
            all.remove(name);
            return upload.file;
        }
    }

    void cancel(Repository repository, String name) throws IOException {
        find(repository, name);
        drop(name);
    }

    private void drop(String name) throws IOException {
        var gone = all.remove(name);
        if (gone != null) {
            Files.deleteIfExists(gone.file);
        }
    }
}

package dev.towtank.node.images.store;

import dev.towtank.model.Sha256;
import dev.towtank.node.linux.FileTree;
import dev.towtank.node.linux.OpenDirectory;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;

/// Brings layers into the store, several at once. A layer is unpacked while it comes, and gets its name when all of it
/// is there, on the disk, and what its two digests promised.
final class LayerFetching {

    private static final int AT_ONCE = 3;
    private static final int BLOCK = 1 << 16;

    private final Path directory;
    private final UnpackLimits limits;

    LayerFetching(Path directory, UnpackLimits limits) {
        this.directory = directory;
        this.limits = limits;
    }

    /// @param diffs the digests of the layers as they are unpacked, in the same order
    void all(List<Manifest.Layer> layers, List<Digest> diffs, ImageSource source) throws IOException {
        var turns = new Semaphore(AT_ONCE);
        var wanted = new HashSet<Digest>();
        var work = new ArrayList<Future<?>>();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < layers.size(); i++) {
                var layer = layers.get(i);
                var diff = diffs.get(i);
                if (wanted.add(diff) && !Files.isDirectory(place(diff))) {
                    work.add(threads.submit(() -> {
                        turns.acquire();
                        try {
                            one(layer, diff, source);
                        } finally {
                            turns.release();
                        }
                        return diff;
                    }));
                }
            }
            await(work, threads::shutdownNow);
        }
    }

    private static void await(List<Future<?>> work, Runnable giveUp) throws IOException {
        try {
            for (var each : work) {
                each.get();
            }
        } catch (ExecutionException e) {
            giveUp.run();
            switch (e.getCause()) {
                case IOException problem -> throw problem;
                case RuntimeException problem -> throw problem;
                case null, default -> throw new IllegalStateException(e);
            }
        } catch (InterruptedException e) {
            giveUp.run();
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while the image came", e);
        }
    }

    private Path place(Digest diff) {
        return directory.resolve("layers").resolve(diff.hex());
    }

    /// There before its layer is, and the same whoever writes it.
    static Path owners(Path directory, Digest diff) {
        return directory.resolve("owners").resolve(diff.hex());
    }

    private void one(Manifest.Layer layer, Digest diff, ImageSource source) throws IOException {
        var draft = Files.createTempDirectory(directory.resolve("partial"), "layer");
        try {
            var owners = unpack(layer, diff, source, draft);
            Files.write(owners(directory, diff), owners.bytes());
            try (var disk = OpenDirectory.of(draft)) {
                disk.sync();
            }
            ImageStore.move(draft, place(diff));
        } catch (IOException | RuntimeException e) {
            FileTree.delete(draft);
            throw e;
        }
    }

    private FileOwners unpack(Manifest.Layer layer, Digest diff, ImageSource source, Path draft) throws IOException {
        var packed = Sha256.begin();
        var plain = Sha256.begin();
        FileOwners owners;
        try (var coming = new Counted(source.blob(layer.digest(), layer.size()))) {
            var seen = new DigestInputStream(coming, packed);
            var tar = new DigestInputStream(layer.packing().unpacked(seen), plain);
            owners = LayerUnpacking.run(tar, draft, limits);
            drain(tar, limits.bytes());
            drain(seen, layer.size());
            if (coming.count != layer.size()) {
                throw new IOException("failed size validation: %d != %d for layer %s: failed precondition"
                        .formatted(coming.count, layer.size(), layer.digest()));
            }
        }
        check(packed, layer.digest());
        check(plain, diff);
        return owners;
    }

    private static void check(MessageDigest sum, Digest expected) throws IOException {
        var actual = new Digest(HexFormat.of().formatHex(sum.digest()));
        if (!actual.equals(expected)) {
            throw new IOException(
                    "failed commit on ref \"layer-%s\": unexpected digest %s, expected %s: failed precondition"
                            .formatted(expected, actual, expected));
        }
    }

    /// Behind an archive's end may be more, which counts for its digest.
    private static void drain(InputStream in, long most) throws IOException {
        var buffer = new byte[BLOCK];
        long left = most;
        for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
            left -= count;
            if (left < 0) {
                throw new IOException("a layer of the image does not end");
            }
        }
    }

    private static final class Counted extends FilterInputStream {
        private long count;

        Counted(InputStream in) {
            super(in);
        }

        @Override
        public int read() throws IOException {
            int one = in.read();
            count += one < 0 ? 0 : 1;
            return one;
        }

        @Override
        public int read(byte[] into, int offset, int length) throws IOException {
            int got = in.read(into, offset, length);
            count += Math.max(0, got);
            return got;
        }
    }
}

package dev.towtank.node.images;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.Set;
import java.util.zip.CRC32;
import java.util.zip.GZIPInputStream;

/// Unpacks root file systems that come as a tar archive, plain or gzipped, once.
final class Archives {

    private static final int BLOCK = 512;

    private Archives() {}

    /// The directory with the archive's content, which is unpacked again when the archive has changed.
    static synchronized Path unpacked(Path archive, Path cache) throws IOException {
        if (!Files.isRegularFile(archive)) {
            throw new IOException("its root " + archive + " is no file");
        }
        var sum = new CRC32();
        sum.update((archive.toAbsolutePath() + " " + Files.size(archive) + " " + Files.getLastModifiedTime(archive))
                .getBytes(StandardCharsets.UTF_8));
        var target = cache.resolve("root-" + HexFormat.of().toHexDigits(sum.getValue(), 8));
        if (Files.isDirectory(target)) {
            return target.toAbsolutePath();
        }
        Files.createDirectories(cache);
        var unfinished = Files.createTempDirectory(cache, "unpacking");
        try (var in = decompressed(archive)) {
            new Unpacking(in, unfinished).run();
        }
        Files.setPosixFilePermissions(unfinished, permissions(0755));
        try {
            Files.move(unfinished, target);
        } catch (FileAlreadyExistsException e) {
            throw new IOException("somebody else unpacks into " + cache, e);
        }
        return target.toAbsolutePath();
    }

    private static InputStream decompressed(Path archive) throws IOException {
        var in = new BufferedInputStream(Files.newInputStream(archive), 1 << 16);
        in.mark(2);
        boolean gzip = in.read() == 0x1f && in.read() == 0x8b;
        in.reset();
        return gzip ? new GZIPInputStream(in, 1 << 16) : in;
    }

    private static Set<PosixFilePermission> permissions(int mode) {
        var all = PosixFilePermission.values(); // from the owner's to the others', as in a mode
        var set = EnumSet.noneOf(PosixFilePermission.class);
        for (int bit = 0; bit < 9; bit++) {
            if ((mode & (0400 >> bit)) != 0) {
                set.add(all[bit]);
            }
        }
        return set;
    }

    /// One archive on its way into a directory.
    private static final class Unpacking {
        private final InputStream in;
        private final Path root;
        private String longName = "";
        private String longLink = "";

        Unpacking(InputStream in, Path root) {
            this.in = in;
            this.root = root;
        }

        void run() throws IOException {
            for (var header = in.readNBytes(BLOCK); header.length == BLOCK && header[0] != 0; header = in.readNBytes(BLOCK)) {
                long size = number(header, 124, 12);
                char type = (char) header[156];
                switch (type) {
                    case 'L' -> longName = text(take(size), 0, (int) size);
                    case 'K' -> longLink = text(take(size), 0, (int) size);
                    case 'x' -> extended(new String(take(size), StandardCharsets.UTF_8));
                    case 'g' -> take(size);
                    default -> {
                        entry(header, type, size);
                        longName = "";
                        longLink = "";
                    }
                }
            }
        }

        private void entry(byte[] header, char type, long size) throws IOException {
            var prefix = text(header, 257, 5).equals("ustar") ? text(header, 345, 155) : "";
            var name = longName.isEmpty() ? (prefix.isEmpty() ? "" : prefix + "/") + text(header, 0, 100) : longName;
            var link = longLink.isEmpty() ? text(header, 157, 100) : longLink;
            var target = inside(name);
            int mode = (int) number(header, 100, 8);
            switch (type) {
                case '5' -> {
                    Files.createDirectories(target);
                    Files.setPosixFilePermissions(target, permissions(mode | 0700));
                }
                case '2' -> Files.createSymbolicLink(parentOf(target), Path.of(link));
                case '1' -> Files.createLink(parentOf(target), inside(link));
                case '0', '\0', '7' -> file(target, mode, size);
                default -> take(size); // devices and pipes have no place here
            }
        }

        private void file(Path target, int mode, long size) throws IOException {
            try (var out = Files.newOutputStream(parentOf(target))) {
                long left = size;
                var buffer = new byte[1 << 16];
                while (left > 0) {
                    int count = in.read(buffer, 0, (int) Math.min(left, buffer.length));
                    if (count < 0) {
                        throw new EOFException("the archive ends too early");
                    }
                    out.write(buffer, 0, count);
                    left -= count;
                }
            }
            in.skipNBytes(padding(size));
            Files.setPosixFilePermissions(target, permissions(mode | 0400));
        }

        /// The place for an entry, whose parent must really be inside: an earlier entry may be a link that leads out.
        private Path inside(String name) throws IOException {
            var path = root.resolve(name.replaceFirst("^/+", "")).normalize();
            if (!path.startsWith(root)) {
                throw new IOException("the archive has an entry outside of itself: " + name);
            }
            for (var parent = path.getParent(); parent != null && !parent.equals(root) && parent.startsWith(root); parent = parent.getParent()) {
                if (Files.isSymbolicLink(parent)) {
                    throw new IOException("the archive has an entry below a symbolic link: " + name);
                }
            }
            return path;
        }

        private static Path parentOf(Path target) throws IOException {
            var parent = target.getParent();
            if (parent != null) {
                Files.createDirectories(parent);
            }
            if (Files.exists(target, LinkOption.NOFOLLOW_LINKS)) {
                Files.delete(target);
            }
            return target;
        }

        private void extended(String records) {
            for (var line : records.split("\n")) {
                int space = line.indexOf(' ');
                int equals = line.indexOf('=');
                if (space > 0 && equals > space) {
                    var key = line.substring(space + 1, equals);
                    if (key.equals("path")) {
                        longName = line.substring(equals + 1);
                    } else if (key.equals("linkpath")) {
                        longLink = line.substring(equals + 1);
                    }
                }
            }
        }

        private byte[] take(long size) throws IOException {
            if (size > 1 << 20) {
                throw new IOException("the archive has a header of " + size + " bytes");
            }
            var bytes = in.readNBytes((int) size);
            in.skipNBytes(padding(size));
            return bytes;
        }

        private static long padding(long size) {
            return (BLOCK - size % BLOCK) % BLOCK;
        }

        private static String text(byte[] bytes, int from, int length) {
            int end = from;
            while (end < from + length && bytes[end] != 0) {
                end++;
            }
            return new String(bytes, from, end - from, StandardCharsets.UTF_8);
        }

        private static long number(byte[] bytes, int from, int length) throws IOException {
            if ((bytes[from] & 0x80) != 0) {
                long value = 0;
                for (int i = from + length - 8; i < from + length; i++) {
                    value = value << 8 | bytes[i] & 0xff;
                }
                return value;
            }
            var text = text(bytes, from, length).strip();
            try {
                return text.isEmpty() ? 0 : Long.parseLong(text, 8);
            } catch (NumberFormatException e) {
                throw new IOException("this is no tar archive", e);
            }
        }
    }
}

package dev.towtank.node.images.store;

import dev.towtank.node.linux.OpenDirectory;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.UserDefinedFileAttributeView;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;

/// One layer on its way from an archive into a directory of its own, in the form that overlayfs wants: what a layer
/// takes away is a device 0:0, a directory that begins anew has an attribute. All files belong to whoever unpacks, who
/// may always read and write them; devices and pipes are left out, as containers have their own.
public final class LayerUnpacking {

    private static final String WHITEOUT = ".wh.";
    private static final String OPAQUE = ".wh..wh..opq";
    static final String OPAQUE_ATTRIBUTE = "overlay.opaque";
    private static final int BLOCK = 1 << 16;
    private static final int DEEPEST = 256;
    private static final long LONGEST_NAMES = 64 << 20;
    private static final byte[] ZEROS = new byte[BLOCK];

    private final Path root;
    private final UnpackLimits limits;
    private final byte[] buffer = new byte[BLOCK];
    private final Deque<Directory> directories = new ArrayDeque<>();
    private final FileOwners owners = new FileOwners();
    private long bytes;
    private long entries;
    private long names;

    private record Directory(Path path, int mode, FileTime modified) {}

    private LayerUnpacking(Path root, UnpackLimits limits) {
        this.root = root;
        this.limits = limits;
    }

    /// @param in a tar archive, not compressed
    /// @param root an empty directory that nobody else knows
    /// @return whose its files are
    public static FileOwners run(InputStream in, Path root, UnpackLimits limits) throws IOException {
        var unpacking = new LayerUnpacking(root, limits);
        var archive = new BoundedHeads(in);
        var tar = new TarArchiveInputStream(archive, "UTF-8");
        try {
            for (var entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
                archive.content();
                unpacking.entry(tar, entry);
                unpacking.rest(tar);
                archive.head();
            }
        } catch (IllegalArgumentException e) { // what no archiver writes
            throw new IOException("a layer of the image is no archive: " + e.getMessage(), e);
        }
        unpacking.finishDirectories();
        return unpacking.owners;
    }

    /// What an entry holds that is nothing to be unpacked.
    private void rest(TarArchiveInputStream tar) throws IOException {
        for (int count = tar.read(buffer); count >= 0; count = tar.read(buffer)) {
            bytes += count;
            limits.check(entries, bytes, root);
        }
    }

    private void entry(TarArchiveInputStream tar, TarArchiveEntry entry) throws IOException {
        limits.check(++entries, bytes, root);
        var parts = parts(entry.getName());
        if (parts.isEmpty()) {
            return; // the root itself
        }
        var parent = parent(parts, entry.getName());
        var name = parts.getLast();
        if (name.startsWith(WHITEOUT)) {
            whiteout(parent, name);
            return;
        }
        var place = parent.resolve(name);
        if (entry.isDirectory()) {
            directory(place, entry);
        } else if (entry.isSymbolicLink()) {
            clear(place);
            Files.createSymbolicLink(place, linkTarget(entry));
        } else if (entry.isLink()) {
            hardLink(place, entry);
        } else if (entry.isFile() && !entry.isFIFO() && !entry.isCharacterDevice() && !entry.isBlockDevice()) {
            file(tar, place, entry);
        } else {
            return;
        }
        remember(owners.add(String.join("/", parts), entry.getLongUserId(), entry.getLongGroupId()));
    }

    /// Names that are in memory until the end.
    private void remember(int length) throws IOException {
        names += length;
        long longest = Math.min(LONGEST_NAMES, limits.bytes());
        if (names > longest) {
            throw new IOException(
                    "the names of a layer's directories have more than " + (longest >> 20) + " MiB together");
        }
    }

    private static List<String> parts(String name) throws IOException {
        var parts = Arrays.stream(name.split("/", -1))
                .filter(part -> !part.isEmpty() && !part.equals("."))
                .toList();
        if (parts.contains("..") || name.indexOf('\0') >= 0) {
            throw new IOException("the layer has an entry outside of itself: " + shown(name));
        }
        if (parts.size() > DEEPEST) {
            throw new IOException("the layer has directories more than " + DEEPEST + " deep");
        }
        return parts;
    }

    /// The directory around an entry, which must really be one: an earlier entry may be a link that leads elsewhere.
    private Path parent(List<String> parts, String name) throws IOException {
        var here = root;
        for (var part : parts.subList(0, parts.size() - 1)) {
            here = here.resolve(part);
            if (!Files.isDirectory(here, LinkOption.NOFOLLOW_LINKS)) {
                if (Files.isSymbolicLink(here)) {
                    throw new IOException("the layer has an entry below a symbolic link: " + shown(name));
                }
                clear(here);
                Files.createDirectory(here);
            }
        }
        return here;
    }

    private void whiteout(Path parent, String name) throws IOException {
        if (name.equals(OPAQUE)) {
            opaque(parent);
            return;
        }
        var hidden = name.substring(WHITEOUT.length());
        if (hidden.startsWith(WHITEOUT) || hidden.isEmpty() || hidden.equals(".") || hidden.equals("..")) {
            return; // marks of a file system that nobody has any more
        }
        // What the same layer brings is not meant.
        if (!Files.exists(parent.resolve(hidden), LinkOption.NOFOLLOW_LINKS)) {
            try (var directory = OpenDirectory.of(parent)) {
                directory.makeWhiteout(hidden);
            }
        }
    }

    private static void opaque(Path directory) throws IOException {
        var attributes =
                Files.getFileAttributeView(directory, UserDefinedFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
        try {
            attributes.write(OPAQUE_ATTRIBUTE, ByteBuffer.wrap("y".getBytes(StandardCharsets.US_ASCII)));
        } catch (IOException e) {
            throw new IOException(
                    "the file system of the data directory has no attributes for users, which layers need", e);
        }
    }

    private void directory(Path place, TarArchiveEntry entry) throws IOException {
        if (!Files.isDirectory(place, LinkOption.NOFOLLOW_LINKS)) {
            boolean replaces = Files.exists(place, LinkOption.NOFOLLOW_LINKS);
            clear(place);
            Files.createDirectory(place);
            if (replaces) {
                opaque(place); // what lies below is another one
            }
        }
        remember(place.toString().length());
        directories.push(new Directory(place, entry.getMode(), entry.getLastModifiedTime()));
    }

    /// It may lead anywhere: whoever follows it is in the container by then.
    private static Path linkTarget(TarArchiveEntry entry) throws IOException {
        try {
            return Path.of(entry.getLinkName());
        } catch (InvalidPathException e) {
            throw new IOException("the layer has a link that leads nowhere: " + shown(entry.getName()), e);
        }
    }

    private void hardLink(Path place, TarArchiveEntry entry) throws IOException {
        var parts = parts(entry.getLinkName());
        if (parts.isEmpty()) {
            throw new IOException("the layer has a link to its root: " + shown(entry.getName()));
        }
        var target = parent(parts, entry.getLinkName()).resolve(parts.getLast());
        if (!Files.exists(target, LinkOption.NOFOLLOW_LINKS) || Files.isDirectory(target, LinkOption.NOFOLLOW_LINKS)) {
            throw new IOException("the layer has a link to what is no file in it: " + shown(entry.getName()));
        }
        if (!target.equals(place)) {
            clear(place);
            Files.createLink(place, target);
        }
    }

    private void file(TarArchiveInputStream tar, Path place, TarArchiveEntry entry) throws IOException {
        clear(place);
        try (var out = FileChannel.open(place, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            long size = 0;
            for (int count = tar.read(buffer); count >= 0; count = tar.read(buffer)) {
                bytes += count;
                limits.check(entries, bytes, root);
                // Holes stay holes.
                if (count == BLOCK && Arrays.equals(buffer, ZEROS)) {
                    size += count;
                    continue;
                }
                var filled = ByteBuffer.wrap(buffer, 0, count);
                while (filled.hasRemaining()) {
                    size += out.write(filled, size);
                }
            }
            if (out.size() < size) {
                out.write(ByteBuffer.wrap(ZEROS, 0, 1), size - 1);
            }
        }
        Files.setPosixFilePermissions(place, permissions(entry.getMode() | 0600));
        Files.setLastModifiedTime(place, entry.getLastModifiedTime());
    }

    /// Nothing may be there.
    private static void clear(Path place) throws IOException {
        if (Files.isDirectory(place, LinkOption.NOFOLLOW_LINKS)) {
            throw new IOException("the layer has a directory and something else of one name: "
                    + shown(String.valueOf(place.getFileName())));
        }
        Files.deleteIfExists(place);
    }

    /// The inner ones first: each entry changes the time of the directory around it.
    private void finishDirectories() throws IOException {
        Files.setPosixFilePermissions(root, permissions(0755));
        for (var directory : directories) {
            if (Files.isDirectory(directory.path, LinkOption.NOFOLLOW_LINKS)) {
                Files.setPosixFilePermissions(directory.path, permissions(directory.mode | 0700));
                sticky(directory);
                Files.setLastModifiedTime(directory.path, directory.modified);
            }
        }
    }

    /// Of the three bits that Java does not know, the one that counts without privileges.
    private static void sticky(Directory directory) throws IOException {
        if ((directory.mode & 01000) != 0) {
            try (var open = OpenDirectory.of(directory.path)) {
                open.setMode((directory.mode | 0700) & 01777);
            }
        }
    }

    static Set<PosixFilePermission> permissions(int mode) {
        var all = PosixFilePermission.values(); // from the owner's to the others', as in a mode
        var set = EnumSet.noneOf(PosixFilePermission.class);
        for (int bit = 0; bit < 9; bit++) {
            if ((mode & (0400 >> bit)) != 0) {
                set.add(all[bit]);
            }
        }
        return set;
    }

    private static String shown(String name) {
        return name.substring(0, Math.min(200, name.length())).replaceAll("\\p{Cntrl}", "?");
    }
}

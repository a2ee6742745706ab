package dev.towtank.node.images.store;

import dev.towtank.node.linux.DiskUsage;
import dev.towtank.node.linux.OpenDirectory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/// The files of an image as its layers together show them, in a directory of their own: what overlayfs would show, for
/// where the kernel has none. Nothing is shared with the layers, so whoever writes there changes no other container.
///
/// Layers do not change, and nobody else knows the new directory yet; so what was seen to be a directory stays one, and
/// no link is followed.
public final class LayeredCopy {

    /// Whoever counts the container's files later looks no deeper than 200.
    private static final int DEEPEST = 150;

    /// Files with several names keep them, but for those of an image that is made to fill our memory.
    private static final int MOST_LINKED = 100_000;

    private static final String WANTED =
            "unix:mode,nlink,dev,ino,isDirectory,isRegularFile,isSymbolicLink,lastModifiedTime";

    private static final int BLOCK = 1 << 16;
    private static final byte[] ZEROS = new byte[BLOCK];
    private static final int TOP_MODE = 0755;

    /// Shorter ones are kept where others say where they are.
    private static final int INLINE_LINK = 60;

    private final Path root;
    private final UnpackLimits limits;
    private final long unit;
    private final byte[] buffer = new byte[BLOCK];
    private final Map<Identity, Path> linked = new HashMap<>();
    private long read;
    private long taken;
    private long entries;

    private LayeredCopy(Path root, UnpackLimits limits) throws IOException {
        this.root = root;
        this.limits = limits;
        this.unit = Math.max(1, Files.getFileStore(root).getBlockSize());
    }

    /// @param root an empty directory that nobody else knows
    /// @return how many bytes of the disk it takes
    public static long run(LayeredFiles files, Path root, UnpackLimits limits) throws IOException {
        var copy = new LayeredCopy(root, limits);
        var layers = new ArrayList<Path>();
        for (var name : files.upperFirst()) {
            layers.add(files.root().resolve(name).toRealPath()); // these links are ours
        }
        try {
            copy.inside(layers, root, 0);
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        mode(root, TOP_MODE);
        return copy.taken + Math.max(copy.unit, DiskUsage.bytes(root));
    }

    private record Identity(Object device, Object number) {}

    private enum Type {
        DIRECTORY,
        FILE,
        LINK,
        /// A device 0:0, as others are in no layer.
        WHITEOUT
    }

    private record Facts(Type type, int mode, int names, Identity identity, FileTime modified) {}

    private static Optional<Facts> facts(Path path) throws IOException {
        try {
            var all = Files.readAttributes(path, WANTED, LinkOption.NOFOLLOW_LINKS);
            return Optional.of(new Facts(
                    type(all),
                    (int) told(all, "mode"),
                    (int) told(all, "nlink"),
                    new Identity(told(all, "dev"), told(all, "ino")),
                    (FileTime) told(all, "lastModifiedTime")));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }

    private static Object told(Map<String, Object> facts, String name) {
        return Objects.requireNonNull(facts.get(name));
    }

    private static Type type(Map<String, Object> facts) {
        if (Boolean.TRUE.equals(facts.get("isDirectory"))) {
            return Type.DIRECTORY;
        }
        if (Boolean.TRUE.equals(facts.get("isSymbolicLink"))) {
            return Type.LINK;
        }
        return Boolean.TRUE.equals(facts.get("isRegularFile")) ? Type.FILE : Type.WHITEOUT;
    }

    /// @param sources directories that are one, the uppermost first
    private void inside(List<Path> sources, Path target, int depth) throws IOException {
        if (depth > DEEPEST) {
            throw new IOException("the image has directories more than " + DEEPEST + " deep");
        }
        var seen = new HashSet<Path>(); // by their bytes, whatever these mean
        for (int i = 0; i < sources.size(); i++) {
            try (var names = Files.newDirectoryStream(sources.get(i))) {
                for (var each : names) {
                    if (seen.add(each.getFileName())) {
                        entry(each, sources.subList(i + 1, sources.size()), target, depth);
                    }
                }
            }
        }
    }

    private void entry(Path source, List<Path> lower, Path around, int depth) throws IOException {
        limits.check(++entries, read, root);
        var facts = facts(source).orElseThrow(() -> new NoSuchFileException(source.toString()));
        var target = around.resolve(source.getFileName());
        switch (facts.type) {
            case WHITEOUT -> {} // by now it is seen, and what lower layers have of this name is not there
            case LINK -> {
                var to = Files.readSymbolicLink(source);
                Files.createSymbolicLink(target, to);
                taken += to.toString().length() < INLINE_LINK ? 0 : unit;
            }
            case FILE -> file(source, facts, target);
            case DIRECTORY -> {
                Files.createDirectory(target);
                inside(merged(source, lower), target, depth + 1);
                taken += Math.max(unit, DiskUsage.bytes(target)); // more with each name, and by how scattered it lies
                mode(target, facts.mode);
                Files.setLastModifiedTime(target, facts.modified);
            }
        }
    }

    /// The directories that show through one another.
    private static List<Path> merged(Path upper, List<Path> lower) throws IOException {
        var all = new ArrayList<>(List.of(upper));
        for (var layer : lower) {
            if (LayeredFiles.isOpaque(all.getLast())) {
                break;
            }
            var below = layer.resolve(upper.getFileName());
            var facts = facts(below);
            if (facts.isPresent() && facts.get().type != Type.DIRECTORY) {
                break;
            }
            if (facts.isPresent()) {
                all.add(below);
            }
        }
        return all;
    }

    private void file(Path source, Facts facts, Path target) throws IOException {
        if (facts.names > 1) {
            var same = linked.get(facts.identity);
            if (same != null) {
                Files.createLink(target, same);
                return;
            }
            if (linked.size() < MOST_LINKED) {
                linked.put(facts.identity, target);
            }
        }
        try (var in = FileChannel.open(source, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
                var out = FileChannel.open(target, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            content(in, out);
        }
        Files.setPosixFilePermissions(target, LayerUnpacking.permissions(facts.mode));
        Files.setLastModifiedTime(target, facts.modified);
    }

    private void content(FileChannel in, FileChannel out) throws IOException {
        long size = 0;
        var block = ByteBuffer.wrap(buffer);
        for (int count = in.read(block); count >= 0; count = in.read(block)) {
            read += count;
            limits.check(entries, read, root);
            // Holes stay holes: else an image of a few kilobytes would fill the disk.
            if (!(count == BLOCK && Arrays.equals(buffer, ZEROS))) {
                var filled = ByteBuffer.wrap(buffer, 0, count);
                for (long at = size; filled.hasRemaining(); ) {
                    at += out.write(filled, at);
                }
                taken += (count + unit - 1) / unit * unit;
            }
            size += count;
            block.clear();
        }
        if (out.size() < size) {
            out.write(ByteBuffer.wrap(ZEROS, 0, 1), size - 1);
            taken += unit;
        }
    }

    private static void mode(Path directory, int mode) throws IOException {
        try (var open = OpenDirectory.of(directory)) {
            open.setMode(mode);
        }
    }
}

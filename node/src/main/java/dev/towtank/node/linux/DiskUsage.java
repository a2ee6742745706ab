package dev.towtank.node.linux;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// How much directories take of the disk that they are on, counted as `du` and the kubelet do: by blocks, so that a
/// hole in a file takes nothing, and once for a file that has several names.
///
/// Whoever is counted may try to hide: what is deeper, or more, than can be counted is more than any limit. A directory
/// that its owner may not read is one that its owner may change: it is opened to be counted, and shut again.
/// Who shuts it meanwhile is over the limit. What is another user's of the container is [looked at as
/// well][OthersFiles].
public final class DiskUsage {

    private static final int DEEPEST = 200;
    private static final int MOST_FILES = 2_000_000;

    /// Looks into what is shut to this process: each is a process of its own.
    private static final int MOST_OF_OTHERS = 20_000;

    private static final int NO_FOLLOW = 0x100; // AT_SYMLINK_NOFOLLOW
    private static final int WANTED = 0x1 | 0x4 | 0x100 | 0x400; // STATX_TYPE, STATX_NLINK, STATX_INO, STATX_BLOCKS
    private static final int STATX_SIZE = 256;
    private static final int NAMES_OFFSET = 16;
    private static final int MODE_OFFSET = 28;
    private static final int TYPE_BITS = 0xf000; // S_IFMT
    private static final int DIRECTORY = 0x4000; // S_IFDIR
    private static final int MODE_BITS = 07777;
    private static final int OWNER_MAY_LOOK = 0500;
    private static final int INODE_OFFSET = 32;
    private static final int BLOCKS_OFFSET = 48;
    private static final long BLOCK = 512;
    private static final boolean IS_ROOT = Call.GETUID.raw(0, 0, 0, 0, 0, 0) == 0;

    private final long limit;
    private final Set<Long> counted = new HashSet<>();
    private long bytes;
    private int files;
    private int ofOthers;

    private DiskUsage(long limit) {
        this.limit = limit;
    }

    /// Whether all of them together take more. Looks no further than it must.
    public static boolean exceeds(Iterable<Path> directories, long limit) {
        var usage = new DiskUsage(limit);
        for (var directory : directories) {
            if (usage.isOver()) {
                break;
            }
            try (var arena = Arena.ofConfined()) {
                var name = arena.allocateFrom(directory.toString());
                usage.count(arena, FileFlags.HERE, name.address(), 0);
            } catch (IOException e) {
                // it changes while we look: the next look tells
            }
        }
        return usage.isOver();
    }

    /// What one file or directory takes itself, through a link to it.
    public static long bytes(Path file) {
        try (var arena = Arena.ofConfined()) {
            var facts = arena.allocate(STATX_SIZE, 8);
            long result = Call.STATX.raw(
                    arena, FileFlags.HERE, Call.text(arena, file.toString()), 0, WANTED, facts.address());
            return result < 0 ? 0 : facts.get(ValueLayout.JAVA_LONG, BLOCKS_OFFSET) * BLOCK;
        }
    }

    private boolean isOver() {
        return bytes > limit;
    }

    private void count(Arena arena, int around, long name, int depth) throws IOException {
        var facts = arena.allocate(STATX_SIZE, 8);
        long looked = Call.STATX.raw(arena, around, name, NO_FOLLOW, WANTED, facts.address());
        if (OthersFiles.mayHelp(looked)) {
            countOthers(around, List.of(name), depth);
        } else {
            count(around, name, looked, facts, depth);
        }
    }

    private void countOthers(int around, List<Long> names, int depth) throws IOException {
        ofOthers++;
        if (ofOthers > MOST_OF_OTHERS) {
            bytes = Long.MAX_VALUE;
            return;
        }
        try (var arena = Arena.ofConfined()) {
            var facts = arena.allocate((long) names.size() * STATX_SIZE, 8);
            var looked = OthersFiles.look(around, names, NO_FOLLOW, WANTED, facts);
            for (int i = 0; i < looked.length && !isOver(); i++) {
                count(around, names.get(i), looked[i], facts.asSlice((long) i * STATX_SIZE, STATX_SIZE), depth);
            }
        }
    }

    /// @param looked zero, or minus the number of an error
    private void count(int around, long name, long looked, MemorySegment facts, int depth) throws IOException {
        if (looked < 0 && looked != -LinuxException.EACCES) {
            return; // gone meanwhile
        }
        files++;
        if (looked < 0 || depth > DEEPEST || files > MOST_FILES) { // the first: it was shut while we looked into it
            bytes = Long.MAX_VALUE;
        } else if (isDirectory(facts)) {
            bytes += facts.get(ValueLayout.JAVA_LONG, BLOCKS_OFFSET) * BLOCK;
            countInside(around, name, facts.get(ValueLayout.JAVA_SHORT, MODE_OFFSET) & MODE_BITS, depth);
        } else if (isNew(facts)) {
            bytes += facts.get(ValueLayout.JAVA_LONG, BLOCKS_OFFSET) * BLOCK;
        }
    }

    /// Entries say so, too, but not on every file system.
    private static boolean isDirectory(MemorySegment facts) {
        return (facts.get(ValueLayout.JAVA_SHORT, MODE_OFFSET) & TYPE_BITS) == DIRECTORY;
    }

    private boolean isNew(MemorySegment facts) {
        return facts.get(ValueLayout.JAVA_INT, NAMES_OFFSET) <= 1
                || counted.add(facts.get(ValueLayout.JAVA_LONG, INODE_OFFSET));
    }

    private void countInside(int around, long name, int mode, int depth) throws IOException {
        try (var arena = Arena.ofConfined()) {
            boolean isShut = (mode & OWNER_MAY_LOOK) != OWNER_MAY_LOOK && !IS_ROOT;
            int shut = isShut ? unshut(arena, around, name, mode) : -1;
            try {
                countOpened(arena, around, name, depth);
            } finally {
                if (shut >= 0) {
                    setMode(shut, mode);
                    Descriptors.close(shut);
                }
            }
        }
    }

    /// @return the directory, to be shut again; below zero, it is gone or not ours
    private static int unshut(Arena arena, int around, long name, int mode) throws IOException {
        int flags = FileFlags.PATH_ONLY | FileFlags.DIRECTORY | FileFlags.NO_FOLLOW | FileFlags.CLOEXEC;
        int place = (int) Call.OPENAT.raw(arena, around, name, flags, 0, 0);
        if (place >= 0) {
            setMode(place, mode | OWNER_MAY_LOOK);
        }
        return place;
    }

    private static void setMode(int place, int mode) throws IOException {
        Call.FCHMODAT.on(FileFlags.HERE, "/proc/self/fd/" + place, mode, 0);
    }

    private void countOpened(Arena arena, int around, long name, int depth) throws IOException {
        int flags = FileFlags.DIRECTORY | FileFlags.NO_FOLLOW | FileFlags.CLOEXEC;
        long opened = OthersFiles.open(arena, around, name, flags);
        if (opened < 0) {
            bytes = opened == -LinuxException.EACCES ? Long.MAX_VALUE : bytes; // else it is gone meanwhile
            return;
        }
        try {
            var entries = new DirectoryEntries(arena, (int) opened);
            while (!isOver() && entries.read() > 0) {
                countEntries((int) opened, entries.names(), depth + 1);
            }
        } finally {
            Descriptors.close((int) opened);
        }
    }

    private void countEntries(int directory, List<Long> names, int depth) throws IOException {
        for (int i = 0; i < names.size() && !isOver(); i++) {
            try (var arena = Arena.ofConfined()) {
                var facts = arena.allocate(STATX_SIZE, 8);
                long looked = Call.STATX.raw(arena, directory, names.get(i), NO_FOLLOW, WANTED, facts.address());
                if (OthersFiles.mayHelp(looked)) { // then all are in a directory of somebody else
                    countOthers(directory, names.subList(i, names.size()), depth);
                    return;
                }
                count(directory, names.get(i), looked, facts, depth);
            }
        }
    }
}

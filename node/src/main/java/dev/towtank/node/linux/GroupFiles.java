package dev.towtank.node.linux;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;

/// Gives directories with all that is in them to a group, as the kubelet does it for `fsGroup`. Each file is held open
/// meanwhile: nobody can put another one, or a link, in its place.
public final class GroupFiles {

    private static final int EMPTY_PATH = 0x1000; // AT_EMPTY_PATH
    private static final int WANTED = 0x1 | 0x2 | 0x10; // STATX_TYPE, STATX_MODE, STATX_GID
    private static final int STATX_SIZE = 256;
    private static final int GROUP_OFFSET = 24;
    private static final int MODE_OFFSET = 28;
    private static final int TYPE_BITS = 0xf000;
    private static final int DIRECTORY = 0x4000;
    private static final int LINK = 0xa000;
    private static final int MODE_BITS = 07777;

    private static final int MAY_READ = 0440;
    private static final int MAY_WRITE = 0660;
    private static final int MAY_ENTER_AND_HAND_ON = 02110;

    /// A container could make more levels than a process may have descriptors.
    private static final int DEEPEST = 200;

    private final long group;
    private final int may;

    private GroupFiles(long group, boolean readOnly) {
        this.group = group;
        this.may = readOnly ? MAY_READ : MAY_WRITE;
    }

    /// @param group on this machine, one that the server may give away
    /// @param readOnly whether its members shall only read
    public static void give(Path tree, long group, boolean readOnly) throws IOException {
        try (var arena = Arena.ofConfined()) {
            new GroupFiles(group, readOnly)
                    .give(
                            arena,
                            FileFlags.HERE,
                            arena.allocateFrom(tree.toString()).address(),
                            0);
        }
    }

    /// Whether the directory itself is the group's already.
    public static boolean isGiven(Path directory, long group) throws IOException {
        try (var arena = Arena.ofConfined();
                var open = OpenDirectory.of(directory)) {
            var facts = arena.allocate(STATX_SIZE, 8);
            var path = Call.text(arena, open.self().toString());
            Call.checked(
                    Call.STATX.raw(arena, FileFlags.HERE, path, 0, WANTED, facts.address()),
                    "look at",
                    directory.toString());
            int all = MAY_WRITE | MAY_ENTER_AND_HAND_ON;
            return facts.get(ValueLayout.JAVA_INT, GROUP_OFFSET) == group && (mode(facts) & all) == all;
        }
    }

    private void give(Arena arena, int around, long name, int depth) throws IOException {
        int flags = FileFlags.PATH_ONLY | FileFlags.NO_FOLLOW | FileFlags.CLOEXEC;
        long opened = OthersFiles.open(arena, around, name, flags);
        if (opened == -LinuxException.ENOENT) {
            return; // gone meanwhile
        }
        int file = (int) Call.checked(opened, "give to a group", "a file of a volume");
        try {
            boolean isDirectory = give(arena, file);
            if (isDirectory && depth < DEEPEST) {
                giveInside(around, name, depth);
            }
        } finally {
            Descriptors.close(file);
        }
    }

    private boolean give(Arena arena, int file) throws IOException {
        var facts = arena.allocate(STATX_SIZE, 8);
        long none = Call.text(arena, "");
        Call.checked(Call.STATX.raw(arena, file, none, EMPTY_PATH, WANTED, facts.address()), "look at", "an open file");
        int type = facts.get(ValueLayout.JAVA_SHORT, MODE_OFFSET) & TYPE_BITS;
        if (facts.get(ValueLayout.JAVA_INT, GROUP_OFFSET) != group) {
            Call.checked(OthersFiles.give(file, group), "give to a group", "a file of a volume");
        }
        if (type != LINK) {
            allow(file, mode(facts), type == DIRECTORY ? may | MAY_ENTER_AND_HAND_ON : may);
        }
        return type == DIRECTORY;
    }

    private static int mode(MemorySegment facts) {
        return facts.get(ValueLayout.JAVA_SHORT, MODE_OFFSET) & MODE_BITS;
    }

    /// By the way through `/proc` it is this very file, and no link is followed any more. Who is not in the group, and
    /// has no rights over it, would take away what hands it on, and hear nothing of it.
    private static void allow(int file, int mode, int more) throws IOException {
        if ((mode & more) != more) {
            var path = "/proc/self/fd/" + file;
            long changed = OthersFiles.areThere()
                    ? OthersFiles.call(Call.FCHMODAT, FileFlags.HERE, path, mode | more)
                    : Call.FCHMODAT.on(FileFlags.HERE, path, mode | more, 0);
            Call.checked(changed, "set the mode of", "a file of a volume");
        }
    }

    private void giveInside(int around, long name, int depth) throws IOException {
        try (var arena = Arena.ofConfined()) {
            int flags = FileFlags.DIRECTORY | FileFlags.NO_FOLLOW | FileFlags.CLOEXEC;
            long opened = OthersFiles.open(arena, around, name, flags);
            if (opened < 0) {
                return; // gone meanwhile, or no directory any more
            }
            try {
                var entries = new DirectoryEntries(arena, (int) opened);
                while (entries.read() > 0) {
                    entries.forEach((entry, _) -> {
                        try (var own = Arena.ofConfined()) {
                            give(own, (int) opened, entry, depth + 1);
                        }
                    });
                }
            } finally {
                Descriptors.close((int) opened);
            }
        }
    }
}

package dev.towtank.node.linux;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Queue;

/// Deletes directories with all that is in them. Each is opened once, by its name in the one around it: so no path is
/// looked up again, and nobody can put a link in its place meanwhile.
public final class FileTree {

    /// What lies deeper is moved to the top before it is deleted: every level takes a descriptor, and a container can
    /// make more levels than a process may have descriptors.
    private static final int DEEPEST = 64;

    static final int REMOVE_DIRECTORY = 0x200; // AT_REMOVEDIR
    private static final int OWNER_MAY_ALL = 0700;

    private static final int NO_REPLACE = 1; // RENAME_NOREPLACE

    private final Path root;
    private final Queue<String> moved = new ArrayDeque<>();
    private int top = -1;
    private int moves;

    private FileTree(Path root) {
        this.root = root;
    }

    /// Follows no links, and deletes as well what has no permission to be listed or changed. That nothing is there is
    /// fine.
    public static void delete(Path root) throws IOException {
        try (var arena = Arena.ofConfined()) {
            var name = arena.allocateFrom(root.toString());
            new FileTree(root).delete(arena, FileFlags.HERE, name.address(), true, 0);
        }
    }

    /// A directory that is empty, which most are, is gone by the first call.
    ///
    /// @param perhapsDirectory the first try is that it is one
    private void delete(Arena arena, int parent, long name, boolean perhapsDirectory, int depth) throws IOException {
        long result = unlink(arena, parent, name, perhapsDirectory);
        if (result == -LinuxException.ENOTDIR || result == -LinuxException.EISDIR) {
            result = unlink(arena, parent, name, !perhapsDirectory);
        }
        if (result == -LinuxException.ENOTEMPTY || result == -LinuxException.EEXIST) {
            empty(parent, name, depth);
        } else if (result != -LinuxException.ENOENT && result != -LinuxException.ENOTDIR) {
            checked(result);
        }
    }

    private static long unlink(Arena arena, int parent, long name, boolean directory) {
        return Call.UNLINKAT.raw(arena, parent, name, directory ? REMOVE_DIRECTORY : 0, 0, 0);
    }

    private void empty(int parent, long name, int depth) throws IOException {
        try (var arena = Arena.ofConfined()) {
            if (depth > DEEPEST) {
                moveToTop(arena, parent, name);
                return;
            }
            int directory = open(arena, parent, name);
            try {
                top = depth == 0 ? directory : top;
                empty(arena, directory, parent, name, depth);
            } finally {
                Descriptors.close(directory);
            }
        }
    }

    /// Usually one look shows all entries: then the directory goes without a second one.
    private void empty(Arena arena, int directory, int parent, long name, int depth) throws IOException {
        var entries = new DirectoryEntries(arena, directory);
        long removed = -LinuxException.ENOTEMPTY;
        while (removed == -LinuxException.ENOTEMPTY || removed == -LinuxException.EEXIST) {
            if (checked(entries.read()) == 0) {
                // A process that is about to end may still write there; what is left goes with the next sweep.
                throw new IOException("cannot delete " + root + ": it is still written to");
            }
            entries.forEach((entry, isDirectory) -> deleteEntry(directory, entry, isDirectory, depth));
            if (depth == 0) {
                deleteMoved();
            }
            removed = unlink(arena, parent, name, true);
        }
        if (removed != -LinuxException.ENOENT) {
            checked(removed);
        }
    }

    private void deleteEntry(int directory, long name, boolean isDirectory, int depth) throws IOException {
        try {
            deleteInside(directory, name, isDirectory, depth);
        } catch (LinuxException e) {
            if (!e.is(LinuxException.EACCES) && !e.is(LinuxException.EPERM)) {
                throw e;
            }
            allowAll(directory);
            deleteInside(directory, name, isDirectory, depth);
        }
    }

    private void deleteInside(int directory, long name, boolean isDirectory, int depth) throws IOException {
        // An arena for each, as it holds what a call needs until it is closed, and there may be millions.
        try (var arena = Arena.ofConfined()) {
            delete(arena, directory, name, isDirectory, depth + 1);
        }
    }

    private void moveToTop(Arena arena, int parent, long name) throws IOException {
        allowAll(top);
        allow(arena, parent, name); // a directory that nobody may change cannot be moved
        long result = -LinuxException.EEXIST;
        while (result == -LinuxException.EEXIST) {
            var free = ".moved-" + moves++;
            long target = arena.allocateFrom(free).address();
            result = Call.RENAMEAT2.raw(arena, parent, name, top, target, NO_REPLACE);
            if (result == 0) {
                moved.add(free);
            }
        }
        checked(result);
    }

    /// And what is moved meanwhile.
    private void deleteMoved() throws IOException {
        for (var next = moved.poll(); next != null; next = moved.poll()) {
            try (var arena = Arena.ofConfined()) {
                delete(arena, top, arena.allocateFrom(next).address(), true, 1);
            }
        }
    }

    private int open(Arena arena, int parent, long name) throws IOException {
        int flags = FileFlags.DIRECTORY | FileFlags.NO_FOLLOW | FileFlags.CLOEXEC;
        long opened = Call.OPENAT.raw(arena, parent, name, flags, 0, 0);
        if (opened == -LinuxException.EACCES) {
            allow(arena, parent, name);
            opened = Call.OPENAT.raw(arena, parent, name, flags, 0, 0);
        }
        return (int) checked(opened);
    }

    private void allowAll(int directory) throws IOException {
        long changed = Call.FCHMOD.on(directory, OWNER_MAY_ALL, 0);
        if (OthersFiles.mayHelp(changed)) {
            checked(OthersFiles.take(directory));
            changed = Call.FCHMOD.on(directory, OWNER_MAY_ALL, 0);
        }
        checked(changed);
    }

    /// To change a mode by a name would follow a link.
    private void allow(Arena arena, int parent, long name) throws IOException {
        int flags = FileFlags.PATH_ONLY | FileFlags.DIRECTORY | FileFlags.NO_FOLLOW | FileFlags.CLOEXEC;
        int place = (int) checked(Call.OPENAT.raw(arena, parent, name, flags, 0, 0));
        try {
            long changed = Call.FCHMODAT.on(FileFlags.HERE, "/proc/self/fd/" + place, OWNER_MAY_ALL, 0);
            if (OthersFiles.mayHelp(changed)) {
                checked(OthersFiles.take(place));
                changed = Call.FCHMODAT.on(FileFlags.HERE, "/proc/self/fd/" + place, OWNER_MAY_ALL, 0);
            }
            checked(changed);
        } finally {
            Descriptors.close(place);
        }
    }

    private long checked(long result) throws LinuxException {
        if (result < 0) {
            throw new LinuxException("cannot delete " + root, (int) -result);
        }
        return result;
    }
}

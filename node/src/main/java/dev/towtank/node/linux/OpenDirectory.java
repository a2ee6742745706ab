package dev.towtank.node.linux;

import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;

/// A directory that is held open: whatever becomes of the way there, what is done here is done in this one. Calls say
/// by their answer what would else be asked before.
public final class OpenDirectory implements AutoCloseable {

    private static final int CHARACTER_DEVICE = 0020000;

    /// For whole paths, which are followed through links.
    public static final OpenDirectory HERE = new OpenDirectory(FileFlags.HERE);

    private static final int BENEATH = 8; // RESOLVE_BENEATH
    private static final int NO_SYMLINKS = 4; // RESOLVE_NO_SYMLINKS
    private static final int IN_ROOT = 0x10; // RESOLVE_IN_ROOT
    private static final int EMPTY_PATH = 0x1000; // AT_EMPTY_PATH
    private static final int TYPE_AND_INODE = 0x101; // STATX_TYPE, STATX_INO
    private static final long MOUNT_ROOT = 0x2000; // STATX_ATTR_MOUNT_ROOT
    private static final int TYPE_BITS = 0xF000;
    private static final int IS_DIRECTORY = 0x4000;
    private static final int NO_REPLACE = 1; // RENAME_NOREPLACE
    private static final int PERMISSIONS = 0777;
    private static final int MODE = 01777; // with the sticky bit
    private static final int LONGEST_LINK = 4096;

    private final int descriptor;

    private OpenDirectory(int descriptor) {
        this.descriptor = descriptor;
    }

    public static OpenDirectory of(Path directory) throws LinuxException {
        int flags = FileFlags.PATH_ONLY | FileFlags.DIRECTORY | FileFlags.CLOEXEC;
        var name = directory.toString();
        return new OpenDirectory((int) Call.checked(Call.OPENAT.on(FileFlags.HERE, name, flags, 0), "open", name));
    }

    /// What is at a path, not only a directory; empty when nothing is.
    public static Optional<OpenDirectory> found(Path path) throws LinuxException {
        var name = path.toString();
        long opened = Call.OPENAT.on(FileFlags.HERE, name, FileFlags.PATH_ONLY | FileFlags.CLOEXEC, 0);
        return isMissing(opened)
                ? Optional.empty()
                : Optional.of(new OpenDirectory((int) Call.checked(opened, "open", name)));
    }

    /// What is at a path that leads neither out of here nor through a link; empty when nothing is. It need not be a
    /// directory.
    ///
    /// @throws LinuxException `ELOOP` when a link is on the way, or at its end
    public Optional<OpenDirectory> inside(String path) throws LinuxException {
        long opened = openInside(path, FileFlags.PATH_ONLY, BENEATH | NO_SYMLINKS);
        return isMissing(opened)
                ? Optional.empty()
                : Optional.of(new OpenDirectory((int) Call.checked(opened, "open", path)));
    }

    /// What a process whose root this is finds at a path, through whatever links; empty when nothing is.
    public Optional<OpenDirectory> asRoot(String path) throws LinuxException {
        long opened = openInside(path, FileFlags.PATH_ONLY, IN_ROOT);
        return isMissing(opened)
                ? Optional.empty()
                : Optional.of(new OpenDirectory((int) Call.checked(opened, "open", path)));
    }

    /// Which file this is, by numbers that no other file of the machine has.
    public record Identity(int majorDevice, int minorDevice, long inode) {}

    /// @param directory whether it is one: it need not be
    /// @param mounted whether it is where something is mounted, and not just a file in there
    public record Facts(Identity identity, boolean directory, boolean mounted) {}

    public Facts facts() throws LinuxException {
        try (var arena = Arena.ofConfined()) {
            var facts = arena.allocate(256, 8); // struct statx
            var none = arena.allocateFrom("");
            Call.checked(
                    Call.STATX.raw(arena, descriptor, none.address(), EMPTY_PATH, TYPE_AND_INODE, facts.address()),
                    "look at",
                    "an open file");
            var identity = new Identity(
                    facts.get(ValueLayout.JAVA_INT, 136),
                    facts.get(ValueLayout.JAVA_INT, 140),
                    facts.get(ValueLayout.JAVA_LONG, 32));
            return new Facts(
                    identity,
                    (facts.get(ValueLayout.JAVA_SHORT, 28) & TYPE_BITS) == IS_DIRECTORY,
                    (facts.get(ValueLayout.JAVA_LONG, 8) & MOUNT_ROOT) != 0);
        }
    }

    /// By which this process, and no other one, can go here whatever the way has become.
    public Path self() {
        return Path.of("/proc/self/fd/" + descriptor);
    }

    /// A directory found like [#inside], made with those around it where they are missing.
    public OpenDirectory makeInside(String path, int mode) throws LinuxException {
        var found = inside(path);
        if (found.isPresent()) {
            return found.get();
        }
        int slash = path.lastIndexOf('/');
        if (slash < 0) {
            var _ = make(path, mode);
        } else {
            try (var around = makeInside(path.substring(0, slash), mode)) {
                var _ = around.make(path.substring(slash + 1), mode);
            }
        }
        return inside(path).orElseThrow(() -> new LinuxException("open " + path, LinuxException.ENOENT));
    }

    /// A file to read from, found like [#inside]; empty when nothing is there. Never waits for a writer.
    public Optional<ReadFile> read(String path) throws LinuxException {
        long opened = openInside(path, FileFlags.NONBLOCK, BENEATH | NO_SYMLINKS);
        return isMissing(opened)
                ? Optional.empty()
                : Optional.of(new ReadFile((int) Call.checked(opened, "open", path)));
    }

    private long openInside(String path, int flags, int resolved) {
        try (var arena = Arena.ofConfined()) {
            var how = arena.allocate(24, 8);
            how.set(ValueLayout.JAVA_LONG, 0, flags | FileFlags.CLOEXEC);
            how.set(ValueLayout.JAVA_LONG, 16, resolved);
            var name = arena.allocateFrom(path);
            long opened = Call.OPENAT2.raw(arena, descriptor, name.address(), how.address(), how.byteSize(), 0);
            return OthersFiles.mayHelp(opened)
                    ? OthersFiles.call(Call.OPENAT2, descriptor, path, how.address(), how.byteSize())
                    : opened;
        }
    }

    /// A way through a file that is no directory leads to nothing.
    private static boolean isMissing(long result) {
        return result == -LinuxException.ENOENT || result == -LinuxException.ENOTDIR;
    }

    /// Makes a directory with exactly these permissions. False when something is there already.
    public boolean make(String name, int mode) throws LinuxException {
        int wanted = mode & PERMISSIONS;
        long result = Call.MKDIRAT.on(descriptor, name, wanted, 0);
        if (OthersFiles.mayHelp(result)) {
            result = OthersFiles.call(Call.MKDIRAT, descriptor, name, wanted);
        }
        if (result == -LinuxException.EEXIST) {
            return false;
        }
        Call.checked(result, "make directory", name);
        if (FileFlags.isMasked(wanted)) {
            Call.checked(Call.FCHMODAT.on(descriptor, name, wanted, 0), "set the mode of", name);
        }
        return true;
    }

    /// Makes a file with exactly these permissions. False when something is there already.
    public boolean create(String name, byte[] content, int mode) throws LinuxException {
        int wanted = mode & PERMISSIONS;
        int flags = Descriptors.WRITE_ONLY | FileFlags.CREATE | FileFlags.EXCLUSIVE | FileFlags.CLOEXEC;
        long opened = Call.OPENAT.on(descriptor, name, flags, wanted);
        if (opened == -LinuxException.EEXIST) {
            return false;
        }
        int file = (int) Call.checked(opened, "create", name);
        try {
            if (FileFlags.isMasked(wanted)) {
                Call.checked(Call.FCHMOD.on(file, wanted, 0), "set the mode of", name);
            }
            if (content.length > 0) {
                Descriptors.write(file, content);
            }
        } catch (LinuxException e) {
            delete(name); // half a file helps nobody
            throw e;
        } finally {
            Descriptors.close(file);
        }
        return true;
    }

    /// Makes a symbolic link. False when something is there already.
    public boolean link(String name, String target) throws LinuxException {
        try (var arena = Arena.ofConfined()) {
            long result = Call.SYMLINKAT.raw(
                    arena,
                    arena.allocateFrom(target).address(),
                    descriptor,
                    arena.allocateFrom(name).address(),
                    0,
                    0);
            return result != -LinuxException.EEXIST && Call.checked(result, "link", name) == 0;
        }
    }

    /// Where a link leads; empty when there is none.
    public Optional<String> target(String name) throws LinuxException {
        try (var arena = Arena.ofConfined()) {
            var text = arena.allocate(LONGEST_LINK);
            var path = arena.allocateFrom(name);
            long length = Call.READLINKAT.raw(arena, descriptor, path.address(), text.address(), text.byteSize(), 0);
            if (length == -LinuxException.EINVAL || isMissing(length)) {
                return Optional.empty();
            }
            Call.checked(length, "read the link", name);
            return Optional.of(
                    new String(text.asSlice(0, length).toArray(ValueLayout.JAVA_BYTE), StandardCharsets.UTF_8));
        }
    }

    /// Gives a file of this directory another name in it, at once and in place of what has that name; but never in
    /// place of a link.
    public void rename(String from, String to) throws LinuxException {
        long result = rename(from, to, NO_REPLACE);
        if (result == -LinuxException.EEXIST || result == -LinuxException.EINVAL) {
            if (target(to).isPresent()) {
                throw new LinuxException("rename to " + to, LinuxException.ELOOP);
            }
            result = rename(from, to, 0);
        }
        Call.checked(result, "rename to", to);
    }

    private long rename(String from, String to, int flags) {
        try (var arena = Arena.ofConfined()) {
            return Call.RENAMEAT2.raw(
                    arena,
                    descriptor,
                    arena.allocateFrom(from).address(),
                    descriptor,
                    arena.allocateFrom(to).address(),
                    flags);
        }
    }

    /// That nothing is there is fine.
    public void delete(String name) throws LinuxException {
        long result = Call.UNLINKAT.on(descriptor, name, 0, 0);
        if (result != -LinuxException.ENOENT) {
            Call.checked(result, "delete", name);
        }
    }

    /// Whether no such directory is there any more; false when it is not empty, or in use.
    public boolean removeEmpty(String name) {
        long result = Call.UNLINKAT.on(descriptor, name, FileTree.REMOVE_DIRECTORY, 0);
        return result == 0 || result == -LinuxException.ENOENT;
    }

    /// A mark of overlayfs that what lower layers have of this name is not there. Anybody may make this one device.
    public void makeWhiteout(String name) throws LinuxException {
        Call.checked(Call.MKNODAT.on(descriptor, name, CHARACTER_DEVICE, 0), "take away", name);
    }

    /// Waits until all that was written to this file system is on the disk.
    public void sync() throws LinuxException {
        int readable = Descriptors.open(self(), 0, 0);
        try {
            Call.checked(Call.SYNCFS.on(readable, 0, 0), "write to the disk", self().toString());
        } finally {
            Descriptors.close(readable);
        }
    }

    /// Of this directory itself.
    public void setMode(int mode) throws LinuxException {
        // Whoever has opened no more than the place of a file can change it by this name alone.
        var self = "/proc/self/fd/" + descriptor;
        Call.checked(Call.FCHMODAT.on(FileFlags.HERE, self, mode & MODE, 0), "set the mode of", self);
    }

    @Override
    public void close() {
        Descriptors.close(descriptor);
    }
}

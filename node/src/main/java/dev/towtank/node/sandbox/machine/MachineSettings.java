package dev.towtank.node.sandbox.machine;

import dev.towtank.node.linux.FileTree;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.zip.CRC32C;

/// A copy of those parts of `/etc` that programs need: one mount for each container instead of one for each of them,
/// and
/// nothing else of `/etc` is anywhere near. Packages come and go while a server runs, so there is another copy whenever
/// something has changed.
public final class MachineSettings {

    public static final String PLACE = "/.settings";

    private static final String NAME = "settings-";
    private static final List<String> NEEDED = List.of(
            "ld.so.cache",
            "alternatives",
            "ssl",
            "pki",
            "maven",
            "perl",
            "containers", // without its policy skopeo copies nothing
            "protocols",
            "services",
            "mime.types");

    /// Older copies that are left: containers that run have them mounted.
    private static final int KEPT = 8;

    /// @param directory which stays as it is
    /// @param names of what is in it
    public record Copy(Path directory, List<String> names) {
        public Copy {
            names = List.copyOf(names);
        }
    }

    /// @param changes when the settings, and the directories in them, were changed last
    private record Taken(Copy copy, List<Path> settings, Map<Path, FileTime> changes) {}

    private final Path etc;
    private final Path kept;
    private Optional<Taken> newest = Optional.empty();

    /// @param kept where several servers may do so at the same time
    public MachineSettings(Path kept) {
        this(Path.of("/etc"), kept);
    }

    MachineSettings(Path etc, Path kept) {
        this.etc = etc;
        this.kept = kept;
    }

    /// What the machine has now.
    public synchronized Copy current() throws IOException {
        var settings = look();
        var before = newest.filter(taken -> taken.settings().equals(settings) && isUnchanged(taken.changes()));
        if (before.isEmpty()) {
            newest = Optional.of(take(settings));
        }
        return newest.orElseThrow().copy();
    }

    private List<Path> look() throws IOException {
        var found = new ArrayList<Path>();
        for (var name : NEEDED) {
            var path = etc.resolve(name);
            if (Files.isReadable(path)) {
                found.add(path);
            }
        }
        try (var java = Files.newDirectoryStream(etc, "java-*")) {
            java.forEach(found::add); // where Debian keeps the settings of its JDKs
        }
        return found;
    }

    /// Packages put files beside the old ones and rename them, which changes the directory.
    private static boolean isUnchanged(Map<Path, FileTime> changes) {
        return changes.entrySet().stream().allMatch(change -> {
            try {
                return Files.getLastModifiedTime(change.getKey()).equals(change.getValue());
            } catch (IOException e) {
                return false;
            }
        });
    }

    private Taken take(List<Path> settings) throws IOException {
        // Looked at before the copy, so that a change during it is noticed by the next one.
        var changes = new HashMap<Path, FileTime>();
        for (var setting : settings) {
            changes.put(setting, Files.getLastModifiedTime(setting));
            Files.walkFileTree(setting.toRealPath(), new Visitor() {
                @Override
                public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
                    changes.put(directory, attributes.lastModifiedTime());
                    return FileVisitResult.CONTINUE;
                }
            });
        }
        var names = settings.stream().map(each -> each.getFileName().toString()).toList();
        try (var file = FileChannel.open(
                        kept.resolve("settings.lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                var _ = file.lock()) {
            return new Taken(new Copy(copy(settings), names), settings, changes);
        }
    }

    private Path copy(List<Path> settings) throws IOException {
        var target = kept.resolve(NAME + fingerprint(settings));
        if (!Files.isDirectory(target)) {
            var fresh = Files.createTempDirectory(kept, "unfinished");
            for (var setting : settings) {
                copyTree(setting, fresh.resolve(setting.getFileName()));
            }
            Files.setPosixFilePermissions(fresh, PosixFilePermissions.fromString("rwxr-xr-x"));
            Files.move(fresh, target, StandardCopyOption.ATOMIC_MOVE);
            removeOld(target);
        }
        return target;
    }

    private void removeOld(Path target) throws IOException {
        try (var entries = Files.list(kept)) {
            var old = entries.filter(path -> path.getFileName().toString().startsWith(NAME))
                    .filter(path -> !path.equals(target))
                    .sorted(Comparator.comparingLong(
                                    (Path path) -> path.toFile().lastModified())
                            .reversed())
                    .skip(KEPT)
                    .toList();
            for (var each : old) {
                FileTree.delete(each);
            }
        }
    }

    /// What others may not read, or have just removed, is not for containers.
    private abstract static class Visitor extends SimpleFileVisitor<Path> {
        @Override
        public FileVisitResult visitFileFailed(Path file, IOException problem) {
            return FileVisitResult.CONTINUE;
        }
    }

    /// Another one when a file has come, gone or changed.
    private static String fingerprint(List<Path> settings) throws IOException {
        var print = new CRC32C();
        for (var setting : settings) {
            Files.walkFileTree(setting.toRealPath(), new Visitor() {
                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                    var seen = file + " " + attributes.lastModifiedTime().toMillis() + " " + attributes.size();
                    print.update(seen.getBytes(StandardCharsets.UTF_8));
                    return FileVisitResult.CONTINUE;
                }
            });
        }
        return Long.toHexString(print.getValue());
    }

    private static void copyTree(Path from, Path to) throws IOException {
        Files.walkFileTree(from.toRealPath(), new Visitor() {
            private final Path root = from.toRealPath();

            @Override
            public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes)
                    throws IOException {
                if (!Files.isReadable(directory) || !Files.isExecutable(directory) || isPrivate(directory)) {
                    return FileVisitResult.SKIP_SUBTREE;
                }
                Files.createDirectories(to.resolve(root.relativize(directory).toString()));
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                try {
                    if (attributes.isSymbolicLink() || (Files.isReadable(file) && !isPrivate(file))) {
                        var place = to.resolve(root.relativize(file).toString());
                        Files.copy(file, file.equals(root) ? to : place, LinkOption.NOFOLLOW_LINKS);
                    }
                } catch (NoSuchFileException e) {
                    // A package manager at work; that its directory has changed is noticed next time.
                }
                return FileVisitResult.CONTINUE;
            }
        });
    }

    /// What not everybody on this machine may read, like `/etc/ssl/private`.
    private static boolean isPrivate(Path path) throws IOException {
        return !Files.getPosixFilePermissions(path).contains(PosixFilePermission.OTHERS_READ);
    }
}

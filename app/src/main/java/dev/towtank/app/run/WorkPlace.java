package dev.towtank.app.run;

import dev.towtank.app.run.input.BadInput;
import dev.towtank.app.run.input.WorkspaceVolume;
import dev.towtank.node.volumes.Directories;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.CopyOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;

/// The directory that a run works in, for as long as it does.
final class WorkPlace implements AutoCloseable {

    private static final System.Logger LOG = System.getLogger(WorkPlace.class.getName());
    private static final long MOST_FILES = 200_000;
    private static final long MOST_BYTES = 8L << 30;
    private static final CopyOption[] COPY = {
        StandardCopyOption.COPY_ATTRIBUTES, LinkOption.NOFOLLOW_LINKS, StandardCopyOption.REPLACE_EXISTING
    };

    private final Path root;
    private Optional<Path> kept = Optional.empty();

    private WorkPlace(Path root) {
        this.root = root;
    }

    /// @param parent where it can be moved away from later; otherwise among temporary files
    static WorkPlace make(Optional<Path> parent) throws IOException {
        if (parent.isEmpty()) {
            return new WorkPlace(Files.createTempDirectory("towtank-run-"));
        }
        Files.createDirectories(parent.get());
        return new WorkPlace(Files.createTempDirectory(parent.get(), ".run-"));
    }

    /// The engine's data go there when the engine has ended.
    void keepEngine(Path target) {
        kept = Optional.of(target);
    }

    Path engine() {
        return root.resolve("engine");
    }

    Path volumes() {
        return root.resolve("volumes");
    }

    /// Makes the directories of volumes, with copies of what is to be in them.
    void fill(List<WorkspaceVolume> volumes) throws IOException {
        for (var volume : volumes) {
            if (volume.writable()) {
                continue;
            }
            var directory = Files.createDirectories(volume.directory(volumes()));
            if (volume.source().isPresent()) {
                copy(volume.source().get(), directory, volume.workspace());
            }
            Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxrwxrwx"));
        }
    }

    private static void copy(Path from, Path to, String workspace) throws IOException {
        Files.walkFileTree(from, new SimpleFileVisitor<>() {
            private long files;
            private long bytes;

            @Override
            public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes)
                    throws IOException {
                var target = to.resolve(from.relativize(directory).toString());
                if (!target.equals(to)) {
                    Files.copy(directory, target, COPY);
                }
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                files++;
                bytes += attributes.size();
                if (files > MOST_FILES || bytes > MOST_BYTES) {
                    throw new BadInput("--workspace " + workspace + "=" + from + ": the directory is too large to be"
                            + " copied. Let the run work in it with --workspace " + workspace + "=" + from + ":rw.");
                }
                if (!attributes.isOther()) {
                    Files.copy(file, to.resolve(from.relativize(file).toString()), COPY);
                }
                return FileVisitResult.CONTINUE;
            }
        });
    }

    /// Saves the files of volumes, for a run that goes on from this one.
    void keep(List<WorkspaceVolume> volumes, Path target) throws IOException {
        for (var volume : volumes) {
            if (!volume.writable()) {
                var directory = Files.createDirectories(target.resolve(volume.claim()));
                copy(volume.directory(volumes()), directory, volume.workspace());
            }
        }
    }

    @Override
    public void close() {
        try {
            if (kept.isPresent()) {
                Files.move(engine(), kept.get());
            }
            Directories.deleteAll(root);
        } catch (IOException e) {
            LOG.log(Level.WARNING, "files of the run are left in {0}: {1}", root, e);
        }
    }
}

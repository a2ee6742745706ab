package dev.towtank.app.run;

import dev.towtank.apiserver.pki.PrivateFile;
import dev.towtank.apiserver.store.DirectoryLock;
import dev.towtank.app.run.history.RunDirectory;
import dev.towtank.app.run.input.BadInput;
import dev.towtank.app.run.input.WorkspaceVolume;
import dev.towtank.node.volumes.Directories;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.AccessDeniedException;
import java.nio.file.CopyOption;
import java.nio.file.FileSystemException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The directory that a run works in, for as long as it does.
final class WorkPlace implements AutoCloseable {

    private static final System.Logger LOG = System.getLogger(WorkPlace.class.getName());
    private static final long MOST_FILES = 200_000;
    private static final long MOST_BYTES = 8L << 30;
    private static final String REMEMBERED = "remembered";
    private static final CopyOption[] COPY = {
        StandardCopyOption.COPY_ATTRIBUTES, LinkOption.NOFOLLOW_LINKS, StandardCopyOption.REPLACE_EXISTING
    };

    private final Path root;
    private final Path entry;
    private final DirectoryLock lock;
    private Optional<Path> kept = Optional.empty();

    private WorkPlace(Path root, Path entry) {
        this.root = root;
        this.entry = entry;
        this.lock = DirectoryLock.acquire(root, "a run");
    }

    /// @param parent where it can be moved away from later; otherwise among temporary files
    /// @param running a directory that knows of all places, so that one that is left is found again
    static WorkPlace make(Optional<Path> parent, Path running) throws IOException {
        try {
            PrivateFile.makeDirectory(running);
        } catch (IOException e) {
            throw new BadInput("Cannot make the directory " + running + " for what runs keep: " + reason(e)
                    + ". Choose one that this user may write to, with --data DIR or in XDG_STATE_HOME.");
        }
        var root = parent.isEmpty()
                ? Files.createTempDirectory("towtank-run-")
                : Files.createTempDirectory(parent.get(), ".run-");
        return new WorkPlace(root, Files.createSymbolicLink(entry(root, running), root));
    }

    private static String reason(IOException problem) {
        return switch (problem) {
            case AccessDeniedException _ -> "this user may not write there";
            case NoSuchFileException missing -> missing.getFile() + " cannot be made there";
            case FileSystemException failed when failed.getReason() != null -> failed.getReason();
            default -> String.valueOf(problem.getMessage());
        };
    }

    /// Of a run that was killed.
    ///
    /// @throws DirectoryLock.Taken it was not
    static WorkPlace takeOver(Path root, Path running) {
        return new WorkPlace(root, entry(root, running));
    }

    private static Path entry(Path root, Path running) {
        return running.resolve(root.getFileName());
    }

    static List<Path> all(Path running) throws IOException {
        var places = new ArrayList<Path>();
        if (Files.isDirectory(running)) {
            try (var entries = Files.newDirectoryStream(running)) {
                for (var entry : entries) {
                    var place = Files.readSymbolicLink(entry);
                    if (Files.isDirectory(place)) {
                        places.add(place);
                    } else {
                        Files.deleteIfExists(entry); // removed by somebody who tidies up temporary files
                    }
                }
            }
        }
        return places;
    }

    /// Where the run is remembered when it has ended.
    void remember(RunDirectory directory) throws IOException {
        Files.createSymbolicLink(root.resolve(REMEMBERED), directory.path());
    }

    /// Removes what is remembered of a run that has not ended.
    ///
    /// @return its name
    Optional<String> forgetRun() throws IOException {
        var link = root.resolve(REMEMBERED);
        if (!Files.isSymbolicLink(link)) {
            return Optional.empty();
        }
        var directory = new RunDirectory(Files.readSymbolicLink(link));
        if (!Files.exists(directory.summary())) {
            Directories.deleteAll(directory.path());
        }
        return Optional.of(directory.id());
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
            Files.deleteIfExists(entry);
        } catch (IOException e) {
            LOG.log(Level.WARNING, "files of the run are left in {0}: {1}", root, e);
        } finally {
            lock.close();
        }
    }
}

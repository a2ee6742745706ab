package dev.towtank.app.run.history;

import dev.towtank.apiserver.pki.PrivateFile;
import dev.towtank.app.run.input.BadInput;
import dev.towtank.model.Json;
import dev.towtank.node.volumes.Directories;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/// The last runs of this user, the newest first.
public final class RunHistory {

    private static final int KEPT = 20;
    private static final int SAME_NAME = 10_000;

    private final Path root;

    public RunHistory(Path root) {
        this.root = root;
    }

    /// In the place where the XDG rules want the state of a program: where runs are whose command names no other.
    public static RunHistory of(Map<String, String> environment) {
        var state = Path.of(environment.getOrDefault("XDG_STATE_HOME", ""));
        var home = Path.of(environment.getOrDefault("HOME", System.getProperty("user.home")));
        var base = state.isAbsolute() ? state : home.resolve(".local").resolve("state");
        return new RunHistory(base.resolve("towtank").resolve("runs"));
    }

    public Path root() {
        return root;
    }

    /// What engines of runs share, as it takes a while to make: keys, and what sandboxes need of this machine.
    public Path shared() {
        return root.resolve(".shared");
    }

    /// Links to where runs work that have not ended.
    public Path running() {
        return root.resolve(".running");
    }

    /// A directory for a new run of this name.
    public RunDirectory begin(String name) throws IOException {
        PrivateFile.makeDirectory(root);
        var ownerOnly = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
        for (int number = 1; number < SAME_NAME; number++) {
            try {
                var made = Files.createDirectory(root.resolve(number == 1 ? name : name + "-" + number), ownerOnly);
                return new RunDirectory(made);
            } catch (FileAlreadyExistsException e) {
                // another run of that name
            }
        }
        throw new IOException("too many runs named " + name + " in " + root);
    }

    /// Removes the oldest, so that a few are left.
    public void prune() throws IOException {
        var all = all();
        for (var old : all.subList(Math.min(KEPT, all.size()), all.size())) {
            Directories.deleteAll(old.path());
        }
    }

    public void remove(RunDirectory run) throws IOException {
        Directories.deleteAll(run.path());
    }

    /// The newest first; unfinished ones are not among them.
    public List<RunDirectory> all() throws IOException {
        if (!Files.isDirectory(root)) {
            return List.of();
        }
        try (var entries = Files.list(root)) {
            return entries.map(RunDirectory::new)
                    .filter(run -> Files.isRegularFile(run.summary()))
                    .sorted(Comparator.comparing(RunHistory::finished).reversed())
                    .toList();
        }
    }

    public Optional<RunDirectory> newest() throws IOException {
        return all().stream().findFirst();
    }

    private static FileTime finished(RunDirectory run) {
        try {
            return Files.getLastModifiedTime(run.summary());
        } catch (IOException e) {
            return FileTime.fromMillis(0);
        }
    }

    /// What is remembered of a run that a server has.
    ///
    /// @param run a PipelineRun or TaskRun, or a TaskRun of a PipelineRun
    public Optional<KeptRun> recordOf(Json.Obj run) throws IOException {
        var pipelineRun = run.objects("metadata", "ownerReferences").stream()
                .filter(owner -> owner.string("kind").equals("PipelineRun"))
                .findFirst()
                .orElse(run.object("metadata"));
        var name = pipelineRun.string("name");
        for (var directory : all()) {
            if ((directory.id() + "-").startsWith(name + "-")) {
                var record = record(directory);
                if (record.filter(each -> each.isOf(pipelineRun.string("uid"))).isPresent()) {
                    return record;
                }
            }
        }
        return Optional.empty();
    }

    private static Optional<KeptRun> record(RunDirectory directory) {
        try {
            return Optional.of(new KeptRun(directory));
        } catch (BadInput e) {
            // Of another version, or half removed.
            return Optional.empty();
        }
    }

    /// @param id of a run, or `last`
    /// @throws BadInput there is none such
    public RunDirectory find(String id) {
        try {
            var all = all();
            if (id.equals("last") && !all.isEmpty()) {
                return all.getFirst();
            }
            return all.stream()
                    .filter(run -> run.id().equals(id))
                    .findFirst()
                    .orElseThrow(() -> new BadInput("There is no run " + id + ". "
                            + (all.isEmpty()
                                    ? "No run is remembered yet."
                                    : "Remembered are: "
                                            + all.stream().map(RunDirectory::id).collect(Collectors.joining(", "))
                                            + ".")));
        } catch (IOException e) {
            throw new BadInput(root + " cannot be read: " + e.getMessage());
        }
    }
}

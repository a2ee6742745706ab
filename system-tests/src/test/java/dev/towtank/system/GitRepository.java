package dev.towtank.system;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// A git repository on this machine that a test commits to.
record GitRepository(Path directory) {

    static GitRepository in(Path parent) {
        try {
            var repository = new GitRepository(Files.createTempDirectory(parent, "repository"));
            repository.initialise();
            return repository;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void initialise() {
        git("init", "--quiet", "--initial-branch=main");
    }

    String url() {
        return "file://" + directory;
    }

    private String git(String... arguments) {
        var command = new ArrayList<>(List.of(
                "git", "-C", directory.toString(), "-c", "user.name=test", "-c", "user.email=test@example.com"));
        command.addAll(List.of(arguments));
        var outcome = Program.run(command);
        if (outcome.exit() != 0) {
            throw new AssertionError(String.join(" ", command) + "\n" + outcome.out() + outcome.err());
        }
        return outcome.out().strip();
    }

    GitRepository with(String file, String content) {
        try {
            var path = directory.resolve(file);
            Files.createDirectories(path.getParent());
            Files.writeString(path, content);
            return this;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    GitRepository without(String file) {
        try {
            Files.delete(directory.resolve(file));
            return this;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// All that changed, as a commit.
    String commit() {
        git("add", "--all");
        git("commit", "--quiet", "--allow-empty", "--message=change");
        return git("rev-parse", "HEAD");
    }

    void tag(String name) {
        git("tag", name);
    }
}

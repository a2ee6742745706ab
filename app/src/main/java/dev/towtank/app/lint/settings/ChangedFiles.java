package dev.towtank.app.lint.settings;

import dev.towtank.app.lint.finding.Report;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/// The files of a git repository that differ from a revision, with those that git does not know yet.
///
/// @param files absolute
public record ChangedFiles(Set<Path> files) {

    private static final int PATIENCE_SECONDS = 60;
    private static final int LARGEST = 16 * 1024 * 1024;

    public ChangedFiles {
        files = Set.copyOf(files);
    }

    /// git could not tell; the message is its own.
    public static final class Unknown extends Exception {
        private static final long serialVersionUID = 1;

        Unknown(String message) {
            super(message);
        }
    }

    /// @param directory somewhere in the repository
    /// @param revision what `git diff` takes: a branch, a tag, a commit, `HEAD~3`
    public static ChangedFiles since(Path directory, String revision) throws Unknown {
        if (revision.isBlank() || revision.startsWith("-")) {
            throw new Unknown("\"" + revision + "\" is no revision");
        }
        var top = Path.of(git(directory, "rev-parse", "--show-toplevel").strip());
        var files = new HashSet<Path>();
        for (var output : List.of(
                git(top, "diff", "--name-only", "-z", "--no-ext-diff", "--end-of-options", revision, "--"),
                git(top, "ls-files", "--others", "--exclude-standard", "-z"))) {
            for (var name : output.split("\0", -1)) {
                if (!name.isEmpty()) {
                    files.add(top.resolve(name).normalize());
                }
            }
        }
        return new ChangedFiles(files);
    }

    private static String git(Path directory, String... arguments) throws Unknown {
        var builder = new ProcessBuilder("git");
        builder.command().addAll(List.of(arguments));
        try {
            var process = builder.directory(directory.toFile())
                    .redirectInput(Redirect.from(Path.of("/dev/null").toFile()))
                    .start();
            var complaint = new byte[1][];
            var reader = Thread.startVirtualThread(() -> complaint[0] = read(process.getErrorStream()));
            var output = new String(read(process.getInputStream()), StandardCharsets.UTF_8);
            if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new Unknown("git did not answer within " + PATIENCE_SECONDS + " s");
            }
            reader.join();
            if (process.exitValue() != 0) {
                throw new Unknown(new String(complaint[0], StandardCharsets.UTF_8)
                        .lines()
                        .findFirst()
                        .orElse("git ended with " + process.exitValue()));
            }
            return output;
        } catch (IOException | UncheckedIOException e) {
            throw new Unknown("git cannot be asked: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Unknown("interrupted");
        }
    }

    private static byte[] read(InputStream in) {
        try {
            return in.readNBytes(LARGEST);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// What is about these files. All the others were looked at as well, for what they define.
    public Report only(Report report) {
        return report.with(report.findings().stream()
                .filter(finding -> files.contains(real(finding.place().file())))
                .toList());
    }

    private static Path real(String file) {
        try {
            return Path.of(file).toRealPath();
        } catch (IOException e) {
            return Path.of(file).toAbsolutePath().normalize();
        }
    }
}

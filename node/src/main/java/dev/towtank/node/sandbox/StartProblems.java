package dev.towtank.node.sandbox;

import dev.towtank.node.images.Image;
import dev.towtank.node.linux.OpenDirectory;
import dev.towtank.node.linux.ReadFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;
import java.util.regex.Pattern;

/// Says in the words of other container engines why a command was not started.
final class StartProblems {

    private static final Pattern EXEC = Pattern.compile("execvp (.*): ([^:]+)", Pattern.DOTALL);
    private static final Pattern DIRECTORY = Pattern.compile("Can't (?:chdir to|mkdir) (.*): ([^:]+)", Pattern.DOTALL);

    private StartProblems() {}

    /// @param said what bubblewrap said
    static Exit.NotStarted of(Optional<ContainerSpec> spec, String said, Instant at) {
        var exec = EXEC.matcher(said);
        if (exec.matches()) {
            return notExecuted(spec, exec.group(1), exec.group(2), at);
        }
        var directory = DIRECTORY.matcher(said);
        if (directory.matches()) {
            var problem = "mkdir %s: %s".formatted(directory.group(1), lower(directory.group(2)));
            return new Exit.NotStarted("StartError", 128, problem, at);
        }
        return new Exit.NotStarted("StartError", 128, said.isEmpty() ? "the sandbox gave no reason" : said, at);
    }

    private static Exit.NotStarted notExecuted(Optional<ContainerSpec> spec, String file, String error, Instant at) {
        boolean absent = error.startsWith("No such file");
        if (absent && file.indexOf('/') < 0) {
            return problem(127, "exec: \"%s\": executable file not found in $PATH".formatted(file), at);
        }
        if (absent) {
            return spec.flatMap(it -> interpreter(it, file))
                    .map(name -> problem(
                            127,
                            "exec %s: no such file or directory (it is there, but its interpreter %s is not)"
                                    .formatted(file, name),
                            at))
                    .orElseGet(() ->
                            problem(127, "exec: \"%s\": stat %s: no such file or directory".formatted(file, file), at));
        }
        return problem(126, "exec: \"%s\": %s".formatted(file, lower(error)), at);
    }

    private static Exit.NotStarted problem(int code, String text, Instant at) {
        return new Exit.NotStarted("StartError", code, text, at);
    }

    private static String lower(String text) {
        return text.isEmpty() ? text : Character.toLowerCase(text.charAt(0)) + text.substring(1);
    }

    /// What a script's first line asks for, if the script exists.
    private static Optional<String> interpreter(ContainerSpec spec, String file) {
        try {
            var opened = open(spec, Path.of(file).normalize());
            if (opened.isEmpty()) {
                return Optional.empty();
            }
            try (var script = opened.get()) {
                return script.isRegular() ? Optional.of(interpreter(script.bytes(256))) : Optional.empty();
            }
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private static String interpreter(byte[] start) {
        var first = new String(start, StandardCharsets.ISO_8859_1)
                .lines()
                .findFirst()
                .orElse("");
        return first.startsWith("#!") ? first.substring(2).strip().split(" ", 2)[0] : "or loader";
    }

    /// Through no link that a container may have made: else this would tell of the machine's own files.
    private static Optional<ReadFile> open(ContainerSpec spec, Path file) throws IOException {
        var mount = spec.view().mounts().stream()
                .filter(it -> file.startsWith(it.target()))
                .max(Comparator.comparingInt(it -> Path.of(it.target()).getNameCount()));
        if (mount.isEmpty()) {
            var path = onHost(spec, file);
            return path.isEmpty() ? Optional.empty() : ReadFile.open(path.get().toString());
        }
        var rest = Path.of(mount.get().inside())
                .resolve(Path.of(mount.get().target()).relativize(file))
                .toString();
        if (rest.isEmpty()) {
            return ReadFile.open(mount.get().volume().toString());
        }
        try (var volume = OpenDirectory.of(mount.get().volume())) {
            return volume.read(rest);
        }
    }

    private static Optional<Path> onHost(ContainerSpec spec, Path file) throws IOException {
        return switch (spec.command().image().root()) {
            case Image.Root.Host() ->
                file.startsWith("/usr") || file.startsWith("/bin") ? Optional.of(file) : Optional.empty();
            case Image.Root.Directory(var root) ->
                Optional.of(root.resolve(file.toString().substring(1)));
            case Image.Root.Layers(var files, var _) -> files.file(file);
            case Image.Root.Engine() -> Optional.empty();
        };
    }
}

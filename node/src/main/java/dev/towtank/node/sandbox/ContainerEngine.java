package dev.towtank.node.sandbox;

import dev.towtank.node.linux.Descriptors;
import dev.towtank.node.linux.Processes;
import dev.towtank.node.linux.Spawn;
import dev.towtank.node.sandbox.machine.MachineView;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;

/// A container engine of this machine, by its command line, which podman and docker share.
///
/// @param name as users say it
/// @param program an absolute path
/// @param scratch a directory for what its commands print
/// @param surroundings the variables of the server that the engine itself lives by
record ContainerEngine(String name, Path program, Path scratch, Map<String, String> surroundings) {

    private static final List<String> ITS_OWN = List.of(
            "PATH", "HOME", "USER", "XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS", "DOCKER_HOST", "CONTAINER_HOST");
    private static final int LONGEST = 1 << 20;
    private static final Pattern ERROR = Pattern.compile("^Error(?: response from daemon)?: ");

    static ContainerEngine find(String name, Path scratch) throws IOException {
        var program = MachineView.program(name)
                .orElseThrow(
                        () -> new IOException("the program " + name + " is missing. Install it with 'apt-get install "
                                + (name.equals("docker") ? "docker.io" : name) + "'."));
        return of(name, program, scratch);
    }

    static ContainerEngine of(String name, Path program, Path scratch) {
        var surroundings = new TreeMap<String, String>();
        for (var variable : ITS_OWN) {
            Optional.ofNullable(System.getenv(variable)).ifPresent(value -> surroundings.put(variable, value));
        }
        return new ContainerEngine(name, program, scratch, surroundings);
    }

    /// @param out what it printed
    /// @param problem what it complained about, without the word Error before it
    record Said(int code, String out, String problem) {}

    /// Runs a command of the engine to its end.
    Said run(String... arguments) throws IOException {
        var out = Files.createTempFile(scratch, "engine", ".out");
        var err = Files.createTempFile(scratch, "engine", ".err");
        try (var opened = new Opened()) {
            int none = opened.add(Descriptors.open(Path.of("/dev/null"), Descriptors.READ_WRITE, 0));
            int stdout = opened.add(Descriptors.open(out, Descriptors.READ_WRITE, 0));
            int stderr = opened.add(Descriptors.open(err, Descriptors.READ_WRITE, 0));
            var line = new ArrayList<>(List.of(name));
            line.addAll(List.of(arguments));
            int pid = Spawn.start(new Spawn.Program(
                    program,
                    line,
                    variables(),
                    List.of(none, stdout, stderr),
                    Optional.empty(),
                    Optional.of(Path.of("/"))));
            int code = Processes.await(pid).orElse(255);
            return new Said(code, text(out), problem(text(err)));
        } finally {
            Files.delete(out);
            Files.delete(err);
        }
    }

    List<String> variables() {
        return surroundings.entrySet().stream()
                .map(each -> each.getKey() + "=" + each.getValue())
                .toList();
    }

    private static String text(Path file) throws IOException {
        return Files.size(file) > LONGEST ? "" : Files.readString(file).strip();
    }

    /// The last thing it said: before come reports of progress.
    static String problem(String said) {
        var last = said.lines().filter(line -> !line.isBlank()).reduce("", (_, line) -> line);
        return ERROR.matcher(last).replaceFirst("");
    }
}

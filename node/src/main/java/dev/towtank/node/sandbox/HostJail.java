package dev.towtank.node.sandbox;

import dev.towtank.node.images.Image;
import dev.towtank.node.linux.Processes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/// No fence at all: plain processes with the server's own rights, for machines where nothing else works.
/// Mounts are not at their places, every container sees everything.
final class HostJail implements Jail {

    private static final String SCRIPT = """
            read -r release <&3 || exit 125
            exec 3<&-
            cd "$1" 2>/dev/null || { echo "unsafe: Can't chdir to $1: No such file or directory" >&2; exit 1; }
            command -v -- "$2" >/dev/null || { echo "unsafe: execvp $2: No such file or directory" >&2; exit 1; }
            shift
            "$@" 4>&- 5>&- <&0 &
            echo "{ \\"child-pid\\": $! }" >&4
            echo "{ \\"child-pid\\": $! }" >&5
            exec 4>&-
            wait $!
            code=$?
            echo "{ \\"exit-code\\": $code }" >&5
            exit $code
            """;

    private final Path shell;

    HostJail(Path shell) {
        this.shell = shell;
    }

    @Override
    public Prepared prepare(ContainerSpec spec, OptionalInt gate, OptionalInt terminal) throws IOException {
        if (!(spec.command().image().root() instanceof Image.Root.Host)) {
            throw new IOException(
                    "image " + spec.command().image().name() + " has a root of its own, which needs the sandbox");
        }
        if (spec.view().network() instanceof ContainerSpec.Network.None) {
            throw new IOException("a container without network needs the sandbox");
        }
        var directory = Files.isDirectory(Path.of(spec.command().workingDirectory()))
                ? spec.command().workingDirectory()
                : "/";
        var line = new ArrayList<>(List.of("sh", "-c", SCRIPT, "sh", directory.isEmpty() ? "/" : directory));
        line.addAll(spec.command().arguments());
        return new Prepared(shell, line, texts(Settings.variables(spec, User.of(spec))), List.of(), List.of());
    }

    private static List<String> texts(Map<String, String> variables) {
        return variables.entrySet().stream()
                .map(variable -> variable.getKey() + "=" + variable.getValue())
                .toList();
    }

    @Override
    public byte[] release() {
        return new byte[] {'\n'};
    }

    @Override
    public String voice() {
        return "unsafe: ";
    }

    @Override
    public Exit.NotStarted explain(Optional<ContainerSpec> spec, String said, Instant at) {
        return StartProblems.of(spec, said.startsWith(voice()) ? said.substring(voice().length()) : said, at);
    }

    @Override
    public Prepared enter(String id, int pid, User user, ExecSpec command) {
        var directory = command.workingDirectory().isEmpty() ? "/" : command.workingDirectory();
        var start = command.tty() ? "exec setsid --ctty --wait" : "exec";
        var line = new ArrayList<>(List.of("sh", "-c", "cd \"$1\" && shift && " + start + " \"$@\"", "sh", directory));
        line.addAll(command.arguments());
        return new Prepared(shell, line, texts(command.environment()), List.of(), List.of());
    }

    /// Nobody holds it: such a container ends with the server.
    @Override
    public int terminalNumber(Prepared prepared, boolean gated) {
        return -1;
    }

    @Override
    public boolean begun(int process) {
        return true;
    }

    @Override
    public boolean endsWithItsCommand() {
        return false;
    }

    /// Whoever is still in the session that the monitor led.
    @Override
    public OptionalInt leftover(int monitor, String status) {
        try (var processes = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
            for (var process : processes) {
                int pid = Integer.parseInt(process.getFileName().toString());
                if (pid != monitor && Processes.session(pid).orElse(-1) == monitor) {
                    return OptionalInt.of(pid);
                }
            }
        } catch (IOException e) {
            return OptionalInt.empty();
        }
        return OptionalInt.empty();
    }

    @Override
    public Abilities abilities(Cgroups cgroups) {
        return new Abilities(
                false,
                Abilities.LimitsBy.NOBODY,
                Abilities.LimitsBy.NOBODY,
                Abilities.LimitsBy.NOBODY,
                List.of(
                        "Containers are plain processes of this machine with all rights of the server's user.",
                        "Volumes are not at their mount paths.",
                        "Users, hosts files, host names, read-only roots and limits have no effect."));
    }
}

package dev.towtank.node.sandbox;

import dev.towtank.node.images.Image;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.regex.Pattern;

/// Leaves the fence to a container engine, and the image with it. The monitor is a shell that has the engine make the
/// container and stays with the engine's client until the end.
final class EngineJail implements Jail {

    /// Its arguments: the engine, a name, whether there is an input, a file to delete, options of the client, and
    /// how to make the container.
    ///
    /// Who kills the client means the container, which does not hear of it.
    private static final String SCRIPT = """
            read -r release <&3 || exit 125
            exec 3<&-
            engine=$1 name=$2 input=$3 file=$4 quiet=$5
            shift 5
            said=$("$engine" create --name "$name" "$@" 4>&- 5>&- </dev/null 2>&1) || {
                rm -f "$file"
                echo "$said" | tail -n 1 >&2
                exit 1
            }
            rm -f "$file"
            "$engine" $quiet start --attach $input "$name" 4>&- 5>&- <&0 &
            client=$!
            echo "{ \\"child-pid\\": $client }" >&4
            echo "{ \\"child-pid\\": $client }" >&5
            exec 4>&-
            wait $client
            code=$?
            end() { "$engine" rm --force --volumes "$name" >/dev/null 2>&1 </dev/null 5>&-; }
            if [ $code -eq 137 ] && [ "$("$engine" inspect --format '{{.State.Running}}' "$name" </dev/null)" = true ]; then
                end
                echo "{ \\"exit-code\\": 137 }" >&5
                exit
            fi
            state=$("$engine" inspect --format '{{.State.Status}} {{.State.ExitCode}} {{.State.OOMKilled}}' "$name" \\
                </dev/null 2>/dev/null 5>&-)
            end
            set -- $state
            case $1 in
                created | configured | initialized | '') exit 1 ;;
            esac
            echo "{ \\"exit-code\\": $2, \\"out-of-memory\\": $3 }" >&5
            """;

    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

    /// Variables that mean something to the shell, to the engine or to what it is made of: they reach the container
    /// by a file.
    private static final Pattern OBEYED_OUTSIDE = Pattern.compile(
            "PATH|HOME|USER|LOGNAME|SHELL|PWD|OLDPWD|IFS|ENV|BASH.*|SHELLOPTS|PS[0-9]|LD_.*|GLIBC_.*|GO.*|XDG_.*|DBUS_.*"
                    + "|CONTAINER.*|CONTAINERS_.*|DOCKER.*|PODMAN.*|BUILDAH.*|REGISTRY.*|STORAGE.*|TMPDIR|NOTIFY_SOCKET"
                    + "|LISTEN_.*|SSL_.*|TERM|LANG|LC_.*|.*_(PROXY|proxy)|_.*|OPT.*|MAIL.*|PPID|LINENO"
                    + "|engine|name|input|file|quiet|said|client|code|state|release|end");

    private static final long MOST_FILES = 1 << 20;
    private static final long MOST_PROCESSES = 4096;
    private static final Pattern LIMIT = Pattern.compile("(?m)^(Max processes|Max open files) +\\S+ +(\\d+)");

    private final ContainerEngine engine;
    private final Path shell;
    private final List<String> ulimits;

    EngineJail(ContainerEngine engine, Path shell) throws IOException {
        this.engine = engine;
        this.shell = shell;
        this.ulimits = ulimits(Files.readString(Path.of("/proc/self/limits")));
    }

    /// The engine's own are often more than this user may have.
    static List<String> ulimits(String own) {
        var arguments = new ArrayList<String>();
        var matcher = LIMIT.matcher(own);
        while (matcher.find()) {
            boolean files = matcher.group(1).endsWith("files");
            // Engines lower the number of processes that they may have themselves.
            long limit = Math.min(Long.parseLong(matcher.group(2)), files ? MOST_FILES : MOST_PROCESSES);
            arguments.addAll(List.of("--ulimit", (files ? "nofile=" : "nproc=") + limit + ":" + limit));
        }
        return arguments;
    }

    private static String name(String id) {
        return "towtank-" + id;
    }

    @Override
    public Prepared prepare(ContainerSpec spec, OptionalInt gate, OptionalInt terminal) throws IOException {
        if (!(spec.command().image().root() instanceof Image.Root.Engine)) {
            throw new IOException("image " + spec.command().image().name() + " is not one of " + engine.name());
        }
        var variables = variables(spec);
        var file = variableFile(spec, variables);
        var line = new ArrayList<String>();
        if (terminal.isPresent()) {
            line.addAll(List.of("setsid", "--ctty"));
        }
        line.addAll(List.of("sh", "-c", SCRIPT, "sh", engine.program().toString(), name(spec.id())));
        line.add(spec.streams().stdin() || spec.streams().tty() ? "--interactive" : "");
        line.add(file.toString());
        // docker's client logs before it tells why a command was not started, as if the container had said so.
        line.add(engine.name().equals("docker") ? "--log-level=fatal" : "");
        line.addAll(create(spec, variables, file));
        var environment = new ArrayList<>(engine.variables());
        variables.forEach((name, value) -> {
            if (isHarmless(name)) {
                environment.add(name + "=" + value);
            }
        });
        var program = terminal.isPresent() ? Path.of("/usr/bin/setsid") : shell;
        return new Prepared(program, line, environment, List.of(), List.of());
    }

    private static Map<String, String> variables(ContainerSpec spec) {
        var variables = new TreeMap<>(spec.command().environment());
        // The engine knows better where the user of an image lives.
        if (!spec.command().image().user().isEmpty() && "/root".equals(variables.get("HOME"))) {
            variables.remove("HOME");
        }
        return variables;
    }

    private static boolean isHarmless(String name) {
        return NAME.matcher(name).matches() && !OBEYED_OUTSIDE.matcher(name).matches();
    }

    private static Path variableFile(ContainerSpec spec, Map<String, String> variables) throws IOException {
        var text = new StringBuilder();
        for (var each : variables.entrySet()) {
            if (each.getKey().indexOf('\0') >= 0 || each.getValue().indexOf('\0') >= 0) {
                throw new IOException("the environment variable "
                        + each.getKey().replace('\0', '?') + " holds a zero byte, which no process can be given");
            }
            if (!isHarmless(each.getKey())) {
                if (each.getValue().indexOf('\n') >= 0) {
                    throw new IOException("the environment variable " + each.getKey()
                            + " has several lines, which the engine cannot be given under this name");
                }
                text.append(each.getKey()).append('=').append(each.getValue()).append('\n');
            }
        }
        var file = spec.directory().resolve("variables");
        Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        return Files.writeString(file, text);
    }

    private List<String> create(ContainerSpec spec, Map<String, String> variables, Path file) {
        var line = new ArrayList<>(List.of("--pull", "never", "--log-driver", "none", "--network"));
        line.add(spec.view().network() instanceof ContainerSpec.Network.Machine ? "host" : "none");
        line.addAll(List.of("--hostname", spec.view().hostname(), "--security-opt", "no-new-privileges"));
        if (spec.bounds().calls() == ContainerSpec.Calls.ALL) {
            line.addAll(List.of("--security-opt", "seccomp=unconfined"));
        }
        line.addAll(ulimits);
        line.addAll(List.of(
                "--pids-limit",
                Long.toString(spec.bounds().limits().processes().orElse(ProcessSandbox.MOST_PROCESSES))));
        spec.bounds().limits().memoryBytes().ifPresent(bytes -> line.addAll(List.of("--memory", bytes + "b")));
        spec.bounds()
                .limits()
                .cpuMillis()
                .ifPresent(cpu -> line.addAll(List.of("--cpus", "%d.%03d".formatted(cpu / 1000, cpu % 1000))));
        user(spec).ifPresent(user -> line.addAll(List.of("--user", user)));
        flags(spec, line);
        if (!spec.command().workingDirectory().isEmpty()) {
            line.addAll(List.of("--workdir", spec.command().workingDirectory()));
        }
        line.addAll(List.of("--env-file", file.toString()));
        variables.keySet().stream().filter(EngineJail::isHarmless).forEach(name -> line.addAll(List.of("--env", name)));
        spec.view().hosts().ifPresent(hosts -> line.addAll(mount(hosts, "/etc/hosts", false)));
        spec.view().mounts().forEach(mount -> line.addAll(mount(mount.source(), mount.target(), mount.readOnly())));
        line.addAll(List.of(
                "--entrypoint",
                spec.command().arguments().getFirst(),
                spec.command().image().name()));
        line.addAll(
                spec.command().arguments().subList(1, spec.command().arguments().size()));
        return line;
    }

    private static void flags(ContainerSpec spec, List<String> line) {
        if (spec.view().readOnlyRoot()) {
            line.add("--read-only");
        }
        if (spec.command().init()) {
            line.add("--init");
        }
        if (spec.streams().stdin() || spec.streams().tty()) {
            line.add("--interactive");
        }
        if (spec.streams().tty()) {
            line.add("--tty");
        }
    }

    private static Optional<String> user(ContainerSpec spec) {
        var group = spec.bounds().user().gid().map(gid -> ":" + gid).orElse("");
        return spec.bounds().user().uid().map(uid -> uid + group);
    }

    /// Not by `--volume`, where a colon or a comma in a path means something.
    private static List<String> mount(Path source, String target, boolean readOnly) {
        return List.of(
                "--mount",
                "type=bind," + field("source", source.toString()) + "," + field("target", target)
                        + (readOnly ? ",readonly" : ""));
    }

    private static String field(String name, String value) {
        return value.matches("[^,\"\\n]*")
                ? name + "=" + value
                : "\"" + name + "=" + value.replace("\"", "\"\"") + "\"";
    }

    @Override
    public int terminalNumber(Prepared prepared, boolean gated) {
        return -1;
    }

    @Override
    public boolean hasInit(ContainerSpec spec) {
        return false;
    }

    @Override
    public boolean limits() {
        return true;
    }

    @Override
    public byte[] release() {
        return new byte[] {'\n'};
    }

    @Override
    public String voice() {
        return "Error";
    }

    @Override
    public Exit.NotStarted explain(Optional<ContainerSpec> spec, String said, Instant at) {
        var problem = ContainerEngine.problem(said);
        boolean absent = problem.contains("not found") || problem.contains("no such file");
        return new Exit.NotStarted("ContainerCannotRun", absent ? 127 : 126, engine.name() + ": " + problem, at);
    }

    @Override
    public Prepared enter(String id, int pid, User user, ExecSpec command) {
        var line = new ArrayList<>(List.of(engine.name(), "exec"));
        if (command.stdin() || command.tty()) {
            line.add("--interactive");
        }
        if (command.tty()) {
            line.add("--tty");
        }
        if (!command.workingDirectory().isEmpty()) {
            line.addAll(List.of("--workdir", command.workingDirectory()));
        }
        line.add(name(id));
        line.addAll(command.arguments());
        return new Prepared(engine.program(), line, engine.variables(), List.of(), List.of());
    }

    /// What the monitor could not do because it was killed, too.
    @Override
    public void forget(String id) throws IOException {
        var _ = engine.run("rm", "--force", "--volumes", name(id));
    }

    @Override
    public boolean begun(int process) {
        return true;
    }

    @Override
    public boolean endsWithItsCommand() {
        return true;
    }

    @Override
    public OptionalInt leftover(int monitor, String status) {
        return OptionalInt.empty();
    }

    @Override
    public Abilities abilities(Cgroups cgroups) {
        return new Abilities(
                true,
                Abilities.LimitsBy.CGROUP,
                Abilities.LimitsBy.CGROUP,
                Abilities.LimitsBy.CGROUP,
                List.of(
                        "Containers are those of " + engine.name() + ".",
                        "A limit on ephemeral storage does not bound the root of a container.",
                        "A container with a terminal ends with the server."));
    }
}

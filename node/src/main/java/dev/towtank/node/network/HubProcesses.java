package dev.towtank.node.network;

import dev.towtank.node.linux.Descriptors;
import dev.towtank.node.linux.ManyUsers;
import dev.towtank.node.linux.Processes;
import dev.towtank.node.linux.Spawn;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// The processes that keep the network of a server without rights when it dies, and lead out of it. A file tells the
/// next server which they are.
///
/// @param directory of the networks
record HubProcesses(Path directory) {

    private static final System.Logger LOG = System.getLogger(HubProcesses.class.getName());

    private static final int KILL = 9;
    private static final int LONGEST = 500;
    private static final Path TUNNEL = Path.of("/dev/net/tun");

    // No cluster can be called so, and have a record of that name beside it.
    private static final String PIPE = "hub.pipe";

    /// It ends when its directory has gone: then nobody needs it any more.
    private static final String HOLDER = """
            exec 9<>"$1"
            echo ready
            exec >/dev/null 2>&1
            while [[ -p $1 ]]; do read -r -t 60 <&9; done
            """;

    /// A process that cannot be mistaken for another of the same number.
    ///
    /// @param started when, as the kernel counts
    record Known(int pid, long started) {
        boolean lives() {
            return Processes.started(pid).orElse(0) == started;
        }

        Path namespace(String kind) {
            return Path.of("/proc/" + pid + "/ns/" + kind);
        }

        @Override
        public String toString() {
            return pid + " " + started;
        }

        void end() throws IOException {
            if (lives()) {
                Processes.signal(pid, KILL);
                var _ = Processes.await(pid); // where it is a child of ours
            }
        }
    }

    static Optional<Path> program(String name) {
        return Stream.of("/usr/bin/", "/usr/sbin/", "/bin/", "/sbin/", "/usr/local/bin/")
                .map(directory -> Path.of(directory + name))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /// Why nobody leads out, as a sentence; empty where somebody can.
    static String problem() {
        var begin = "Pods with networks of their own do not reach the world: ";
        if (guide().isEmpty()) {
            return begin + "neither pasta nor slirp4netns is here. Install one with 'sudo apt-get install passt'.";
        }
        return Files.isWritable(TUNNEL)
                ? ""
                : begin + "this user may not open " + TUNNEL + ". Allow it with 'sudo chmod 666 " + TUNNEL + "'.";
    }

    /// The program that leads out, of those that are here.
    static Optional<Path> guide() {
        return program("pasta").or(() -> program("slirp4netns"));
    }

    Optional<Known> find(String name) throws IOException {
        try {
            var words =
                    Files.readString(directory.resolve(name + ".pid")).strip().split(" ", -1);
            if (words.length == 2 && words[0].matches("\\d{1,9}") && words[1].matches("\\d{1,18}")) {
                return Optional.of(new Known(Integer.parseInt(words[0]), Long.parseLong(words[1])))
                        .filter(Known::lives);
            }
            return Optional.empty();
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }

    private Known remember(String name, int pid) throws IOException {
        var known = new Known(pid, Processes.started(pid).orElse(0));
        Files.writeString(directory.resolve(name + ".pid"), known.toString());
        return known;
    }

    /// Makes the network, and a process in it.
    Known hold() throws IOException {
        Files.createDirectories(directory);
        var pipe = directory.resolve(PIPE);
        if (!Files.exists(pipe)) {
            Descriptors.makeFifo(pipe);
        }
        var many = ManyUsers.known();
        if (many.isPresent()) {
            int pid = hold(pipe, List.of());
            try {
                many.get().give(pid);
                return remember("hub", pid);
            } catch (IOException e) {
                LOG.log(Level.WARNING, "containers with networks of their own have one user each: {0}", e.getMessage());
                Processes.signal(pid, KILL);
                var _ = Processes.await(pid);
            }
        }
        return remember("hub", hold(pipe, List.of("--map-current-user")));
    }

    /// @param users whom it has in its user namespace
    private static int hold(Path pipe, List<String> users) throws IOException {
        var command = new ArrayList<>(List.of("unshare", "--user", "--net"));
        command.addAll(users);
        command.addAll(List.of("--", "/bin/bash", "-c", HOLDER, "towtank-networks"));
        command.add(pipe.toAbsolutePath().toString());
        return start(
                program("unshare").orElseThrow(() -> new IOException("the program unshare is missing")),
                command,
                "ready");
    }

    /// Leads out of the network, when it returns.
    void lead(Path guide, Known hub) throws IOException {
        var user = hub.namespace("user").toString();
        var network = hub.namespace("net").toString();
        if (guide.endsWith("pasta")) {
            leadByPasta(guide, user, network);
            return;
        }
        var command = List.of(
                "/bin/bash",
                "-c",
                "exec 3>&1 >/dev/null 2>&1; exec \"$@\"", // it writes a number there when it is ready
                "towtank-guide",
                guide.toString(),
                "--configure",
                "--disable-host-loopback",
                "--netns-type=path",
                "--userns-path=" + user,
                "--ready-fd=3",
                network,
                "tap0");
        remember("guide", start(Path.of("/bin/bash"), command, "1"));
    }

    /// Nothing of the machine's loopback shall be in reach, nor anything in there on the machine. It ends when it is
    /// ready, and another process goes on.
    private void leadByPasta(Path guide, String user, String network) throws IOException {
        var number = directory.resolve("guide.number").toAbsolutePath();
        var shut = List.of("--no-map-gw", "-t", "none", "-u", "none", "-T", "none", "-U", "none");
        var command = new ArrayList<>(List.of("pasta", "--config-net"));
        command.addAll(shut);
        command.addAll(List.of("--quiet", "--pid", number.toString(), "--userns", user, "--netns", network));
        int first = launch(guide, command, List.of());
        int status = Processes.await(first).orElse(1);
        if (status != 0) {
            throw new IOException(guide + " ended with " + status);
        }
        var text = Files.readString(number).strip();
        if (!text.matches("\\d{1,9}")) {
            throw new IOException(guide + " does not tell its number");
        }
        remember("guide", Integer.parseInt(text));
    }

    /// Returns when the program has said something.
    ///
    /// @param sign what it says when it is ready
    private static int start(Path program, List<String> command, String sign) throws IOException {
        var said = Descriptors.pipe();
        int pid;
        try {
            pid = launch(program, command, List.of(said.writeEnd(), said.writeEnd()));
        } finally {
            Descriptors.close(said.writeEnd());
        }
        try (var arena = Arena.ofConfined()) {
            var buffer = arena.allocate(LONGEST);
            int count = Descriptors.read(said.readEnd(), buffer);
            var text = new String(
                    buffer.asSlice(0, Math.max(count, 0)).toArray(ValueLayout.JAVA_BYTE), StandardCharsets.UTF_8);
            if (!text.startsWith(sign)) {
                Processes.signal(pid, KILL);
                var _ = Processes.await(pid);
                throw new IOException(program + " makes no network: " + text.strip());
            }
            return pid;
        } finally {
            Descriptors.close(said.readEnd());
        }
    }

    private static int launch(Path program, List<String> command, List<Integer> outputs) throws IOException {
        int none = Descriptors.open(Path.of("/dev/null"), Descriptors.READ_WRITE, 0);
        try {
            var descriptors = new ArrayList<>(List.of(none));
            descriptors.addAll(outputs.isEmpty() ? List.of(none, none) : outputs);
            return Spawn.start(new Spawn.Program(
                    program,
                    command,
                    List.of("PATH=/usr/bin:/usr/sbin:/bin:/sbin"),
                    descriptors,
                    Optional.empty(),
                    Optional.empty()));
        } finally {
            Descriptors.close(none);
        }
    }

    void end() throws IOException {
        for (var name : List.of("guide", "hub")) {
            var known = find(name);
            if (known.isPresent()) {
                known.get().end();
            }
            Files.deleteIfExists(directory.resolve(name + ".pid"));
        }
        Files.deleteIfExists(directory.resolve("guide.number"));
        Files.deleteIfExists(directory.resolve(PIPE));
    }
}

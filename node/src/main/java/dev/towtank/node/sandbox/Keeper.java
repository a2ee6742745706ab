package dev.towtank.node.sandbox;

import dev.towtank.node.linux.Descriptors;
import dev.towtank.node.linux.LinuxException;
import dev.towtank.node.linux.Processes;
import dev.towtank.node.linux.Spawn;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// One small process for all containers that holds their output pipes open and outlives the server: the kernel forgets
/// what is in a pipe when nobody has it open, so the last words of a container that ends while no server
/// runs would be lost.
final class Keeper implements AutoCloseable {

    private static final int FIRST = 20;
    private static final int MOST = 16_000;
    private static final String SCRIPT =
            """
            ulimit -n $(ulimit -Hn)
            exec 9<>keeper
            while read -r verb number path <&9; do
                case $verb in
                    open) eval "exec $number<>\\"\\$path\\"" ;;
                    close) eval "exec $number<&-" ;;
                    end) exit ;;
                esac
            done 2>/dev/null
            """;

    private final Path directory;
    private final Path bash;
    private final int control;
    private final Map<Path, Integer> held = new HashMap<>();
    private final BitSet used = new BitSet();
    private int pid;

    Keeper(Path directory, Path bash) throws IOException {
        this.directory = directory;
        this.bash = bash;
        var pipe = directory.resolve("keeper");
        if (!Files.exists(pipe)) {
            Descriptors.makeFifo(pipe);
        }
        control = Descriptors.open(pipe, Descriptors.READ_WRITE | Descriptors.NONBLOCK, 0);
        find().ifPresent(this::adopt);
    }

    private Path record() {
        return directory.resolve("keeper.pid");
    }

    private Optional<Integer> find() throws IOException {
        try {
            var parts = Files.readString(record()).strip().split(" ");
            int number = Integer.parseInt(parts[0]);
            var started = Processes.started(number);
            boolean same = parts.length == 3
                    && parts[2].equals(Processes.boot())
                    && started.isPresent()
                    && started.getAsLong() == Long.parseLong(parts[1]);
            return same ? Optional.of(number) : Optional.empty();
        } catch (NoSuchFileException | NumberFormatException e) {
            return Optional.empty();
        }
    }

    private void adopt(int process) {
        pid = process;
        try (var links = Files.newDirectoryStream(Path.of("/proc/" + process + "/fd"))) {
            for (var link : links) {
                int number = Integer.parseInt(link.getFileName().toString());
                if (number >= FIRST) {
                    used.set(number);
                    held.put(Files.readSymbolicLink(link), number);
                }
            }
        } catch (IOException e) {
            // it ended just now; a new one is started when it is needed
        }
    }

    synchronized void hold(Path pipe) throws IOException {
        if (!lives()) {
            start();
        }
        int number = used.nextClearBit(FIRST);
        if (number < MOST) {
            used.set(number);
            held.put(pipe, number);
            tell("open " + number + " " + pipe);
        }
    }

    private boolean lives() throws IOException {
        return pid != 0 && Processes.reap(pid).isEmpty() && Processes.signal(pid, 0);
    }

    synchronized void release(Path pipe) {
        var number = held.remove(pipe);
        if (number != null) {
            used.clear(number);
            tell("close " + number + " -");
        }
    }

    private void start() throws IOException {
        used.clear();
        held.clear();
        int none = Descriptors.open(Path.of("/dev/null"), Descriptors.READ_WRITE, 0);
        try {
            pid = Spawn.start(new Spawn.Program(
                    bash,
                    List.of("towtank-keeper", "--norc", "--noprofile", "-c", SCRIPT),
                    List.of("PATH=/usr/bin:/bin"),
                    List.of(none, none, none),
                    Optional.empty(),
                    Optional.of(directory)));
        } finally {
            Descriptors.close(none);
        }
        long ticks = Processes.started(pid).orElse(0);
        Files.writeString(record(), pid + " " + ticks + " " + Processes.boot() + "\n");
    }

    /// A keeper that does not listen is no reason to stop working: it matters only when the server dies, too.
    private void tell(String words) {
        try {
            var line = (words + "\n").getBytes(StandardCharsets.UTF_8);
            int _ = Descriptors.writeSome(control, line, 0, line.length);
        } catch (LinuxException e) {
            throw new IllegalStateException(e);
        }
    }

    /// Ends the keeper when it has nothing to keep.
    @Override
    public synchronized void close() {
        if (held.isEmpty() && pid != 0) {
            tell("end - -");
            var _ = Processes.await(pid); // at once, if another server started it
        }
        Descriptors.close(control);
    }
}

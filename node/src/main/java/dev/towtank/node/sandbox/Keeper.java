package dev.towtank.node.sandbox;

import dev.towtank.node.linux.Descriptors;
import dev.towtank.node.linux.LinuxException;
import dev.towtank.node.linux.Processes;
import dev.towtank.node.linux.Spawn;
import dev.towtank.node.sandbox.streams.Loop;
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
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// One small process for all containers that holds their output pipes open and outlives the server: the
/// kernel forgets what is in a pipe when nobody has it open, so the last words of a container that ends while
/// no server runs would be lost.
final class Keeper implements AutoCloseable {

    private static final int FIRST = 20;
    private static final int ANSWERS = 8; // its descriptor, as the script says
    private static final int MOST = 16_000;
    private static final String SCRIPT = """
            ulimit -n $(ulimit -Hn)
            exec 8<>kept 9<>keeper
            while true; do
                if ! read -r -t $1 verb number path <&9; then
                    [[ -p keeper ]] || exit
                    continue
                fi
                case $verb in
                    open) eval "exec $number<>\\"\\$path\\""; echo "$path" >&8 ;;
                    close) eval "exec $number<&-" ;;
                    end) exit ;;
                esac
            done 2>/dev/null
            """;

    /// How often it looks whether its directory is still there. Without, nobody will ever need it again.
    private static final String LOOKING_SECONDS = "60";

    private static final String DELETED = " (deleted)"; // as the kernel says it

    private static final long PATIENCE_SECONDS = 2;
    private static final String OURS = "/proc/" + ProcessHandle.current().pid() + "/fd/";

    private final Path directory;
    private final Path bash;
    private final String lookingSeconds;
    private final int control;
    private final int answers;
    private final Map<Path, Integer> held = new HashMap<>();

    // What the keeper was told to open, until somebody has waited for it.
    private final Map<Path, Asked> asked = new ConcurrentHashMap<>();
    private final Map<String, Asked> byWord = new ConcurrentHashMap<>();
    private String unfinished = ""; // used by the loop's thread alone
    private final BitSet used = new BitSet();
    private int pid;

    // One that an older program started does not.
    private boolean answersHolds = true;

    private record Asked(String word, CountDownLatch opened) {}

    Keeper(Path directory, Path bash, Loop loop) throws IOException {
        this(directory, bash, loop, LOOKING_SECONDS);
    }

    Keeper(Path directory, Path bash, Loop loop, String lookingSeconds) throws IOException {
        this.directory = directory;
        this.bash = bash;
        this.lookingSeconds = lookingSeconds;
        control = pipe("keeper");
        answers = pipe("kept");
        loop.add(answers, scratch -> answered(scratch.read(answers)));
        find().ifPresent(this::adopt);
    }

    private int pipe(String name) throws IOException {
        var pipe = directory.resolve(name);
        if (!Files.exists(pipe)) {
            Descriptors.makeFifo(pipe);
        }
        return Descriptors.open(pipe, Descriptors.READ_WRITE | Descriptors.NONBLOCK, 0);
    }

    private void answered(String said) {
        var lines = (unfinished + said).split("\n", -1);
        unfinished = lines[lines.length - 1];
        for (int i = 0; i < lines.length - 1; i++) {
            var answered = byWord.remove(lines[i]);
            if (answered != null) {
                answered.opened.countDown();
            }
        }
    }

    private Path record() {
        return directory.resolve("keeper.pid");
    }

    private Optional<Integer> find() throws IOException {
        try {
            var parts = Files.readString(record()).strip().split(" ", -1);
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
        answersHolds = Files.exists(Path.of("/proc/" + process + "/fd/" + ANSWERS));
        try (var links = Files.newDirectoryStream(Path.of("/proc/" + process + "/fd"))) {
            for (var link : links) {
                int number = Integer.parseInt(link.getFileName().toString());
                if (number >= FIRST) {
                    adopt(number, Files.readSymbolicLink(link));
                }
            }
        } catch (IOException e) {
            // it ended just now; a new one is started when it is needed
        }
    }

    /// Of a pipe that is no longer there nobody would ever say that it can go.
    private void adopt(int number, Path pipe) {
        if (pipe.toString().endsWith(DELETED)) {
            tell("close " + number + " -");
        } else {
            used.set(number);
            held.put(pipe, number);
        }
    }

    /// Takes hold of a pipe, which [#await] waits for.
    ///
    /// @param ours the pipe as this process has it open, until it was waited for: the shell reads byte by byte,
    ///     and this is a shorter name
    synchronized void hold(Path pipe, int ours) throws IOException {
        if (!lives()) {
            start();
        }
        int number = used.nextClearBit(FIRST);
        if (number < MOST) {
            used.set(number);
            held.put(pipe, number);
            if (!answersHolds) {
                tell("open " + number + " " + pipe);
                return;
            }
            var question = new Asked(OURS + ours, new CountDownLatch(1));
            asked.put(pipe, question);
            byWord.put(question.word, question);
            tell("open " + number + " " + question.word);
        }
    }

    /// Waits until the keeper has the pipe open. One that does not answer is no reason to wait for long: it matters
    /// only when the server dies, too.
    void await(Path pipe) throws InterruptedException {
        var question = asked.get(pipe);
        if (question != null) {
            boolean _ = question.opened.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
            forget(pipe);
        }
    }

    private void forget(Path pipe) {
        var question = asked.remove(pipe);
        if (question != null) {
            byWord.remove(question.word, question);
        }
    }

    private boolean lives() throws IOException {
        return pid != 0 && Processes.reap(pid).isEmpty() && Processes.signal(pid, 0);
    }

    synchronized void release(Path pipe) {
        forget(pipe);
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
                    List.of("towtank-keeper", "--norc", "--noprofile", "-c", SCRIPT, "towtank-keeper", lookingSeconds),
                    List.of("PATH=/usr/bin:/bin"),
                    List.of(none, none, none),
                    Optional.empty(),
                    Optional.of(directory)));
        } finally {
            Descriptors.close(none);
        }
        answersHolds = true;
        long ticks = Processes.started(pid).orElse(0);
        Files.writeString(record(), pid + " " + ticks + " " + Processes.boot() + "\n");
    }

    private void tell(String words) {
        try {
            var line = (words + "\n").getBytes(StandardCharsets.UTF_8);
            int _ = Descriptors.writeSome(control, line, 0, line.length);
        } catch (LinuxException e) {
            throw new IllegalStateException(e);
        }
    }

    /// Ends the keeper when it has nothing to keep. After the loop.
    @Override
    public synchronized void close() {
        if (held.isEmpty() && pid != 0) {
            tell("end - -");
            var _ = Processes.await(pid); // at once, if another server started it
        }
        Descriptors.close(answers);
        Descriptors.close(control);
    }
}

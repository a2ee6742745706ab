package dev.towtank.node.sandbox;

import dev.towtank.node.linux.Descriptors;
import dev.towtank.node.linux.LinuxException;
import dev.towtank.node.linux.Processes;
import dev.towtank.node.linux.Signal;
import dev.towtank.node.linux.Spawn;
import dev.towtank.node.linux.SpawningThread;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.lang.foreign.Arena;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/// A few processes that wait, each in a cgroup of its own, to become a container's monitor. To put a process into a
/// cgroup makes the kernel wait for all others, which takes longer than all the rest of a start; here it is done
/// before a container asks. For cgroups that take no threads: see [Cgroups#place].
final class Launchers implements AutoCloseable {

    private static final System.Logger LOG = System.getLogger(Launchers.class.getName());
    private static final int READY = 4;

    /// Ends with the server, which holds the other end of its input. A sourced file is read as a whole before its first
    /// line runs, so that line may replace any descriptor.
    private static final String SCRIPT = "read -r _ && . /proc/self/fd/3";

    private static final int DONE = 200;

    private final Path bash;
    private final Jail jail;
    private final Cgroups cgroups;
    private final long processes;

    // Guarded by this object's monitor.
    private final Deque<Launcher> ready = new ArrayDeque<>();
    private boolean closed;

    // Not a virtual thread: the kernel makes it wait.
    private final Thread filling =
            Thread.ofPlatform().name("launchers").daemon().unstarted(this::fill);

    /// @param processes how many a container may have unless it says otherwise
    Launchers(Path bash, Jail jail, Cgroups cgroups, long processes) {
        this.bash = bash;
        this.jail = jail;
        this.cgroups = cgroups;
        this.processes = processes;
        cgroups.removeReserved();
        if (!cgroups.none() && !cgroups.takeThreads()) {
            filling.start();
        }
    }

    /// @param thread that started it
    /// @param group in which it waits
    /// @param input what is written here wakes it
    /// @param script a file in memory with what it does then
    /// @param done tells when it has opened what it was handed
    record Launcher(SpawningThread thread, int pid, String group, int input, int script, int done) {
        void close() {
            Descriptors.close(input);
            Descriptors.close(script);
            Descriptors.close(done);
        }
    }

    /// A descriptor of ours that the monitor gets.
    ///
    /// @param how a shell's operator by which it is opened
    record Handed(int descriptor, String how) {}

    /// Lets one of them become the program, which gets the descriptors as 0, 1, 2 and so on, and no environment.
    ///
    /// @return empty when none is ready just now: then it is quicker not to wait; or when it could not do it:
    ///     then the next one probably cannot either
    Optional<Launcher> launch(Path program, List<String> arguments, List<Handed> descriptors) throws IOException {
        var launcher = take();
        if (launcher.isEmpty()) {
            return launcher;
        }
        var directory = launcher.get().thread.descriptors();
        if (launch(launcher.get(), script(program, arguments, descriptors, directory))) {
            return launcher;
        }
        launcher.get().thread.close();
        Processes.signal(launcher.get().pid, Signal.KILL.number());
        var _ = Processes.await(launcher.get().pid);
        cgroups.removeReserved(launcher.get().group);
        return Optional.empty();
    }

    private synchronized Optional<Launcher> take() {
        var launcher = Optional.ofNullable(ready.poll());
        notifyAll();
        return launcher;
    }

    /// Returns when it has opened the descriptors: until then they must stay open here.
    private static boolean launch(Launcher launcher, byte[] script) throws IOException {
        try (var arena = Arena.ofConfined()) {
            Descriptors.writeAt(launcher.script, script, script.length, 0);
            return Descriptors.writeSome(launcher.input, new byte[] {'\n'}, 0, 1) == 1
                    && Descriptors.read(launcher.done, arena.allocate(1)) == 1;
        } catch (LinuxException e) {
            return false; // it is gone
        } finally {
            launcher.close();
        }
    }

    private static byte[] script(Path program, List<String> arguments, List<Handed> descriptors, String directory) {
        var script = new StringBuilder("exec " + DONE + ">&4");
        for (int i = 0; i < descriptors.size(); i++) {
            var handed = descriptors.get(i);
            // One by one: a shell keeps what it replaces under numbers that may be among those to come.
            script.append("\nexec ").append(i).append(handed.how);
            script.append(directory).append(handed.descriptor);
        }
        script.append("\necho >&" + DONE + "\nexec " + DONE + ">&- -c -a ").append(quoted(arguments.getFirst()));
        script.append(' ').append(quoted(program.toString()));
        for (var argument : arguments.subList(1, arguments.size())) {
            script.append(' ').append(quoted(argument));
        }
        return script.append('\n').toString().getBytes(StandardCharsets.UTF_8);
    }

    static String quoted(String text) {
        return "'" + text.replace("'", "'\\''") + "'";
    }

    private void fill() {
        try {
            while (awaitRoom()) {
                add(make());
            }
        } catch (IOException e) {
            LOG.log(Level.WARNING, "containers start more slowly, as no process can be prepared for them", e);
        } catch (InterruptedException e) {
            // nobody does this
        }
    }

    /// False when closed.
    private synchronized boolean awaitRoom() throws InterruptedException {
        while (!closed && ready.size() == READY) {
            wait();
        }
        return !closed;
    }

    private synchronized void add(Launcher launcher) {
        if (closed) {
            end(launcher);
        } else {
            ready.add(launcher);
        }
    }

    private Launcher make() throws IOException {
        try (var opened = new Opened()) {
            int script = opened.add(Descriptors.memory(new byte[0]));
            var input = opened.add(Descriptors.pipe());
            var done = opened.add(Descriptors.pipe());
            int none = opened.add(Descriptors.open(Path.of("/dev/null"), Descriptors.READ_WRITE, 0));
            var program = new Spawn.Program(
                    bash,
                    List.of("towtank-launcher", "--norc", "--noprofile", "-c", SCRIPT),
                    List.of(),
                    List.of(input.readEnd(), none, none, script, done.writeEnd()),
                    Optional.empty(),
                    Optional.of(Path.of("/")));
            var thread = jail.ahead();
            try {
                int pid = thread.start(program, Optional.empty());
                var group = reserve(pid);
                int wakes = opened.take(input.writeEnd());
                return new Launcher(thread, pid, group, wakes, opened.take(script), opened.take(done.readEnd()));
            } catch (IOException | RuntimeException e) {
                thread.close();
                throw e;
            }
        }
    }

    private String reserve(int pid) throws IOException {
        try {
            return cgroups.reserve(pid, processes);
        } catch (IOException e) {
            Processes.signal(pid, Signal.KILL.number());
            var _ = Processes.await(pid);
            throw e;
        }
    }

    private static void end(Launcher launcher) {
        launcher.close();
        launcher.thread.close();
        var _ = Processes.await(launcher.pid);
    }

    @Override
    public void close() {
        List<Launcher> waiting;
        synchronized (this) {
            closed = true;
            notifyAll();
            waiting = List.copyOf(ready);
            ready.clear();
        }
        waiting.forEach(Launchers::end);
        try {
            filling.join(); // it may be about to make one more; one that was never started is over
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        cgroups.removeReserved();
    }
}

package dev.towtank.node.sandbox;

import dev.towtank.cluster.pods.PodAccess;
import dev.towtank.node.linux.Descriptors;
import dev.towtank.node.linux.LinuxException;
import dev.towtank.node.linux.Processes;
import dev.towtank.node.linux.Signal;
import dev.towtank.node.linux.Terminal;
import dev.towtank.node.sandbox.streams.Input;
import dev.towtank.node.sandbox.streams.Loop;
import dev.towtank.node.sandbox.streams.Output;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// A process that was started in a container for somebody who talks with it.
final class ExecSession implements PodAccess.Session {

    private static final System.Logger LOG = System.getLogger(ExecSession.class.getName());
    private static final byte[] END_OF_INPUT = {4}; // what a terminal makes of Ctrl-D

    private final Loop loop;
    private final int process;
    private final int watch;
    private final OutputStream input;
    private final List<Output> outputs;
    private final @Nullable Terminal terminal;
    private final List<Integer> held;
    private final CountDownLatch end = new CountDownLatch(1);
    private volatile int code = -1;

    private ExecSession(
            Loop loop,
            int process,
            OutputStream input,
            List<Output> outputs,
            @Nullable Terminal terminal,
            List<Integer> held)
            throws IOException {
        this.loop = loop;
        this.process = process;
        this.input = input;
        this.outputs = outputs;
        this.terminal = terminal;
        this.held = held;
        this.watch = Processes.watch(process);
        for (var output : outputs) {
            output.start();
        }
        loop.add(watch, _ -> ended());
    }

    static ExecSession start(Entrance entrance, Jail.Prepared prepared, ExecSpec command) throws IOException {
        return command.tty() ? onTerminal(entrance, prepared) : onPipes(entrance, prepared, command.stdin());
    }

    private static ExecSession onTerminal(Entrance entrance, Jail.Prepared prepared) throws IOException {
        var loop = entrance.workshop().loop();
        var terminal = Terminal.open();
        int process;
        try {
            process = entrance.start(prepared, List.of(), Optional.of(terminal.slave()));
        } catch (IOException e) {
            terminal.close();
            throw e;
        }
        Descriptors.setNonblocking(terminal.master());
        // Two numbers for our side: the loop watches the one for input and the other for output.
        var input = new Input(loop, Descriptors.duplicate(terminal.master(), 0), END_OF_INPUT);
        var output = new Output(loop, Descriptors.duplicate(terminal.master(), 0));
        return new ExecSession(loop, process, input, List.of(output), terminal, prepared.held());
    }

    private static ExecSession onPipes(Entrance entrance, Jail.Prepared prepared, boolean withInput)
            throws IOException {
        var loop = entrance.workshop().loop();
        try (var opened = new Opened()) {
            int none = opened.add(Descriptors.open(Path.of("/dev/null"), Descriptors.READ_WRITE, 0));
            var stdin = opened.add(Descriptors.pipe());
            var stdout = opened.add(Descriptors.pipe());
            var stderr = opened.add(Descriptors.pipe());
            var ends = List.of(withInput ? stdin.readEnd() : none, stdout.writeEnd(), stderr.writeEnd());
            int process = entrance.start(prepared, ends, Optional.empty());
            for (int ours : List.of(stdin.writeEnd(), stdout.readEnd(), stderr.readEnd())) {
                Descriptors.setNonblocking(ours);
                opened.take(ours);
            }
            var input = new Input(loop, stdin.writeEnd(), new byte[0]);
            var outputs = List.of(new Output(loop, stdout.readEnd()), new Output(loop, stderr.readEnd()));
            return new ExecSession(loop, process, input, outputs, null, prepared.held());
        }
    }

    private void ended() throws IOException {
        loop.remove(watch);
        Descriptors.close(watch);
        held.forEach(Descriptors::close);
        code = Processes.reap(process).orElse(255);
        end.countDown();
        for (var output : outputs) {
            output.last();
        }
    }

    @Override
    public OutputStream stdin() {
        return input;
    }

    @Override
    public InputStream stdout() {
        return outputs.getFirst().queue();
    }

    @Override
    public InputStream stderr() {
        return outputs.size() > 1 ? outputs.get(1).queue() : InputStream.nullInputStream();
    }

    @Override
    public void resize(int columns, int rows) {
        if (terminal == null || end.getCount() == 0) {
            return;
        }
        try {
            terminal.resize(columns, rows);
        } catch (LinuxException e) {
            LOG.log(Level.DEBUG, "A terminal was not resized: {0}", e.getMessage());
        }
    }

    @Override
    public OptionalInt await() throws InterruptedException {
        end.await();
        return OptionalInt.of(code);
    }

    boolean hasEnded() {
        return end.getCount() == 0;
    }

    boolean hasEndedWithin(Duration time) throws InterruptedException {
        return end.await(time.toMillis(), TimeUnit.MILLISECONDS);
    }

    /// Both who waits outside and who runs inside, with the groups that they lead.
    @Override
    public void close() {
        try {
            if (end.getCount() > 0) {
                for (int victim : victims()) {
                    Processes.signal(victim, Signal.KILL.number());
                }
            }
            input.close();
        } catch (IOException e) {
            LOG.log(Level.DEBUG, "A session did not end well: {0}", e.getMessage());
        }
        outputs.forEach(Output::close);
        if (terminal != null) {
            terminal.close();
        }
    }

    private List<Integer> victims() {
        var victims = new ArrayList<Integer>();
        Processes.child(process).ifPresent(child -> {
            victims.add(child);
            victims.add(-child);
        });
        victims.add(-process);
        return victims;
    }
}

package dev.towtank.app.command;

import dev.towtank.app.engine.Engine;
import dev.towtank.app.run.Stopping;
import dev.towtank.app.shell.Surroundings;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;

/// Runs commands in this process and keeps what they print.
final class Terminal {
    /// Runs of the user who runs the tests are none of their business.
    static final Map<String, String> NO_RUNS = Map.of("XDG_STATE_HOME", "/nonexistent");

    final Map<String, String> environment = new HashMap<>(NO_RUNS);
    List<String> launcher = FakeMain.command();
    Engine.Starter engine = FakeEngine::start;

    private final Output out = new Output();
    private final Output err = new Output();
    private final CountDownLatch stop = new CountDownLatch(1);

    int run(String... args) {
        out.reset();
        err.reset();
        return execute(args);
    }

    /// Starts a command and returns when it has printed so many lines.
    Thread begin(int lines, String... args) throws InterruptedException {
        out.reset();
        err.reset();
        var running = Thread.ofVirtual().start(() -> {
            execute(args);
            out.end();
        });
        out.awaitLines(lines);
        return running;
    }

    void stop() {
        stop.countDown();
    }

    String out() {
        return out.toString(StandardCharsets.UTF_8);
    }

    String err() {
        return err.toString(StandardCharsets.UTF_8);
    }

    private int execute(String... args) {
        var surroundings = new Surroundings(
                environment,
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                launcher,
                InstantSource.system(),
                stop::await,
                Stopping.NEVER,
                engine);
        return Program.run(surroundings, args);
    }

    private static final class Output extends ByteArrayOutputStream {
        private boolean ended;

        @Override
        public synchronized void write(byte[] bytes, int from, int length) {
            super.write(bytes, from, length);
            notifyAll();
        }

        synchronized void end() {
            ended = true;
            notifyAll();
        }

        synchronized void awaitLines(int lines) throws InterruptedException {
            while (!ended && toString(StandardCharsets.UTF_8).lines().count() < lines) {
                wait();
            }
        }
    }
}

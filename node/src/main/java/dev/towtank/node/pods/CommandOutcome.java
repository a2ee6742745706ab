package dev.towtank.node.pods;

import dev.towtank.cluster.Timers;
import dev.towtank.cluster.pods.PodAccess;
import dev.towtank.node.probes.ProbeOutcome;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/// A command in a container that is waited for, with a bound on its time and on its output.
record CommandOutcome(PodAccess.Session session, List<String> command, Duration timeout, Timers timers) {

    private static final int LONGEST_OUTPUT = 10 * 1024;

    ProbeOutcome await() throws InterruptedException {
        var timedOut = new AtomicBoolean();
        var timer = timers.after(timeout, () -> {
            timedOut.set(true);
            // Closing may block on the process; timers must not.
            Thread.ofVirtual().start(session::close);
        });
        try {
            session.stdin().close();
            var errors = new StringBuilder();
            var other = Thread.ofVirtual().start(() -> errors.append(text(session.stderr())));
            var output = text(session.stdout());
            var code = session.await();
            other.join();
            if (timedOut.get()) {
                return ProbeOutcome.failed("command timed out: \"" + String.join(" ", command) + "\" timed out after "
                        + timeout.toSeconds() + "s");
            }
            return code.isPresent() && code.getAsInt() == 0
                    ? ProbeOutcome.SUCCESS
                    : ProbeOutcome.failed(output + errors);
        } catch (IOException e) {
            return ProbeOutcome.error(String.valueOf(e.getMessage()));
        } finally {
            timer.cancel();
        }
    }

    // What is beyond the bound is read and dropped, so that the process does not wait for us.
    private static String text(InputStream input) {
        try (input) {
            var text = new String(input.readNBytes(LONGEST_OUTPUT), StandardCharsets.UTF_8);
            input.skip(Long.MAX_VALUE);
            return text;
        } catch (IOException e) {
            return "";
        }
    }
}

package dev.towtank.app.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.towtank.apiserver.audit.AuditSink;
import dev.towtank.apiserver.pki.Pki;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A fault at any step of a start or of a stop leaves nothing open: no thread, no port and no lock on the data.
class StartFaultsTest {

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @TempDir
    Path directory;

    /// Notes the steps, and fails at one of them.
    private static final class Faulty extends Closing {
        private final int fault;
        private final boolean isAtTheEnd;
        private final List<String> opened = new ArrayList<>();
        private final List<String> closed = new ArrayList<>();

        Faulty(int fault, boolean isAtTheEnd) {
            this.fault = fault;
            this.isAtTheEnd = isAtTheEnd;
        }

        @Override
        synchronized void add(String name, Runnable close) {
            int step = opened.size();
            opened.add(name);
            super.add(name, () -> {
                close.run();
                closed.add(name);
                if (isAtTheEnd && step == fault) {
                    throw new IllegalStateException("a fault after closing " + name);
                }
            });
            if (!isAtTheEnd && step == fault) {
                throw new IllegalStateException("a fault after " + name);
            }
        }
    }

    private Engine start(Closing closing) throws IOException {
        var data = new DataDirectory(directory);
        data.make();
        var clock = InstantSource.system();
        var site = new Engine.Site(
                Optional.of(data.store()),
                data.features(),
                data.audit(),
                AuditSink.Level.METADATA,
                0,
                true,
                Pki.open(data.pki(), clock, List.of()),
                clock,
                Optional.empty(),
                Optional.of(new Engine.Node(data.node(), data.images(), true, List.of())));
        return new EmbeddedEngine(HeadStart.of(), () -> closing).start(site);
    }

    private static Set<Thread> threads() {
        return Set.copyOf(Thread.getAllStackTraces().keySet());
    }

    private static List<String> left(Set<Thread> before) throws InterruptedException {
        var all = new HashSet<>(threads());
        all.removeAll(before);
        var left = new ArrayList<String>();
        for (var thread : all) {
            if (!isOfTheMachine(thread) && !thread.join(PATIENCE)) {
                left.add(thread.getName());
            }
        }
        return left;
    }

    /// Threads that Java itself keeps for whoever needs them next.
    private static boolean isOfTheMachine(Thread thread) {
        return thread.getThreadGroup() == null
                || thread.getThreadGroup().getName().equals("InnocuousThreadGroup")
                || thread.getName().matches("ForkJoinPool.*|VirtualThread-unblocker|process reaper.*|Cleaner-.*");
    }

    @Test
    void nothingIsLeftOpen() throws IOException, InterruptedException {
        var whole = new Faulty(-1, false);
        start(whole).close();
        assertThat(whole.closed).containsExactlyInAnyOrderElementsOf(whole.opened);
        var before = threads();

        for (int step = 0; step < whole.opened.size(); step++) {
            var starting = new Faulty(step, false);
            assertThatThrownBy(() -> start(starting)).hasMessageStartingWith("a fault after ");
            assertThat(starting.closed).containsExactlyElementsOf(starting.opened.reversed());

            var stopping = new Faulty(step, true);
            start(stopping).close();
            assertThat(stopping.closed).containsExactlyElementsOf(stopping.opened.reversed());
        }
        assertThat(left(before)).isEmpty();
    }
}

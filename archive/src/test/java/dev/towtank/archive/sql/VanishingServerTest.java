package dev.towtank.archive.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.towtank.archive.ArchiveRefusal;
import dev.towtank.archive.store.Archive;
import dev.towtank.archive.store.Bundle;
import dev.towtank.archive.store.Rows;
import dev.towtank.model.Json;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

/// A PostgreSQL that goes away in the middle of archiving, and is back later: nothing is lost, and nothing is there
/// twice.
class VanishingServerTest {

    private static final InstantSource NOON = InstantSource.fixed(Instant.parse("2026-01-01T12:00:00Z"));
    private static final byte[] LOG = noise();

    private static byte[] noise() {
        var bytes = new byte[10 << 20];
        new Random(3).nextBytes(bytes);
        return bytes;
    }

    private static Bundle bundle(String result, Bundle.Source log) {
        return new Bundle(
                "dev",
                result,
                Json.Obj.EMPTY,
                Optional.empty(),
                List.of(
                        new Bundle.Item("run-" + result, "tekton.dev/v1.PipelineRun", Json.Obj.EMPTY, "d"),
                        new Bundle.Item("child-" + result, "tekton.dev/v1.TaskRun", Json.Obj.EMPTY, "d")),
                List.of(new Bundle.Log(
                        "log-" + result, Json.Obj.EMPTY, List.of(new Bundle.Part("t", "s", "c-" + result, log)))));
    }

    private static Bundle.Source whole() {
        return () -> Optional.of(new ByteArrayInputStream(LOG));
    }

    private static long count(Database database, String table) {
        return database.read(session -> session.query(Sql.of("SELECT count(*) FROM " + table), row -> row.getLong(1))
                .getFirst());
    }

    /// @param results all that must be there, each with its log
    private static void hasOnce(Database database, Archive archive, List<String> results) throws IOException {
        assertThat(count(database, "results")).isEqualTo(results.size());
        assertThat(count(database, "records")).isEqualTo(3L * results.size());
        assertThat(count(database, "logs")).isEqualTo(results.size());
        for (var result : results) {
            var log = database.read(session -> Rows.record(session, "dev", result, "log-" + result))
                    .orElseThrow();
            var text = new ByteArrayOutputStream();
            archive.copy(archive.parts(log).getFirst(), text);
            assertThat(text.toByteArray()).as(result).isEqualTo(LOG);
        }
    }

    /// Runs something once somebody has read so far.
    private static final class Tripwire extends InputStream {
        private final InputStream log = new ByteArrayInputStream(LOG);
        private final int place;
        private final Runnable action;
        private int read;

        Tripwire(int place, Runnable action) {
            this.place = place;
            this.action = action;
        }

        @Override
        public int read() throws IOException {
            var one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            int count = log.read(bytes, offset, length);
            if (read <= place && read + count > place) {
                action.run();
            }
            read += Math.max(count, 0);
            return count;
        }
    }

    @Test
    void itDiesWhileALogIsRead() throws Exception {
        try (var postgres = Postgres.start();
                var database = Database.open(postgres.newSchema())) {
            var archive = new Archive(database, NOON, Archive.Limits.DEFAULT);
            archive.store(bundle("before", whole()));
            // Before anything is written ahead, between two pieces of it, and when only the run is missing.
            for (int place : new int[] {0, 7 << 20, LOG.length - 1}) {
                assertThatThrownBy(() -> archive.store(bundle(
                                "during", () -> Optional.of(new Tripwire(place, () -> kill(postgres))))))
                        .isInstanceOfSatisfying(
                                ArchiveRefusal.class,
                                refusal -> assertThat(refusal.code()).isEqualTo(ArchiveRefusal.Code.UNAVAILABLE));
                postgres.startAgain();
                assertThat(count(database, "results")).isEqualTo(1);
            }
            archive.store(bundle("during", whole()));
            archive.store(bundle("before", whole()));
            hasOnce(database, archive, List.of("before", "during"));
        }
    }

    private static void kill(Postgres postgres) {
        try {
            postgres.kill();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /// Wherever it dies, be it between the commit and the word about it: whoever is not told does it again.
    @Test
    void itDiesAtAnyMomentOfATransaction() throws Exception {
        try (var postgres = Postgres.start();
                var database = Database.open(postgres.newSchema());
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var archive = new Archive(database, NOON, Archive.Limits.DEFAULT);
            var all = List.of("r0", "r1", "r2", "r3", "r4");
            for (int round = 0; round < all.size(); round++) {
                var result = all.get(round);
                var last = new CountDownLatch(1);
                var storing = threads.submit(() -> archive.store(
                        bundle(result, () -> Optional.of(new Tripwire(LOG.length - 1, last::countDown)))));
                last.await();
                // Not at a moment that is chosen: each is one that must be survived.
                for (int i = 0; i < round * 2000; i++) {
                    Thread.onSpinWait();
                }
                postgres.kill();
                try {
                    storing.get();
                } catch (ExecutionException e) {
                    assertThat(e.getCause()).isInstanceOf(ArchiveRefusal.class);
                }
                postgres.startAgain();
                archive.store(bundle(result, whole()));
            }
            hasOnce(database, archive, all);
        }
    }

    /// It is there, but nothing comes from it any more, not even that it is gone.
    @Test
    void aServerThatFallsSilentIsGivenUp() throws Exception {
        try (var postgres = Postgres.start()) {
            var url = postgres.newSchema();
            try (var wire = new Wire(port(url));
                    var database = Database.open(
                            url.replace(":" + port(url) + "/", ":" + wire.port() + "/"),
                            Duration.ofSeconds(10),
                            Duration.ofSeconds(3))) {
                var archive = new Archive(database, NOON, Archive.Limits.DEFAULT);
                assertThatThrownBy(() -> archive.store(
                                bundle("during", () -> Optional.of(new Tripwire(LOG.length - 1, wire::cut)))))
                        .isInstanceOfSatisfying(
                                ArchiveRefusal.class,
                                refusal -> assertThat(refusal.code()).isEqualTo(ArchiveRefusal.Code.UNAVAILABLE));
                wire.mend();
                archive.store(bundle("during", whole()));
                hasOnce(database, archive, List.of("during"));
            }
        }
    }

    private static int port(String url) {
        return Integer.parseInt(url.replaceFirst(".*:([0-9]+)/.*", "$1"));
    }

    /// What is between two machines. When it is cut, nobody is told.
    private static final class Wire implements AutoCloseable {
        private final ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        private final int target;
        private volatile CountDownLatch whole = new CountDownLatch(0);

        Wire(int target) throws IOException {
            this.target = target;
            Thread.ofVirtual().start(this::accept);
        }

        int port() {
            return server.getLocalPort();
        }

        void cut() {
            whole = new CountDownLatch(1);
        }

        void mend() {
            whole.countDown();
        }

        private void accept() {
            try {
                while (true) {
                    var near = server.accept();
                    var far = new Socket(InetAddress.getLoopbackAddress(), target);
                    Thread.ofVirtual().start(() -> pass(near, far));
                    Thread.ofVirtual().start(() -> pass(far, near));
                }
            } catch (IOException e) {
                // closed
            }
        }

        private void pass(Socket from, Socket to) {
            try (from;
                    to) {
                InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream();
                var buffer = new byte[64 * 1024];
                for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                    whole.await();
                    out.write(buffer, 0, count);
                }
            } catch (SocketException | InterruptedException e) {
                // One end has gone.
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public void close() throws IOException {
            server.close();
        }
    }
}

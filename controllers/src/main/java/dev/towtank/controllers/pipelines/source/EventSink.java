package dev.towtank.controllers.pipelines.source;

import dev.towtank.cluster.Timers;
import dev.towtank.controllers.git.source.NetworkWords;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Takes CloudEvents to whoever listens. Nobody waits for it.
public interface EventSink extends AutoCloseable {

    /// Returns at once.
    ///
    /// @param told gets why it failed for good, or nothing when it arrived
    void send(String address, Message message, Consumer<String> told);

    @Override
    void close();

    /// @param data JSON
    record Message(String type, String source, String subject, String data) {
        @Override
        public String toString() {
            return type + " " + source;
        }
    }

    /// By HTTP, with the attributes in headers.
    static EventSink over(Timers timers) {
        return new OverHttp(timers);
    }

    /// Tries ten times more, waiting longer each time.
    final class OverHttp implements EventSink {
        private static final int ATTEMPTS = 11;
        private static final Duration FIRST_WAIT = Duration.ofMillis(10);
        private static final Duration PATIENCE = Duration.ofSeconds(10);
        private static final int MOST_WAITING = 2000;
        private static final int AT_ONCE = 16;

        private final Timers timers;
        private final ExecutorService senders = Executors.newVirtualThreadPerTaskExecutor();
        private final Semaphore waiting = new Semaphore(MOST_WAITING);
        private final Semaphore sending = new Semaphore(AT_ONCE);
        private @Nullable HttpClient client;

        private OverHttp(Timers timers) {
            this.timers = timers;
        }

        @Override
        public void send(String address, Message message, Consumer<String> told) {
            if (!waiting.tryAcquire()) {
                return; // the listener is far too slow; the runs go on
            }
            try {
                senders.execute(() -> {
                    try {
                        told.accept(problem(address, message));
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt(); // closed
                    } finally {
                        waiting.release();
                    }
                });
            } catch (RejectedExecutionException e) {
                waiting.release();
            }
        }

        private String problem(String address, Message message) throws InterruptedException {
            HttpRequest request;
            try {
                request = request(address, message);
            } catch (IllegalArgumentException e) {
                return "the sink \"" + address + "\" is no address of a web server";
            }
            var problem = "";
            for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
                if (attempt > 0) {
                    timers.pause(FIRST_WAIT.multipliedBy(1L << (attempt - 1)));
                }
                problem = attempt(request);
                if (problem.isEmpty()) {
                    return "";
                }
            }
            return problem;
        }

        private String attempt(HttpRequest request) throws InterruptedException {
            sending.acquire();
            try {
                int code = client().send(request, HttpResponse.BodyHandlers.discarding())
                        .statusCode();
                return code / 100 == 2 ? "" : code + ": the sink did not take it";
            } catch (IOException e) {
                return NetworkWords.words(e, String.valueOf(request.uri().getHost()));
            } finally {
                sending.release();
            }
        }

        // Made when it is first needed: most servers have no sink.
        private synchronized HttpClient client() {
            var present = client;
            if (present == null) {
                present = HttpClient.newBuilder().connectTimeout(PATIENCE).build();
                client = present;
            }
            return present;
        }

        private HttpRequest request(String address, Message message) {
            return HttpRequest.newBuilder(URI.create(address))
                    .timeout(PATIENCE)
                    .header("Ce-Specversion", "1.0")
                    .header("Ce-Id", UUID.randomUUID().toString())
                    .header("Ce-Source", message.source())
                    .header("Ce-Subject", message.subject())
                    .header("Ce-Type", message.type())
                    .header("Ce-Time", timers.instant().toString())
                    .header("Content-Type", "application/json")
                    .POST(HttpRequest.BodyPublishers.ofString(message.data()))
                    .build();
        }

        @Override
        public synchronized void close() {
            senders.shutdownNow();
            if (client != null) {
                client.shutdownNow();
            }
        }
    }
}

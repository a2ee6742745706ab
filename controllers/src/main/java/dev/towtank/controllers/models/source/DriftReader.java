package dev.towtank.controllers.models.source;

import dev.towtank.cluster.Outside;
import dev.towtank.cluster.Timers;
import dev.towtank.controllers.models.api.Drift;
import dev.towtank.controllers.serving.api.Routes;
import dev.towtank.model.BoundedMap;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;

/// Asks the pods of a model what they have seen, and remembers enough of it to tell what came within a window. A server
/// that was started again, and pods that were, begin a new one.
public final class DriftReader implements Outside.Reader<Drift.Question, Drift.Reading>, AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final int LARGEST = 16 << 20;
    /// A window is remembered in as many pieces.
    private static final int PIECES = 8;

    private static final int QUESTIONS = 1000;

    private record Moment(Instant time, Seen seen) {}

    private final Timers timers;
    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(PATIENCE)
            .build();

    // Guarded by itself; the one that was asked longest ago goes first.
    private final Map<Drift.Question, Deque<Moment>> windows = BoundedMap.byUse(QUESTIONS);

    public DriftReader(Timers timers) {
        this.timers = timers;
    }

    @Override
    public Drift.Reading read(Drift.Question question) throws IOException, InterruptedException {
        var now = timers.instant();
        var all = Seen.NOTHING;
        boolean isYoung = true;
        for (var target : question.targets()) {
            var statistics = ask(target);
            all = all.plus(Seen.of(statistics));
            var since = statistics.get("since") instanceof Json.Real(var seconds)
                    ? Instant.ofEpochMilli((long) (seconds * 1000))
                    : Instant.EPOCH;
            isYoung &= since.isAfter(now.minus(question.window()));
        }
        return all.minus(begin(question, new Moment(now, all), isYoung)).reading();
    }

    /// What was seen before the window began.
    private Seen begin(Drift.Question question, Moment now, boolean isYoung) {
        synchronized (windows) {
            var window = windows.computeIfAbsent(question, _ -> {
                var fresh = new ArrayDeque<Moment>();
                fresh.add(isYoung ? new Moment(now.time, Seen.NOTHING) : now);
                return fresh;
            });
            var piece = question.window().dividedBy(PIECES);
            if (!window.getLast().time.plus(piece).isAfter(now.time)) {
                window.add(now);
            }
            // The newest of those that are too old is where the window begins.
            var oldest = now.time.minus(question.window());
            while (window.size() > 1
                    && window.stream().skip(1).findFirst().orElseThrow().time.isBefore(oldest)) {
                window.removeFirst();
            }
            return window.getFirst().seen;
        }
    }

    private Json.Obj ask(Routes.Target target) throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(
                        URI.create("http://" + target.host() + ":" + target.port() + "/internal/statistics"))
                .timeout(PATIENCE)
                .build();
        var answer = client.send(request, HttpResponse.BodyHandlers.ofInputStream());
        try (var in = answer.body()) {
            if (answer.statusCode() != 200) {
                throw new IOException("pod " + target.pod() + " tells nothing of what it has seen: its server answers "
                        + answer.statusCode());
            }
            return JsonText.parseObject(in.readNBytes(LARGEST));
        } catch (JsonText.Malformed e) {
            throw new IOException("what pod " + target.pod() + " tells of what it has seen is no JSON", e);
        }
    }

    @Override
    public void close() {
        client.shutdownNow();
    }
}

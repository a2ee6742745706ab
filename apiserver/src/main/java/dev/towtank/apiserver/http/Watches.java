package dev.towtank.apiserver.http;

import dev.towtank.apiserver.Answer;
import dev.towtank.apiserver.Params;
import dev.towtank.apiserver.view.Rendering;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import org.eclipse.jetty.http.HttpHeader;

/// All open watches.
final class Watches {

    private final WatchReply.Shared shared;
    private final Duration shortest;
    private final Set<WatchReply> open = ConcurrentHashMap.newKeySet();
    private volatile boolean stopping;

    Watches(WatchReply.Shared shared, Duration shortest) {
        this.shared = shared;
        this.shortest = shortest;
    }

    /// Sends the events of a watch until its time is over, its client is gone or this server stops.
    void open(Answer.Watching watching, Reply reply, Rendering rendering, Params params) {
        var timeout = timeout(params);
        if (!reply.begin(200)) {
            watching.stream().close();
            return;
        }
        reply.warn(watching.warnings());
        reply.headers().put(HttpHeader.CONTENT_TYPE, "application/json");
        var watch = new WatchReply(
                shared,
                reply,
                watching,
                rendering,
                params.flag("allowWatchBookmarks"),
                shared.deadlines().now().plus(timeout));
        reply.whenDone(() -> open.remove(watch));
        open.add(watch);
        watch.start();
        if (stopping) {
            watch.stop();
        }
    }

    int size() {
        return open.size();
    }

    void stop() {
        stopping = true;
        open.forEach(WatchReply::stop);
    }

    // Spread, so that the watches of a restarted client do not all end together.
    private Duration timeout(Params params) {
        return params.number("timeoutSeconds")
                .filter(seconds -> seconds > 0)
                .map(seconds ->
                        Duration.ofSeconds(Math.min(seconds, Duration.ofDays(1).toSeconds())))
                .orElseGet(() -> shortest.plus(
                        Duration.ofMillis(ThreadLocalRandom.current().nextLong(shortest.toMillis() + 1))));
    }
}

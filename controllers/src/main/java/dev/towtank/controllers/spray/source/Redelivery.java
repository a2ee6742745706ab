package dev.towtank.controllers.spray.source;

import dev.towtank.cluster.Meters;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/// Sends what waits, the oldest of each backend first, at growing intervals while one does not answer.
public final class Redelivery {

    private static final System.Logger LOG = System.getLogger(Redelivery.class.getName());
    private static final Duration FIRST = Duration.ofSeconds(1);
    private static final Duration LONGEST = Duration.ofMinutes(5);

    private final SprayQueue queue;
    private final Backends backends;
    private final Sender sender;
    private final Duration patience;
    private final Meters.Count droppedCount;
    private final Map<String, Pause> pauses = new HashMap<>();

    private record Pause(Duration length, Instant until) {}

    /// @param patience how long an event is worth sending
    public Redelivery(SprayQueue queue, Backends backends, Sender sender, Duration patience, Meters meters) {
        this.queue = queue;
        this.backends = backends;
        this.sender = sender;
        this.patience = patience;
        this.droppedCount =
                meters.counter("sprayproxy_queue_dropped_total", "Number of events that were given up.", "reason");
    }

    /// Tries everybody once whose pause is over, and goes on with whoever takes.
    ///
    /// @return how many events were sent
    public int step() throws InterruptedException, IOException {
        int sent = 0;
        for (var waiting = queue.next(); ; waiting = queue.next()) {
            int before = sent;
            for (var event : waiting.values()) {
                sent += tried(event) ? 1 : 0;
            }
            if (sent == before) {
                return sent;
            }
        }
    }

    private boolean tried(SprayQueue.Waiting waiting) throws InterruptedException, IOException {
        var now = sender.now();
        var name = waiting.backend();
        var url = backends.url(name);
        var event = queue.read(waiting);
        if (url.isEmpty() || event.isEmpty() || waiting.since().plus(patience).isBefore(now)) {
            dropped(waiting, url.isEmpty() ? "unknown backend" : event.isEmpty() ? "unreadable" : "too old");
            return true;
        }
        var pause = pauses.get(name);
        if (pause != null && now.isBefore(pause.until())) {
            return false;
        }
        var outcome = sender.send(url.get(), event.get());
        backends.note(name, outcome, sender.now());
        if (outcome.isWorthAnotherTry()) {
            var length = pause == null ? FIRST : pause.length().multipliedBy(2);
            length = length.compareTo(LONGEST) > 0 ? LONGEST : length;
            pauses.put(name, new Pause(length, sender.now().plus(length)));
            return false;
        }
        pauses.remove(name);
        queue.remove(waiting);
        return true;
    }

    private void dropped(SprayQueue.Waiting waiting, String reason) throws IOException {
        LOG.log(Level.WARNING, "an event for " + waiting.backend() + " is given up: " + reason);
        droppedCount.count(reason);
        queue.remove(waiting);
    }
}

package dev.towtank.apiserver.http;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.eclipse.jetty.http2.HTTP2Connection;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.ssl.SslConnection;
import org.jspecify.annotations.Nullable;

/// Cuts connections that never get to a whole request, however busily they trickle bytes.
///
/// The idle timeout does not see these: every byte makes them look alive.
final class SlowHeaders implements Connection.Listener, Deadlines.Item {

    private final Duration timeout;
    private final ConcurrentMap<Connection, Progress> connections = new ConcurrentHashMap<>();

    /// @param since when bytes of a request were seen after this number of requests; null while there are none
    private record Progress(
            long requests, long bytes, @Nullable Instant since) {}

    SlowHeaders(Deadlines deadlines, Duration timeout) {
        this.timeout = timeout;
        deadlines.add(this);
    }

    @Override
    public void onOpened(Connection connection) {
        // TLS wraps one of the others, and counts no requests.
        if (!(connection instanceof SslConnection)) {
            connections.put(connection, new Progress(0, 0, null));
        }
    }

    @Override
    public void onClosed(Connection connection) {
        connections.remove(connection);
    }

    @Override
    public void look(Instant now) {
        connections.forEach((connection, last) -> {
            var progress = progress(connection, last, now);
            if (progress.since != null && now.isAfter(progress.since.plus(timeout))) {
                connections.remove(connection);
                connection.getEndPoint().close();
            } else if (!progress.equals(last)) {
                connections.replace(connection, progress);
            }
        });
    }

    private static Progress progress(Connection connection, Progress last, Instant now) {
        long requests = connection.getMessagesIn();
        long bytes = connection.getBytesIn();
        boolean underWay = requests > connection.getMessagesOut();
        if (requests > last.requests || underWay) {
            return new Progress(requests, bytes, null);
        }
        // Connections that still negotiate do not count. Between requests HTTP/2 has traffic of its own.
        boolean begun = requests <= 0 || (bytes > last.bytes && !(connection instanceof HTTP2Connection));
        return new Progress(requests, bytes, last.since == null && begun ? now : last.since);
    }
}

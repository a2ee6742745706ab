package dev.towtank.apiserver.http;

import java.time.Duration;

/// Where to listen, and how much to take.
///
/// @param host address to bind
/// @param port 0 for any free one
/// @param readOnly how many requests that only read may be under way
/// @param mutating how many requests that write may be under way
/// @param longRunning how many watches may be open
/// @param connections how many connections may be open; more wait in the backlog
/// @param bodyBytes the largest body
/// @param requestTimeout after which a request that may wait is answered with a timeout
/// @param headerTimeout within which a connection must have sent the header of its first request
/// @param idleTimeout after which a connection without traffic is closed
/// @param watchTimeout how long a watch lives at least whose client does not say; at most twice as long
/// @param bookmarkEvery how often a watch that asked for bookmarks gets one
/// @param slowReader how long a watch may wait for its client to read on
/// @param drain how long stopping waits for requests under way
/// @param tick how often deadlines are looked at
public record Options(
        String host,
        int port,
        int readOnly,
        int mutating,
        int longRunning,
        int connections,
        int bodyBytes,
        Duration requestTimeout,
        Duration headerTimeout,
        Duration idleTimeout,
        Duration watchTimeout,
        Duration bookmarkEvery,
        Duration slowReader,
        Duration drain,
        Duration tick) {

    private static final int THREE_MEBIBYTES = 3 * 1024 * 1024;

    /// The numbers are kube-apiserver's where it has them.
    public static Options on(String host, int port) {
        return new Options(
                host,
                port,
                400,
                200,
                20_000,
                20_000,
                THREE_MEBIBYTES,
                Duration.ofSeconds(60),
                Duration.ofSeconds(32),
                Duration.ofSeconds(90),
                Duration.ofMinutes(30),
                Duration.ofMinutes(1),
                Duration.ofSeconds(30),
                Duration.ofSeconds(10),
                Duration.ofMillis(200));
    }

    public Options withInFlight(int readOnlyRequests, int mutatingRequests, int watches) {
        return new Options(
                host,
                port,
                readOnlyRequests,
                mutatingRequests,
                watches,
                connections,
                bodyBytes,
                requestTimeout,
                headerTimeout,
                idleTimeout,
                watchTimeout,
                bookmarkEvery,
                slowReader,
                drain,
                tick);
    }

    public Options withTimeouts(Duration request, Duration header, Duration idle) {
        return new Options(
                host,
                port,
                readOnly,
                mutating,
                longRunning,
                connections,
                bodyBytes,
                request,
                header,
                idle,
                watchTimeout,
                bookmarkEvery,
                slowReader,
                drain,
                tick);
    }

    public Options withTick(Duration changed) {
        return new Options(
                host,
                port,
                readOnly,
                mutating,
                longRunning,
                connections,
                bodyBytes,
                requestTimeout,
                headerTimeout,
                idleTimeout,
                watchTimeout,
                bookmarkEvery,
                slowReader,
                drain,
                changed);
    }
}

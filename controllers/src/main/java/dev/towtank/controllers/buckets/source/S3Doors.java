package dev.towtank.controllers.buckets.source;

import dev.towtank.cluster.web.WebDoor;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The two ports of the object store, opened when somebody first needs them.
public final class S3Doors implements AutoCloseable {

    /// What S3 takes in one request.
    private static final long LARGEST_BODY = (5L << 30) + (64L << 20);

    private static final Duration LONGEST = Duration.ofHours(1);

    /// @param http plain
    /// @param https with a certificate by the server's authority
    public record Numbers(int http, int https) {}

    private final WebDoor web;
    private final List<String> names;
    private final S3Server server;
    private WebDoor.@Nullable Open plain;
    private WebDoor.@Nullable Open secure;

    /// @param names what the certificate is for
    public S3Doors(WebDoor web, List<String> names, BucketStore store, Gateway gateway, InstantSource clock) {
        this.web = web;
        this.names = List.copyOf(names);
        this.server = new S3Server(store, gateway, clock);
    }

    public synchronized Numbers open() throws IOException {
        var http = plain;
        var https = secure;
        if (http == null) {
            http = web.open(port("s3"));
            plain = http;
        }
        if (https == null) {
            https = web.open(port("s3-https").withTls(names));
            secure = https;
        }
        return new Numbers(http.port(), https.port());
    }

    private WebDoor.Port port(String name) {
        return WebDoor.Port.plain(name, server).withLargestBody(LARGEST_BODY).withTimeout(LONGEST);
    }

    /// Where it listens; empty before it does.
    public synchronized Optional<Numbers> numbers() {
        return plain == null || secure == null
                ? Optional.empty()
                : Optional.of(new Numbers(plain.port(), secure.port()));
    }

    @Override
    public synchronized void close() {
        for (var door : new WebDoor.@Nullable Open[] {plain, secure}) {
            if (door != null) {
                door.close();
            }
        }
    }
}

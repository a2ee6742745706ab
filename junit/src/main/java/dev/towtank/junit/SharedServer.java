package dev.towtank.junit;

import dev.towtank.app.EmbeddedServer;
import dev.towtank.app.client.ApiClient;
import dev.towtank.model.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/// The one server of this JVM, on a directory that goes with it.
final class SharedServer implements AutoCloseable {
    private static final String CLUSTERS = "/apis/towtank.dev/v1/logicalclusters";

    private final Path directory;
    private final EmbeddedServer server;
    private final ApiClient admin;
    private final AtomicInteger clusters = new AtomicInteger();
    private final AtomicBoolean closed = new AtomicBoolean();

    private SharedServer(Path directory, EmbeddedServer server) {
        this.directory = directory;
        this.server = server;
        this.admin = server.client(server.address());
    }

    static SharedServer start() {
        try {
            var directory = Files.createTempDirectory("towtank-junit");
            var shared = new SharedServer(directory, EmbeddedServer.start(directory));
            // A run that is broken off closes no stores.
            Runtime.getRuntime().addShutdownHook(new Thread(shared::close));
            return shared;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// A new one, with nothing in it but what every cluster has.
    Cluster cluster(Duration patience) {
        var name = "test-" + clusters.incrementAndGet();
        var object = Json.Obj.of(
                "apiVersion", Json.of("towtank.dev/v1"),
                "kind", Json.of("LogicalCluster"),
                "metadata", Json.Obj.of("name", Json.of(name)));
        admin.send("POST", CLUSTERS, "application/json", object);
        var kubeconfig = directory.resolve(name + ".kubeconfig");
        return new Cluster(name, server, kubeconfig, patience, () -> remove(name));
    }

    private void remove(String name) {
        if (!closed.get()) {
            admin.send("DELETE", CLUSTERS + "/" + name, "application/json", Json.Obj.EMPTY);
        }
    }

    @Override
    public void close() {
        if (closed.getAndSet(true)) {
            return;
        }
        admin.close();
        server.close();
        try (var files = Files.walk(directory)) {
            for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

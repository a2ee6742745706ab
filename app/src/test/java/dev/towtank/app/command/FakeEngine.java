package dev.towtank.app.command;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.towtank.app.engine.Engine;
import dev.towtank.app.engine.Failure;
import dev.towtank.cluster.Cluster;
import dev.towtank.cluster.pods.PodAccess;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/// Listens as the real engine does, and answers every request alike: with 200 unless told otherwise.
final class FakeEngine implements Engine {
    private final HttpsServer server;
    private final Site site;
    private final Queue<String> requests = new ConcurrentLinkedQueue<>();

    private FakeEngine(HttpsServer server, Site site) {
        this.server = server;
        this.site = site;
    }

    static FakeEngine start(Site site) throws IOException {
        return start(site, 200);
    }

    static FakeEngine start(Site site, int code) throws IOException {
        var server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), site.port()), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(site.pki().serverTls()));
        var engine = new FakeEngine(server, site);
        server.createContext("/", exchange -> {
            engine.requests.add(exchange.getRequestMethod() + " " + exchange.getRequestURI());
            exchange.getRequestBody().readAllBytes();
            exchange.sendResponseHeaders(code, -1);
            exchange.close();
        });
        server.start();
        Files.createDirectories(site.store().orElse(site.audit()));
        return engine;
    }

    List<String> requests() {
        return List.copyOf(requests);
    }

    @Override
    public URI address() {
        return URI.create("https://127.0.0.1:" + server.getAddress().getPort());
    }

    @Override
    public Cluster cluster() {
        throw new Failure("the fake engine has no objects");
    }

    @Override
    public PodAccess pods() {
        throw new Failure("the fake engine has no pods");
    }

    @Override
    public void kill() {}

    @Override
    public void close() {
        server.stop(0);
        try {
            Files.writeString(site.store().orElse(site.audit()).resolve("closed"), "");
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}

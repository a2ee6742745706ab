package dev.towtank.app;

import dev.towtank.apiserver.http.HttpServer;
import dev.towtank.apiserver.http.Options;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The way to the server over the network: open at once, or beside everything else for a start that cannot wait for it.
final class NetworkDoor implements AutoCloseable {

    private static final System.Logger LOG = System.getLogger(NetworkDoor.class.getName());

    private final int port;
    private final Thread opening;
    private volatile @Nullable HttpServer server;

    private NetworkDoor(int port, Function<Options, HttpServer> make, Options options) {
        this.port = port;
        this.opening = Thread.ofPlatform().name("network").daemon().unstarted(() -> {
            try {
                var made = make.apply(options);
                made.start();
                server = made;
            } catch (IOException | RuntimeException e) {
                LOG.log(Level.WARNING, "pods cannot reach the API: {0}", e);
            }
        });
    }

    private NetworkDoor(HttpServer server) {
        this.port = server.port();
        this.server = server;
        this.opening = new Thread(() -> {});
    }

    static NetworkDoor open(Engine.Site site, Function<Options, HttpServer> make) throws IOException {
        var local = InetAddress.getLoopbackAddress();
        if (site.isPatient()) {
            var server = make.apply(Options.on(local.getHostAddress(), site.port()));
            server.start();
            return new NetworkDoor(server);
        }
        int port = site.port() == 0 ? free(local) : site.port();
        var door = new NetworkDoor(port, make, Options.on(local.getHostAddress(), port));
        door.opening.start();
        return door;
    }

    private static int free(InetAddress local) throws IOException {
        try (var socket = new ServerSocket(0, 1, local)) {
            return socket.getLocalPort();
        }
    }

    int port() {
        return port;
    }

    @Override
    public void close() {
        try {
            opening.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        var open = server;
        if (open != null) {
            open.close();
        }
    }
}

package dev.towtank.app.engine;

import dev.towtank.apiserver.http.HttpServer;
import dev.towtank.apiserver.http.Options;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The way to the server over the network: open at once, or, for a start that cannot wait for it, when the first client
/// knocks. Most runs have none.
final class NetworkDoor implements AutoCloseable {

    private static final System.Logger LOG = System.getLogger(NetworkDoor.class.getName());

    private final int port;
    private final Runnable wakeUp;
    private final Thread opening;
    private volatile @Nullable HttpServer server;

    private NetworkDoor(HttpServer server) {
        this.port = server.port();
        this.server = server;
        this.wakeUp = () -> {};
        this.opening = new Thread(() -> {});
    }

    private NetworkDoor(ServerSocketChannel channel, Selector selector, Function<Options, HttpServer> make)
            throws IOException {
        var address = (InetSocketAddress) channel.getLocalAddress();
        this.port = address.getPort();
        this.wakeUp = selector::wakeup;
        this.opening = Thread.ofPlatform()
                .name("network")
                .daemon()
                .unstarted(() -> awaitClient(
                        channel,
                        selector,
                        () -> make.apply(Options.on(address.getAddress().getHostAddress(), port))));
    }

    static NetworkDoor open(Engine.Site site, Function<Options, HttpServer> make) throws IOException {
        var local = InetAddress.getLoopbackAddress();
        if (site.isPatient()) {
            var server = make.apply(Options.on(local.getHostAddress(), site.port()));
            server.start();
            return new NetworkDoor(server);
        }
        var channel = ServerSocketChannel.open();
        try {
            channel.bind(new InetSocketAddress(local, site.port()));
            channel.configureBlocking(false);
            var door = new NetworkDoor(channel, Selector.open(), make);
            door.opening.start();
            return door;
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    private interface Making {
        HttpServer server();
    }

    private void awaitClient(ServerSocketChannel channel, Selector selector, Making making) {
        try (selector) {
            var key = channel.register(selector, SelectionKey.OP_ACCEPT);
            // Also woken when the engine ends; then nobody has knocked.
            boolean hasClient = selector.select() > 0;
            key.cancel();
            selector.selectNow();
            if (!hasClient) {
                channel.close();
                return;
            }
            channel.configureBlocking(true);
            var made = making.server();
            made.start(channel);
            server = made;
        } catch (IOException | UncheckedIOException | IllegalStateException e) {
            LOG.log(Level.WARNING, "pods cannot reach the API: {0}", e);
        }
    }

    int port() {
        return port;
    }

    @Override
    public void close() {
        wakeUp.run();
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

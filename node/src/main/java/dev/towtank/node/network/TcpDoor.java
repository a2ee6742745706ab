package dev.towtank.node.network;

import dev.towtank.node.network.ServiceTable.Backend;
import dev.towtank.node.network.ServiceTable.Listener;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

/// Passes connections on.
final class TcpDoor implements Door {

    private static final int CONNECTIONS_PER_SERVICE = 1024;
    private static final int CONNECT_MILLIS = 5000;
    private static final int BUFFER = 16 * 1024;

    private final ServerSocket socket;
    private final Semaphore connections = new Semaphore(CONNECTIONS_PER_SERVICE);
    private final AtomicInteger turn = new AtomicInteger();
    private volatile List<Backend> backends;

    TcpDoor(Listener listener, InetAddress address, List<Backend> backends) throws IOException {
        this(new ServerSocket(listener.port(), CONNECTIONS_PER_SERVICE, address), backends);
    }

    /// @param socket which listens already, be it in another network
    TcpDoor(ServerSocket socket, List<Backend> backends) {
        this.backends = backends;
        this.socket = socket;
        Thread.ofVirtual().name("service " + socket.getLocalSocketAddress()).start(this::accept);
    }

    private void accept() {
        while (!socket.isClosed()) {
            try {
                connections.acquire();
                var client = socket.accept();
                Thread.ofVirtual().name("connection").start(() -> serve(client));
            } catch (IOException e) {
                connections.release();
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    private void serve(Socket client) {
        try (client;
                var server = connect()) {
            var back = Thread.ofVirtual().start(() -> copy(server, client));
            copy(client, server);
            back.join();
        } catch (IOException e) {
            // nobody answers: the client sees its connection end
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            connections.release();
        }
    }

    private Socket connect() throws IOException {
        var known = backends;
        IOException last = new IOException("nobody answers for this service");
        for (int i = 0; i < known.size(); i++) {
            var backend = known.get(Math.floorMod(turn.getAndIncrement(), known.size()));
            var server = new Socket();
            try {
                server.connect(new InetSocketAddress(backend.host(), backend.port()), CONNECT_MILLIS);
                return server;
            } catch (IOException e) {
                server.close();
                last = e;
            }
        }
        throw last;
    }

    /// Until the end of input, which is passed on.
    private static void copy(Socket from, Socket to) {
        var buffer = new byte[BUFFER];
        try {
            var input = from.getInputStream();
            var output = to.getOutputStream();
            for (int count = input.read(buffer); count >= 0; count = input.read(buffer)) {
                output.write(buffer, 0, count);
            }
            to.shutdownOutput();
        } catch (IOException e) {
            closeQuietly(from);
            closeQuietly(to);
        }
    }

    private static void closeQuietly(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // it is of no use any more
        }
    }

    @Override
    public void lead(List<Backend> others) {
        backends = others;
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            // it is of no use any more
        }
    }
}

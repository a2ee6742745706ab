package dev.towtank.node.network;

import dev.towtank.node.network.ServiceTable.Backend;
import dev.towtank.node.network.ServiceTable.Listener;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

/// Passes connections on.
final class TcpDoor implements Door {

    private static final int CONNECTIONS_PER_SERVICE = 1024;
    private static final int CONNECTIONS_PER_CLIENT = 256;

    /// A pod of this machine takes a connection at once, or its network is gone: then it is the next one's turn, before
    /// the client gives up.
    private static final int CONNECT_MILLIS = 1000;

    private static final int BUFFER = 16 * 1024;

    private final ServerSocket socket;
    private final Places places;
    private final Shares shares = new Shares(CONNECTIONS_PER_CLIENT);
    private final Semaphore connections = new Semaphore(CONNECTIONS_PER_SERVICE);
    private final AtomicInteger turn = new AtomicInteger();
    private volatile List<Backend> backends;

    static TcpDoor open(Listener listener, InetAddress address, List<Backend> backends, Places places)
            throws IOException {
        var socket = places.listening().listen(address, listener.port(), CONNECTIONS_PER_SERVICE);
        return new TcpDoor(socket, backends, places);
    }

    /// @param socket which listens already, be it in another network
    TcpDoor(ServerSocket socket, List<Backend> backends, Places places) {
        this.backends = backends;
        this.socket = socket;
        this.places = places;
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
        var who = client.getInetAddress();
        if (!shares.take(who)) {
            closeQuietly(client);
            connections.release();
            return;
        }
        var near = places.connections().add(client, who.getHostAddress());
        try (client) {
            pass(near, who);
        } catch (IOException e) {
            // nobody answers: the client sees its connection end
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            places.connections().remove(near);
            shares.giveBack(who);
            connections.release();
        }
    }

    private void pass(Connections.Leg near, InetAddress who) throws IOException, InterruptedException {
        var far = connect(who);
        try (var server = far.socket()) {
            var back = Thread.ofVirtual().start(() -> copy(far, near.socket()));
            copy(near, server);
            back.join();
        } finally {
            places.connections().remove(far);
        }
    }

    /// It counts before it is connected: an address may be left in between.
    private Connections.Leg connect(InetAddress client) throws IOException {
        IOException last = new IOException("nobody answers for this service");
        for (var backend : inTurn()) {
            if (!places.guests().may(client, backend)) {
                continue;
            }
            var leg = places.connections().add(places.to(backend).socket(), backend.host());
            try {
                leg.socket().connect(new InetSocketAddress(backend.host(), backend.port()), CONNECT_MILLIS);
                return leg;
            } catch (IOException e) {
                places.connections().remove(leg);
                leg.socket().close();
                last = e;
            }
        }
        throw last;
    }

    /// Those that are about to end come last.
    private List<Backend> inTurn() {
        var known = new ArrayList<>(backends);
        Collections.rotate(known, -Math.floorMod(turn.getAndIncrement(), Math.max(1, known.size())));
        known.sort(Comparator.comparing(backend -> places.connections().isAvoided(backend.host())));
        return known;
    }

    /// Until the end of input, which is passed on.
    private static void copy(Connections.Leg leg, Socket to) {
        var from = leg.socket();
        var buffer = new byte[BUFFER];
        try {
            var input = from.getInputStream();
            var output = to.getOutputStream();
            for (int count = input.read(buffer); count >= 0; count = leg.isOver() ? -1 : input.read(buffer)) {
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

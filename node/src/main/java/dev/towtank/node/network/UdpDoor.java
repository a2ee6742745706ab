package dev.towtank.node.network;

import dev.towtank.node.network.ServiceTable.Backend;
import dev.towtank.node.network.ServiceTable.Listener;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketTimeoutException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Passes datagrams on. Those of one client go to one backend, whose answers come back from the service's address,
/// until neither has said anything for a while.
final class UdpDoor implements Door {

    private static final int TALKS_PER_SERVICE = 256;
    // As long as the kernel remembers such a talk.
    private static final int SILENCE_MILLIS = 30_000;
    private static final int LARGEST = 65_535;

    private static final InetAddress ANY = Subnet.address(0);

    private final DatagramSocket socket;
    private final Places places;

    // Guarded by this object's monitor.
    private final Map<SocketAddress, Talk> talks = new HashMap<>();
    private List<Backend> backends;
    private int turn;

    UdpDoor(Listener listener, InetAddress address, List<Backend> backends, Places places) throws IOException {
        this.backends = backends;
        this.places = places;
        this.socket = places.listening().datagrams(address, listener.port());
        Thread.ofVirtual().name("service " + listener).start(this::receive);
    }

    @Override
    public synchronized void lead(List<Backend> others) {
        backends = others;
        talks.values().removeIf(talk -> {
            boolean gone = !others.contains(talk.backend);
            if (gone) {
                talk.socket.close();
            }
            return gone;
        });
    }

    private void receive() {
        var packet = new DatagramPacket(new byte[LARGEST], LARGEST);
        while (!socket.isClosed()) {
            try {
                packet.setLength(LARGEST);
                socket.receive(packet);
                talk(packet.getSocketAddress()).say(packet);
            } catch (IOException e) {
                // Datagrams get lost: whoever needs an answer asks again.
            }
        }
    }

    private synchronized Talk talk(SocketAddress client) throws IOException {
        var known = talks.get(client);
        if (known != null) {
            return known;
        }
        var open = backends.stream()
                .filter(backend -> places.guests().may(((InetSocketAddress) client).getAddress(), backend))
                .toList();
        if (open.isEmpty() || talks.size() >= TALKS_PER_SERVICE || socket.isClosed()) {
            throw new IOException("nobody answers for this service");
        }
        var talk = new Talk(client, open.get(Math.floorMod(turn++, open.size())));
        talks.put(client, talk);
        Thread.ofVirtual().name("datagrams").start(talk::answer);
        return talk;
    }

    private synchronized void forget(Talk talk) {
        talks.remove(talk.client, talk);
        talk.socket.close();
    }

    @Override
    public synchronized void close() {
        socket.close();
        talks.values().forEach(talk -> talk.socket.close());
        talks.clear();
    }

    /// Between one client and one backend.
    private final class Talk {
        private final SocketAddress client;
        private final Backend backend;
        private final DatagramSocket socket;
        private volatile boolean heard;

        Talk(SocketAddress client, Backend backend) throws IOException {
            this.client = client;
            this.backend = backend;
            this.socket = places.to(backend).datagrams(ANY, 0);
            try {
                socket.connect(new InetSocketAddress(backend.host(), backend.port()));
                socket.setSoTimeout(SILENCE_MILLIS);
            } catch (IOException e) {
                socket.close();
                throw e;
            }
        }

        void say(DatagramPacket packet) throws IOException {
            heard = true;
            socket.send(new DatagramPacket(packet.getData(), packet.getLength()));
        }

        void answer() {
            var packet = new DatagramPacket(new byte[LARGEST], LARGEST);
            try {
                while (true) {
                    packet.setLength(LARGEST);
                    if (receive(packet)) {
                        UdpDoor.this.socket.send(new DatagramPacket(packet.getData(), packet.getLength(), client));
                    }
                }
            } catch (IOException e) {
                forget(this); // silence, or nobody listens there
            }
        }

        /// @return false when there was no answer, but the client has asked again meanwhile
        private boolean receive(DatagramPacket packet) throws IOException {
            heard = false;
            try {
                socket.receive(packet);
                return true;
            } catch (SocketTimeoutException e) {
                if (heard) {
                    return false;
                }
                throw e;
            }
        }
    }
}

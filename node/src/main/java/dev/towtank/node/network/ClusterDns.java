package dev.towtank.node.network;

import dev.towtank.model.LogicalCluster;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;

/// Answers pods who ask for names of their cluster, and passes all other questions on to whom this machine asks.
final class ClusterDns implements AutoCloseable {

    static final int PORT = 53;
    private static final int LARGEST = 4096;
    private static final int AT_ONCE = 256;
    private static final int AT_ONCE_PER_CLIENT = 32;
    private static final int PATIENCE_MILLIS = 5000;
    private static final Path MACHINE = Path.of("/etc/resolv.conf");

    private final DatagramSocket socket;
    private final LogicalCluster cluster;
    private final Supplier<List<ServiceTable.Name>> names;
    private final Semaphore turns = new Semaphore(AT_ONCE);
    private final Shares shares = new Shares(AT_ONCE_PER_CLIENT);

    /// @param socket where pods ask
    ClusterDns(DatagramSocket socket, LogicalCluster cluster, Supplier<List<ServiceTable.Name>> names) {
        this.cluster = cluster;
        this.names = names;
        this.socket = socket;
        Thread.ofVirtual().name("names").start(this::receive);
    }

    private void receive() {
        var packet = new DatagramPacket(new byte[LARGEST], LARGEST);
        while (!socket.isClosed()) {
            try {
                packet.setLength(LARGEST);
                socket.receive(packet);
                var asked = Arrays.copyOf(packet.getData(), packet.getLength());
                var client = packet.getSocketAddress();
                begin(asked, client, packet.getAddress());
            } catch (IOException e) {
                // datagrams get lost
            }
        }
    }

    /// Who gets no answer asks again.
    private void begin(byte[] asked, SocketAddress client, InetAddress who) {
        if (!shares.take(who)) {
            return;
        }
        if (!turns.tryAcquire()) {
            shares.giveBack(who);
            return;
        }
        Thread.ofVirtual().start(() -> {
            try {
                serve(asked, client);
            } finally {
                turns.release();
                shares.giveBack(who);
            }
        });
    }

    private void serve(byte[] asked, SocketAddress client) {
        try {
            var question = DnsQuestion.of(asked);
            if (question.isEmpty()) {
                return;
            }
            var answer = question.get().isOurs() ? question.get().answer(addresses(question.get())) : ask(asked);
            socket.send(new DatagramPacket(answer, answer.length, client));
        } catch (IOException e) {
            // the resolver behind us is silent: so are we
        }
    }

    private List<InetAddress> addresses(DnsQuestion question) throws IOException {
        var found = new ArrayList<InetAddress>();
        for (var name : names.get()) {
            if (name.cluster().equals(cluster)
                    && question.isFor(name.service() + "." + name.namespace() + ".svc.cluster.local")) {
                found.add(InetAddress.getByName(
                        name.seenFromElsewhere(socket.getLocalAddress().getHostAddress())
                                .address()));
            }
        }
        return found;
    }

    private static byte[] ask(byte[] question) throws IOException {
        IOException last = new IOException("this machine has no resolver");
        for (var server : servers()) {
            try (var upstream = new DatagramSocket()) {
                upstream.connect(new InetSocketAddress(server, PORT));
                upstream.setSoTimeout(PATIENCE_MILLIS);
                upstream.send(new DatagramPacket(question, question.length));
                var answer = new DatagramPacket(new byte[LARGEST], LARGEST);
                do { // an answer to another question is none
                    answer.setLength(LARGEST);
                    upstream.receive(answer);
                } while (answer.getLength() < 2
                        || answer.getData()[0] != question[0]
                        || answer.getData()[1] != question[1]);
                return Arrays.copyOf(answer.getData(), answer.getLength());
            } catch (IOException e) {
                last = e;
            }
        }
        throw last;
    }

    private static List<String> servers() throws IOException {
        return Files.readAllLines(MACHINE).stream()
                .map(String::strip)
                .filter(line -> line.startsWith("nameserver "))
                .map(line -> line.substring("nameserver ".length()).strip())
                .filter(server -> server.matches("[0-9a-fA-F.:]+"))
                .toList();
    }

    @Override
    public void close() {
        socket.close();
    }
}

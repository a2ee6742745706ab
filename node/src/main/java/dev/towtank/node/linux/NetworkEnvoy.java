package dev.towtank.node.linux;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.OptionalInt;

/// Goes into networks for a server without rights: it has them in the user namespace of those networks, which no thread
/// of it can enter, but an [Envoy].
public final class NetworkEnvoy implements NetworkDoors {

    private static final int NEW_NETWORK = 0x40000000;
    private static final int NEW_USER = 0x10000000;
    private static final int HERE = -100; // AT_FDCWD
    private static final int WRITE_ONLY = 1 | 0x80000;
    private static final int READ_ONLY = 0x80000;
    private static final int NETWORK_ADMINISTRATION = 1 << 12; // CAP_NET_ADMIN

    private final int user;

    /// @param user a link to the user namespace
    public NetworkEnvoy(Path user) throws IOException {
        this.user = Descriptors.open(user, 0, 0);
    }

    /// Whether this kernel lets a user make networks; why not is in the exception.
    public static void attempt() throws IOException {
        var _ = new Envoy()
                .then("make a user namespace", Call.UNSHARE, NEW_USER)
                .then("make a network namespace", Call.UNSHARE, NEW_NETWORK)
                .run();
    }

    private Envoy inside() {
        return new Envoy().then("enter a user namespace", Call.SETNS, user, NEW_USER);
    }

    private Envoy in(NetworkNamespace network) {
        return inside().then("enter a network namespace", Call.SETNS, network.descriptor(), NEW_NETWORK);
    }

    @Override
    public NetworkNamespace make() throws IOException {
        var results = inside().then("make a network namespace", Call.UNSHARE, NEW_NETWORK)
                .then("open a network namespace", Call.OPENAT, HERE, "/proc/self/ns/net", READ_ONLY, 0)
                .run();
        return new NetworkNamespace((int) results[2], OptionalInt.of(user));
    }

    @Override
    public NetworkNamespace open(Path link) throws IOException {
        return new NetworkNamespace(Descriptors.open(link, 0, 0), OptionalInt.of(user));
    }

    @Override
    public Netlink links(NetworkNamespace network) throws IOException {
        return new Netlink((int) Netlink.opening(in(network)).run()[2]);
    }

    @Override
    public void set(NetworkNamespace network, List<Setting> settings) throws IOException {
        var envoy = in(network);
        for (var setting : settings) {
            envoy.then(
                    "open " + setting.name(),
                    Call.OPENAT,
                    HERE,
                    SETTINGS.resolve(setting.name()).toString(),
                    WRITE_ONLY,
                    0);
        }
        var opened = envoy.run();
        try {
            for (int i = 0; i < settings.size(); i++) {
                Descriptors.write((int) opened[i + 2], settings.get(i).value().getBytes(StandardCharsets.US_ASCII));
            }
        } finally {
            for (int i = 0; i < settings.size(); i++) {
                Descriptors.close((int) opened[i + 2]);
            }
        }
    }

    private List<OpenedSocket> sockets(NetworkNamespace network, int type, int count) throws IOException {
        var envoy = in(network);
        for (int i = 0; i < count; i++) {
            envoy.then("open a socket", Call.SOCKET, OpenedSocket.FAMILY, type | OpenedSocket.NEVER_BLOCKS, 0);
        }
        var opened = envoy.run();
        var sockets = new ArrayList<OpenedSocket>();
        for (int i = 0; i < count; i++) {
            sockets.add(new OpenedSocket((int) opened[i + 2]));
        }
        return sockets;
    }

    @Override
    public Socket socket(NetworkNamespace network) throws IOException {
        return OpenedStream.socket(sockets(network, OpenedSocket.STREAM, 1).getFirst());
    }

    @Override
    public List<ServerSocket> listen(
            NetworkNamespace network, InetAddress address, Collection<Integer> ports, int backlog) throws IOException {
        var opened = new ArrayList<ServerSocket>();
        var sockets = sockets(network, OpenedSocket.STREAM, ports.size()).iterator();
        for (int port : ports) {
            try {
                opened.add(OpenedStream.server(sockets.next(), address, port, backlog));
            } catch (IOException e) {
                // somebody in there uses that port
            }
        }
        return opened;
    }

    @Override
    public DatagramSocket datagrams(NetworkNamespace network, InetAddress address, int port) throws IOException {
        return OpenedDatagrams.of(sockets(network, OpenedSocket.DATAGRAMS, 1).getFirst(), address, port);
    }

    /// A program loses the rights of who starts it, unless they are ambient.
    @Override
    public void run(NetworkNamespace network, List<String> program, String input) throws IOException {
        int ambient = 47; // PR_CAP_AMBIENT
        int raise = 2;
        int administration = Integer.numberOfTrailingZeros(NETWORK_ADMINISTRATION);
        ShortProgram.run(program, input, asked -> {
            var envoy = in(network)
                    .then(
                            "keep a right",
                            Call.CAPSET,
                            numbers(0x20080522, 0),
                            numbers(NETWORK_ADMINISTRATION, NETWORK_ADMINISTRATION, NETWORK_ADMINISTRATION, 0, 0, 0))
                    .then("pass a right on", Call.PRCTL, ambient, raise, administration, 0, 0)
                    .then("have descriptors of its own", Call.UNSHARE, 0x400);
            for (int i = 0; i < asked.descriptors().size(); i++) {
                envoy.then(
                        "hand over a descriptor", Call.DUP3, asked.descriptors().get(i), i, 0);
            }
            return envoy.then("close the others", Call.CLOSE_RANGE, 3, 0xffff_ffffL, 0)
                    .then("let signals in", Call.RT_SIGPROCMASK, 2, numbers(0, 0), 0, 8)
                    .then(
                            "start " + asked.program(),
                            Call.EXECVE,
                            asked.program().toString(),
                            asked.arguments(),
                            List.of())
                    .start();
        });
    }

    private static byte[] numbers(int... numbers) {
        var bytes = ByteBuffer.allocate(4 * numbers.length).order(ByteOrder.nativeOrder());
        for (int number : numbers) {
            bytes.putInt(number);
        }
        return bytes.array();
    }

    @Override
    public void close() {
        Descriptors.close(user);
    }
}

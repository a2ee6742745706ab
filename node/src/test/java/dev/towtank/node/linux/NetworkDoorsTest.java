package dev.towtank.node.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.ConnectException;
import java.net.DatagramPacket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/// What every way into networks does; that by a thread is root's.
@ParameterizedClass
@MethodSource("ways")
class NetworkDoorsTest {

    private static final InetAddress LOCAL = InetAddress.getLoopbackAddress();

    enum Way {
        THREAD,
        ENVOY
    }

    static List<Way> ways() {
        return Processes.user() == 0 ? List.of(Way.THREAD, Way.ENVOY) : List.of(Way.ENVOY);
    }

    @Parameter
    Way way;

    private Process holder;
    private NetworkDoors doors;
    private NetworkNamespace network;

    @BeforeEach
    void make() throws IOException {
        holder = new ProcessBuilder(
                        "unshare", "--user", "--map-current-user", "--net", "sh", "-c", "echo; exec sleep 99")
                .start();
        var _ = holder.getInputStream().read();
        doors = way == Way.THREAD
                ? new NetworkThread()
                : new NetworkEnvoy(Path.of("/proc/" + holder.pid() + "/ns/user"));
        network = doors.make();
        try (var links = doors.links(network)) {
            links.setUp(links.index("lo"));
        }
    }

    @AfterEach
    void close() {
        network.close();
        doors.close();
        holder.destroyForcibly();
    }

    @Test
    void aNewNetworkIsNobodysAndHoldsWhatIsPutThere() throws IOException {
        assertThat(network.name())
                .isNotEqualTo(
                        Files.readSymbolicLink(Path.of("/proc/self/ns/net")).toString());
        try (var links = doors.links(network)) {
            assertThat(links.index("lo")).isEqualTo(1);
            assertThat(links.index("other")).isZero();
            links.addBridge("other", "a second name");
            assertThat(links.index("other")).isPositive();
            assertThat(links.alias("other")).isEqualTo("a second name");
            assertThat(links.alias("lo")).isEmpty();
        }
        assertThat(Files.exists(Path.of("/sys/class/net/other"))).isFalse();
    }

    /// Why a thread of ours cannot be the one that makes a plain user's containers.
    @Test
    void noThreadOfOursEntersAUserNamespace() {
        int newUser = 0x10000000;

        assertThatThrownBy(() -> Call.UNSHARE.call("make a user namespace", newUser))
                .isInstanceOfSatisfying(
                        LinuxException.class,
                        refused -> assertThat(refused.is(LinuxException.EINVAL)).isTrue());
    }

    @Test
    void bytesPassUntilEitherSideEnds() throws Exception {
        try (var server = doors.listen(network, LOCAL, List.of(80), 5).getFirst();
                var client = doors.socket(network)) {
            client.connect(new InetSocketAddress(LOCAL, 80), 1000);
            try (var accepted = server.accept()) {
                assertThat(accepted.getInetAddress()).isEqualTo(LOCAL);
                var large = "x".repeat(3_000_000).getBytes(StandardCharsets.US_ASCII);
                var writer = Thread.ofVirtual().start(() -> {
                    try {
                        client.getOutputStream().write(large);
                        client.shutdownOutput();
                    } catch (IOException e) {
                        throw new IllegalStateException(e);
                    }
                });
                assertThat(accepted.getInputStream().readAllBytes()).isEqualTo(large);
                writer.join();
                accepted.getOutputStream().write('y');
                assertThat(client.getInputStream().read()).isEqualTo('y');
            }
            assertThat(client.getInputStream().read()).isEqualTo(-1);
        }
    }

    @Test
    void nobodyThereIsToldAsSuch() throws IOException {
        try (var client = doors.socket(network)) {
            assertThatThrownBy(() -> client.connect(new InetSocketAddress(LOCAL, 81), 1000))
                    .isInstanceOf(ConnectException.class);
        }
        try (var taken = doors.listen(network, LOCAL, List.of(82), 5).getFirst()) {
            assertThat(taken.getLocalPort()).isEqualTo(82);
            assertThat(doors.listen(network, LOCAL, List.of(82), 5)).isEmpty();
        }
    }

    @Test
    void whoWaitsTooLongIsToldAndWhoIsClosedToo() throws Exception {
        var server = doors.listen(network, LOCAL, List.of(83), 5).getFirst();
        var client = doors.socket(network);
        client.connect(new InetSocketAddress(LOCAL, 83), 1000);
        client.setSoTimeout(10);
        assertThatThrownBy(() -> client.getInputStream().read()).isInstanceOf(SocketTimeoutException.class);
        client.setSoTimeout(0);
        var problems = new ArrayList<Exception>();
        var reader = Thread.ofPlatform().start(() -> {
            try {
                var _ = client.getInputStream().read();
            } catch (IOException e) {
                problems.add(e);
            }
        });
        client.close();
        reader.join();
        assertThat(problems).hasSize(1);
        server.close();
        assertThatThrownBy(server::accept).isInstanceOf(SocketException.class);
    }

    @Test
    void datagramsPass() throws IOException {
        try (var one = doors.datagrams(network, LOCAL, 53);
                var other = doors.datagrams(network, LOCAL, 0)) {
            other.connect(new InetSocketAddress(LOCAL, 53));
            other.send(new DatagramPacket("ask".getBytes(StandardCharsets.US_ASCII), 3));
            var packet = new DatagramPacket(new byte[10], 10);
            one.receive(packet);
            assertThat(new String(packet.getData(), 0, packet.getLength(), StandardCharsets.US_ASCII))
                    .isEqualTo("ask");
            one.send(new DatagramPacket("answer".getBytes(StandardCharsets.US_ASCII), 6, packet.getSocketAddress()));
            packet.setLength(10);
            other.receive(packet);
            assertThat(packet.getLength()).isEqualTo(6);
            other.setSoTimeout(10);
            assertThatThrownBy(() -> other.receive(packet)).isInstanceOf(SocketTimeoutException.class);
        }
    }

    @Test
    void settingsAndProgramsAreThoseOfTheNetwork() throws IOException {
        doors.set(network, List.of(new NetworkDoors.Setting("ipv4/ip_unprivileged_port_start", "7")));
        var look = "read port < /proc/sys/net/ipv4/ip_unprivileged_port_start; read word; echo $port $word; exit $1";
        doors.run(network, List.of("/bin/sh", "-c", look, "sh", "0"), "text\n");
        assertThatThrownBy(() -> doors.run(network, List.of("/bin/sh", "-c", look, "sh", "3"), "text\n"))
                .isInstanceOf(IOException.class)
                .hasMessage("/bin/sh ended with 3: 7 text");
        doors.run(network, List.of("/usr/sbin/nft", "-f", "/dev/stdin"), "add table ip t\n");
        assertThatThrownBy(() -> doors.run(network, List.of("/no/such"), "")).hasMessageContaining("/no/such");
    }
}

package dev.towtank.node.network;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.model.YamlText;
import dev.towtank.node.network.ServiceTable.Backend;
import dev.towtank.node.network.ServiceTable.Listener;
import dev.towtank.node.network.ServiceTable.Protocol;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ServicesTest {

    private static final Backend SERVER = new Backend("127.0.0.1", 6443);

    private static List<Resource> objects(String yaml) {
        return YamlText.parseAll(yaml).stream()
                .map(json -> Resource.of((Json.Obj) json))
                .toList();
    }

    private static final List<Resource> SERVICES = objects("""
            metadata: {name: web, namespace: shop}
            spec: {clusterIP: 127.97.0.1, ports: [{name: http, port: 80, nodePort: 30080}, {name: dns, port: 80, protocol: UDP}, {name: x, port: 9, protocol: SCTP}]}
            ---
            metadata: {name: idle, namespace: shop}
            spec: {clusterIP: 127.97.0.2, ports: [{port: 80}]}
            ---
            metadata: {name: db, namespace: data}
            spec: {clusterIP: None, ports: [{port: 5432}]}
            ---
            metadata: {name: kubernetes, namespace: default}
            spec: {clusterIP: 127.96.0.1, ports: [{name: https, port: 443}]}
            ---
            metadata: {name: new, namespace: shop}
            spec: {type: ClusterIP, ports: [{port: 80}]}
            """);

    private static final List<Resource> SLICES = objects("""
            metadata: {name: web-1, namespace: shop, labels: {kubernetes.io/service-name: web}}
            ports: [{name: http, port: 8080, protocol: TCP}, {name: dns, port: 5353, protocol: UDP}]
            endpoints:
            - {addresses: [10.0.0.1], conditions: {ready: true}}
            - {addresses: [10.0.0.1], conditions: {ready: false}}
            ---
            metadata: {name: web-2, namespace: shop, labels: {kubernetes.io/service-name: web}}
            ports: [{name: http, port: 8081}]
            endpoints: [{addresses: [192.0.2.7]}]
            ---
            metadata: {name: db-1, namespace: data, labels: {kubernetes.io/service-name: db}}
            ports: [{port: 5432}]
            endpoints: [{addresses: [10.0.0.1], conditions: {ready: true}}]
            """);

    private static final ServiceTable.Services TABLE = ServiceTable.of(SERVICES, SLICES, "10.0.0.1", SERVER);

    @Test
    void listensForServicesThatSomebodyAnswersFor() {
        var web = List.of(new Backend("127.0.0.1", 8080), new Backend("192.0.2.7", 8081));
        assertThat(TABLE.listeners())
                .containsOnly(
                        Map.entry(new Listener(Protocol.TCP, "127.97.0.1", 80), web),
                        Map.entry(new Listener(Protocol.TCP, "127.0.0.1", 30080), web),
                        Map.entry(
                                new Listener(Protocol.UDP, "127.97.0.1", 80), List.of(new Backend("127.0.0.1", 5353))),
                        Map.entry(new Listener(Protocol.TCP, "127.96.0.1", 443), List.of(SERVER)));
    }

    @Test
    void namesServicesInTheHostsFileOfAPod() {
        var pod = Resource.of((Json.Obj) YamlText.parse("""
                metadata: {name: a, namespace: shop}
                spec: {subdomain: web, hostAliases: [{ip: 192.0.2.1, hostnames: [x.test, y.test]}]}
                """));
        assertThat(HostsFile.content(pod, "a", "10.0.0.1", TABLE.names())
                        .lines()
                        .skip(1))
                .containsExactly(
                        "127.0.0.1\tlocalhost",
                        "::1\tlocalhost ip6-localhost ip6-loopback",
                        "10.0.0.1\ta.web.shop.svc.cluster.local\ta",
                        "192.0.2.1\tx.test\ty.test",
                        "127.0.0.1\tdb.data db.data.svc db.data.svc.cluster.local",
                        "127.96.0.1\tkubernetes.default kubernetes.default.svc kubernetes.default.svc.cluster.local",
                        "127.97.0.2\tidle idle.shop idle.shop.svc idle.shop.svc.cluster.local",
                        "127.97.0.1\tweb web.shop web.shop.svc web.shop.svc.cluster.local");
    }

    @Test
    void passesConnectionsOnAndStopsWhenNobodyAnswers() throws IOException {
        try (var alive = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                var proxy = new ServiceProxy()) {
            var deadBackend = new Backend("127.0.0.1", freePort());
            Thread.ofVirtual().start(() -> greet(alive));
            var listener = new Listener(Protocol.TCP, "127.97.9.9", alive.getLocalPort());
            var backends = List.of(deadBackend, new Backend("127.0.0.1", alive.getLocalPort()));
            assertThat(proxy.update(Map.of(listener, backends))).isEmpty();
            assertThat(ask(listener, "you")).isEqualTo("hello you");
            assertThat(ask(listener, "two")).isEqualTo("hello two");
            proxy.update(Map.of());
            assertThat(isRefusedSoon(listener)).isTrue();
        }
    }

    @Test
    void endsConnectionsWithAnAddressThatNobodyHasAnyMore() throws IOException {
        try (var silent = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.3"));
                var proxy = new ServiceProxy()) {
            var listener = new Listener(Protocol.TCP, "127.97.9.7", silent.getLocalPort());
            assertThat(proxy.update(Map.of(listener, List.of(new Backend("127.0.0.3", silent.getLocalPort())))))
                    .isEmpty();
            try (var client = new Socket(listener.address(), listener.port());
                    var server = silent.accept()) {
                client.setSoTimeout(120_000);
                server.setSoTimeout(120_000);
                client.getOutputStream().write('a');
                assertThat(server.getInputStream().read()).isEqualTo('a');

                proxy.connections().leave("127.0.0.4", true);
                client.getOutputStream().write('b');
                assertThat(server.getInputStream().read())
                        .as("somebody else was meant")
                        .isEqualTo('b');

                proxy.update(Map.of()); // the last who answers goes before its network does
                proxy.connections().leave("127.0.0.3", true);
                assertThat(client.getInputStream().read()).isEqualTo(-1);
            }
        }
    }

    @Test
    void whoIsAboutToEndAnswersOnlyWhereNobodyElseDoes() throws IOException {
        try (var ending = answering("127.0.0.3", "ending");
                var lasting = answering("127.0.0.4", "lasting");
                var proxy = new ServiceProxy()) {
            var listener = new Listener(Protocol.TCP, "127.97.9.8", ending.getLocalPort());
            var both = List.of(
                    new Backend("127.0.0.3", ending.getLocalPort()), new Backend("127.0.0.4", lasting.getLocalPort()));
            proxy.update(Map.of(listener, both));
            proxy.connections().avoid("127.0.0.3");

            assertThat(List.of(answer(listener), answer(listener), answer(listener), answer(listener)))
                    .containsOnly("lasting");
            proxy.update(Map.of(listener, both.subList(0, 1)));
            assertThat(answer(listener)).isEqualTo("ending");
            proxy.update(Map.of(listener, both));
            proxy.connections().leave("127.0.0.3", false);
            assertThat(List.of(answer(listener), answer(listener))).contains("ending", "lasting");
        }
    }

    private static ServerSocket answering(String address, String word) throws IOException {
        var socket = new ServerSocket(0, 50, InetAddress.getByName(address));
        Thread.ofVirtual().start(() -> {
            while (!socket.isClosed()) {
                try (var client = socket.accept()) {
                    client.getOutputStream().write(word.getBytes(StandardCharsets.UTF_8));
                } catch (IOException e) {
                    // it is closed
                }
            }
        });
        return socket;
    }

    private static String answer(Listener listener) throws IOException {
        try (var client = new Socket(listener.address(), listener.port())) {
            client.setSoTimeout(120_000);
            return new String(client.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    // The kernel may take a few more connections until the thread that accepts them has let go.
    private static boolean isRefusedSoon(Listener listener) {
        long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
        while (System.nanoTime() < end) {
            try {
                ask(listener, "late");
            } catch (IOException e) {
                return true;
            }
        }
        return false;
    }

    private static int freePort() throws IOException {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    @Test
    void tellsWhyItCannotListen() throws IOException {
        try (var taken = new ServerSocket(0, 1, InetAddress.getByName("127.97.9.8"));
                var proxy = new ServiceProxy()) {
            var listener = new Listener(Protocol.TCP, "127.97.9.8", taken.getLocalPort());
            assertThat(proxy.update(Map.of(listener, List.of(SERVER)))).containsOnlyKeys(listener);
        }
    }

    @Test
    void passesDatagramsOnAndBringsTheAnswersBack() throws IOException {
        try (var alive = new DatagramSocket(0, InetAddress.getLoopbackAddress());
                var other = new DatagramSocket(0, InetAddress.getLoopbackAddress());
                var proxy = new ServiceProxy();
                var client = new DatagramSocket()) {
            Thread.ofVirtual().start(() -> greet(alive, "hello "));
            Thread.ofVirtual().start(() -> greet(other, "goodbye "));
            var udp = new Listener(Protocol.UDP, "127.97.9.9", alive.getLocalPort());
            assertThat(proxy.update(Map.of(udp, List.of(new Backend("127.0.0.1", alive.getLocalPort())))))
                    .isEmpty();
            assertThat(ask(client, udp, "you")).isEqualTo("hello you");
            assertThat(ask(client, udp, "two")).isEqualTo("hello two");
            proxy.update(Map.of(udp, List.of(new Backend("127.0.0.1", other.getLocalPort()))));
            assertThat(ask(client, udp, "you")).isEqualTo("goodbye you");
        }
    }

    private static void greet(DatagramSocket server, String word) {
        var packet = new DatagramPacket(new byte[100], 100);
        while (!server.isClosed()) {
            try {
                packet.setLength(100);
                server.receive(packet);
                var answer = word + new String(packet.getData(), 0, packet.getLength(), StandardCharsets.UTF_8);
                server.send(new DatagramPacket(
                        answer.getBytes(StandardCharsets.UTF_8), answer.length(), packet.getSocketAddress()));
            } catch (IOException e) {
                return;
            }
        }
    }

    private static String ask(DatagramSocket client, Listener listener, String name) throws IOException {
        var bytes = name.getBytes(StandardCharsets.UTF_8);
        var service = new InetSocketAddress(listener.address(), listener.port());
        client.setSoTimeout(120_000);
        client.send(new DatagramPacket(bytes, bytes.length, service));
        var answer = new DatagramPacket(new byte[100], 100);
        client.receive(answer);
        assertThat(answer.getSocketAddress()).isEqualTo(service);
        return new String(answer.getData(), 0, answer.getLength(), StandardCharsets.UTF_8);
    }

    private static void greet(ServerSocket server) {
        while (!server.isClosed()) {
            try (var client = server.accept()) {
                var name = new String(client.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
                client.getOutputStream().write(("hello " + name).getBytes(StandardCharsets.UTF_8));
            } catch (IOException e) {
                return;
            }
        }
    }

    private static String ask(Listener listener, String name) throws IOException {
        try (var socket = new Socket(listener.address(), listener.port())) {
            socket.getOutputStream().write(name.getBytes(StandardCharsets.UTF_8));
            socket.shutdownOutput();
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}

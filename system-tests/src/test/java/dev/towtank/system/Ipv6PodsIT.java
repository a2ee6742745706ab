package dev.towtank.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/// Pods with networks of their own on a machine that has IPv6: one that is made for this, with a world around it, as
/// this one may have none. To make it takes root, who runs a server of its own in there and one of an ordinary user.
@ParameterizedClass(allowZeroInvocations = true)
@MethodSource("users")
class Ipv6PodsIT {

    /// A network that stands for the machine's, and one for the world, which tells what it got. A user of this machine
    /// may lead out of networks.
    private static final String WORLD = """
            set -e
            mount --make-rprivate /
            mount -t tmpfs -o mode=0755 tmpfs /run
            mknod -m 0666 /run/tun c 10 200
            mount --bind /run/tun /dev/net/tun
            mkdir /run/sys
            mount -t sysfs sysfs /run/sys
            mount --bind /run/sys/class/net /sys/class/net
            mkdir /run/world
            cd /run/world
            ip link set lo up
            unshare --net sleep 100000 & outside=$!
            while [ "$(readlink /proc/$outside/ns/net)" = "$(readlink /proc/self/ns/net)" ]; do sleep 0.1; done
            ip link add eth0 type veth peer name eth0 netns $outside
            ip address add 192.0.2.2/24 dev eth0
            ip address add 2001:db8:1::2/64 dev eth0 nodad
            ip link set eth0 up
            nsenter --target $outside --net sh -ec '
              ip link set lo up
              ip address add 192.0.2.1/24 dev eth0
              ip address add 2001:db8:1::1/64 dev eth0 nodad
              ip address add 2001:db8:2::1/128 dev lo
              ip address add fd00:ec2::254/128 dev lo
              ip link set eth0 up'
            ip route add default via 192.0.2.1
            ip -6 route add default via 2001:db8:1::1
            nsenter --target $outside --net python3 -m http.server 8080 --bind :: >/dev/null 2>&1 & served=$!
            nsenter --target $outside --net python3 -c "$1" >/run/world/got & listening=$!
            python3 -m http.server 8080 --bind :: >/dev/null 2>&1 & own=$!
            trap 'kill $outside $served $listening $own' EXIT
            until grep -q :1F90 /proc/$outside/net/tcp6 && grep -q :0009 /proc/$outside/net/udp6 && grep -q :1F90 /proc/net/tcp6; do
              sleep 0.1
            done
            echo ready
            read -r _
            """;

    private static final String LISTEN = """
            import socket
            s = socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)
            s.bind(('::', 9))
            while True: print(s.recv(99).decode(), flush=True)
            """;

    /// Which of some addresses answer.
    private static final String REACH = """
            import socket, sys
            for address in sys.argv[1:]:
                s = socket.socket(socket.AF_INET6)
                s.settimeout(2)
                try:
                    s.connect(socket.getaddrinfo(address, 8080, socket.AF_INET6)[0][4])
                    print('reached', address)
                except OSError:
                    print('refused', address)
            """;

    /// Words from the sender's own address, and from another's.
    private static final String SAY = """
            import socket, sys
            for word, source in (('honest', '::'), ('false', sys.argv[1]), ('honest again', '::')):
                s = socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)
                s.setsockopt(41, 78, 1) # IPV6_FREEBIND
                s.bind((source, 0))
                s.sendto(word.encode(), ('2001:db8:2::1', 9))
            """;

    private static final String ADDRESS = "import socket; s = socket.socket(socket.AF_INET6, socket.SOCK_DGRAM);"
            + " s.connect(('2001:db8:2::1', 9)); print(s.getsockname()[0])";

    private static final String OUTSIDE = "2001:db8:2::1";

    static List<String> users() {
        return System.getProperty("user.name").equals("root") ? List.of("root", "nobody") : List.of();
    }

    @TempDir
    static Path directory;

    private static Process world;
    private static RunningTowtank server;
    private static Kubectl kubectl;

    @Parameter
    String user;

    @BeforeParameterizedClassInvocation
    static void start(String user) throws IOException {
        world = new ProcessBuilder("unshare", "--net", "--mount", "--", "sh", "-c", WORLD, "world", LISTEN)
                .redirectError(directory.resolve("world.log").toFile())
                .start();
        assertThat(world.inputReader().readLine())
                .as(Files.readString(directory.resolve("world.log")))
                .isEqualTo("ready");
        var around = List.of("nsenter", "--target", Long.toString(world.pid()), "--net", "--mount", "--");
        server = RunningTowtank.startIn(around, Map.of(), user);
        var newest = Kubectl.newest(server.kubeconfig(), "default");
        var script = Files.writeString(
                directory.resolve("kubectl"),
                "#!/bin/sh\nexec " + String.join(" ", around) + " " + newest.binary() + " \"$@\"\n");
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
        kubectl = new Kubectl(script, newest.version(), server.kubeconfig(), "default");
        kubectl.withInput("""
                ---
                apiVersion: v1
                kind: Pod
                metadata: {name: listening, annotations: {towtank.dev/network: own}}
                spec:
                  terminationGracePeriodSeconds: 0
                  containers:
                  - {name: main, image: python, command: [python3, -m, http.server, "8080", --bind, "::"], readinessProbe: {periodSeconds: 1, tcpSocket: {port: 8080}}}
                ---
                apiVersion: v1
                kind: Pod
                metadata: {name: passing, labels: {role: passing}, annotations: {towtank.dev/network: own}}
                spec: {terminationGracePeriodSeconds: 0, containers: [{name: main, image: python, command: [sleep, "1000"]}]}
                """, "apply", "-f", "-");
        kubectl.run("wait", "pods", "--all", "--for=condition=Ready", "--timeout=120s");
    }

    @AfterParameterizedClassInvocation
    static void stop() throws Exception {
        server.close();
        var left = Program.run(
                List.of(
                        "nsenter",
                        "--target",
                        Long.toString(world.pid()),
                        "--net",
                        "--",
                        "sh",
                        "-c",
                        "nft list ruleset; ip -6 -o address | grep fd74; cat /proc/sys/net/ipv6/conf/eth0/force_forwarding || echo 0"));
        world.getOutputStream().close(); // it ends
        world.waitFor();
        assertThat(left.out()).as("nothing is left").isEqualTo("0\n");
    }

    private static String python(String pod, String program, String... arguments) {
        var command = new ArrayList<>(List.of("exec", pod, "--", "python3", "-c", program));
        command.addAll(List.of(arguments));
        return kubectl.run(command.toArray(String[]::new)).strip();
    }

    private static String reached(String pod, String... addresses) {
        return python(pod, REACH, addresses);
    }

    @Test
    void theyReachTheWorldAndNothingElse() throws Exception {
        assertThat(kubectl.run("get", "nodes", "-o", "jsonpath={.items[*].status.conditions}"))
                .doesNotContain("reach the world");
        var listening = python("listening", ADDRESS);
        var passing = python("passing", ADDRESS);
        assertThat(listening).startsWith("fd74:6f77:7461:").isNotEqualTo(passing);

        awaitReach("reached " + OUTSIDE);
        assertThat(reached("passing", "::1")).isEqualTo("refused ::1"); // where another listens on its own
        assertThat(reached("listening", "::1")).isEqualTo("reached ::1");
        var machine = "2001:db8:1::2";
        var gateway = listening.replaceAll("::.*", "::1");
        var forbidden = List.of(
                listening, // of another pod
                machine,
                gateway,
                "fe80::1%eth0",
                "ff02::1%eth0",
                "fd00:ec2::254"); // where machines in a cloud ask about themselves
        for (var address : forbidden) {
            assertThat(reached("passing", address)).isEqualTo("refused " + address);
        }
    }

    @Test
    void nobodySendsFromTheAddressOfAnother() throws Exception {
        python("passing", SAY, python("listening", ADDRESS));

        var got = Path.of("/proc/" + world.pid() + "/root/run/world/got");
        var end = Instant.now().plusSeconds(120);
        while (!Files.readString(got, StandardCharsets.UTF_8).contains("honest again")) {
            assertThat(Instant.now()).isBefore(end);
        }
        assertThat(Files.readString(got)).contains("honest\n").doesNotContain("false");
    }

    @Test
    void policiesAreAboutItToo() {
        policy("egress: [{to: [{ipBlock: {cidr: 0.0.0.0/0}}]}]");
        awaitReach("refused " + OUTSIDE);
        policy("egress: [{to: [{ipBlock: {cidr: \"2001:db8::/32\"}}], ports: [{port: 8080}]}]");
        awaitReach("reached " + OUTSIDE);
        policy("egress: [{to: [{ipBlock: {cidr: \"::/0\", except: [\"2001:db8:2::/48\"]}}]}]");
        awaitReach("refused " + OUTSIDE);
        policy("egress: [{}]");
        awaitReach("reached " + OUTSIDE);
        policy("egress: []");
        awaitReach("refused " + OUTSIDE);
        kubectl.run("delete", "networkpolicy", "passing");
        awaitReach("reached " + OUTSIDE);
    }

    private static void policy(String rules) {
        kubectl.withInput("""
                apiVersion: networking.k8s.io/v1
                kind: NetworkPolicy
                metadata: {name: passing}
                spec: {podSelector: {matchLabels: {role: passing}}, policyTypes: [Egress], %s}
                """.formatted(rules), "apply", "-f", "-");
    }

    /// What a policy says is in force a moment later.
    private static void awaitReach(String wanted) {
        var end = Instant.now().plusSeconds(120);
        while (!reached("passing", OUTSIDE).equals(wanted)) {
            assertThat(Instant.now()).as(wanted).isBefore(end);
        }
    }
}

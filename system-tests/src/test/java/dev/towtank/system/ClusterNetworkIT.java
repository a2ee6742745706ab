package dev.towtank.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// What the pods of a cluster share goes with it: there are ranges of addresses for some dozens of clusters at a time.
class ClusterNetworkIT {

    @TempDir
    Path files;

    static List<String> users() {
        var me = System.getProperty("user.name");
        return me.equals("root") ? List.of("root", "nobody") : List.of(me);
    }

    @ParameterizedTest
    @MethodSource("users")
    void aClusterThatIsGoneHasNoNetwork(String user) throws Exception {
        var me = System.getProperty("user.name");
        try (var server = user.equals(me) ? RunningTowtank.start() : RunningTowtank.startAs(user)) {
            runAPodThatListens(server, "first");
            runAPodThatListens(server, "hub");
            var records = server.data().resolve("node/networks");

            assertThat(server.command("cluster", "delete", "first").exit()).isZero();
            awaitGone(records.resolve("first"));
            assertThat(records.resolve("hub")).exists();

            // What went while nobody looked is found by the next one.
            try (var next = server.killAndStart(() -> write(records.resolve("forgotten"), "95"))) {
                awaitGone(records.resolve("forgotten"));
                assertThat(records.resolve("hub")).exists();
                assertThat(next.command("cluster", "delete", "hub").exit()).isZero();
                awaitGone(records.resolve("hub"));
            }
        }
    }

    private void runAPodThatListens(RunningTowtank server, String cluster) {
        assertThat(server.command("cluster", "create", cluster).exit()).isZero();
        var kubeconfig = files.resolve(cluster);
        write(kubeconfig, server.command("cluster", "kubeconfig", cluster).out());
        var inside = Kubectl.newest(kubeconfig, "default");
        inside.withInput("""
                apiVersion: v1
                kind: Pod
                metadata: {name: listens}
                spec:
                  terminationGracePeriodSeconds: 0
                  containers: [{name: main, image: busybox, command: [sleep, "3600"], ports: [{containerPort: 8080}]}]
                """, "create", "-f", "-");
        inside.run("wait", "pod/listens", "--for=condition=Ready", "--timeout=120s");
        assertThat(server.data().resolve("node/networks").resolve(cluster)).isNotEmptyFile();
    }

    private static void write(Path file, String text) {
        try {
            Files.writeString(file, text);
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw-rw-"));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static void awaitGone(Path file) throws IOException, InterruptedException {
        try (var watch = file.getFileSystem().newWatchService()) {
            file.getParent().register(watch, StandardWatchEventKinds.ENTRY_DELETE);
            while (Files.exists(file)) {
                var change = watch.poll(120, TimeUnit.SECONDS);
                assertThat(change).as(file + " is still there").isNotNull();
                change.pollEvents();
                change.reset();
            }
        }
    }
}

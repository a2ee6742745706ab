package dev.towtank.system;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/// Pods on images of a registry, which others made: the registry is Debian's, the image umoci's, brought there by
/// skopeo.
class ImagesIT {

    @RegisterExtension
    static final SharedServer SERVER = new SharedServer();

    @TempDir
    static Path directory;

    private static Process registry;
    private static int port;

    private Kubectl kubectl;

    @BeforeAll
    static void openRegistry() throws Exception {
        port = FreePort.choose();
        var settings = directory.resolve("registry.yaml");
        Files.writeString(settings, """
                version: 0.1
                storage: {filesystem: {rootdirectory: %s}}
                http: {addr: "127.0.0.1:%d"}
                """.formatted(directory.resolve("registry"), port));
        registry = new ProcessBuilder("docker-registry", "serve", settings.toString())
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("registry.log").toFile())
                .start();
        Eventually.listens("127.0.0.1", port);
        var image = SmallImage.make(directory);
        image.copy("docker://" + image(), "--dest-tls-verify=false");
        image.copy("docker://" + image() + "-zstd", "--dest-tls-verify=false", "--dest-compress-format=zstd");
        image.copy("docker-archive:saved.tar:brought:7");
    }

    @AfterAll
    static void closeRegistry() {
        registry.destroy();
    }

    @BeforeEach
    void namespace() {
        kubectl = SERVER.inNewNamespace();
    }

    private static String image() {
        return "127.0.0.1:" + port + "/team/app:v1";
    }

    @Test
    void aPodRunsOnWhatItsRegistryHas() {
        kubectl.run("run", "real", "--image=" + image(), "--restart=Never");
        kubectl.await("pod/real", "{.status.phase}", "Succeeded");

        assertThat(kubectl.run("logs", "real")).isEqualTo("1234\nreal\n/srv/work\n");
        assertThat(kubectl.run("get", "pod", "real", "-o", "jsonpath={.status.containerStatuses[0].imageID}"))
                .startsWith("127.0.0.1:" + port + "/team/app@sha256:");
        kubectl.run("run", "again", "--image=" + image(), "--restart=Never");
        kubectl.await("pod/again", "{.status.phase}", "Succeeded");
        var events = kubectl.awaitEvents(
                "Pulling image \"" + image() + "\"",
                "Successfully pulled image \"" + image() + "\"",
                "Container image \"" + image() + "\" already present on machine");
        assertThat(events)
                .containsPattern("Successfully pulled image \"" + image() + "\" in .* Image size: [0-9]+ bytes\\.");
    }

    /// Where there are several, see the condition of the Node.
    @Test
    void whoBeginsAsRootBecomesAnother() {
        kubectl.withInput("""
                apiVersion: v1
                kind: Pod
                metadata: {name: several}
                spec:
                  restartPolicy: Never
                  securityContext: {runAsUser: 0, runAsGroup: 0}
                  volumes: [{name: shared, emptyDir: {}}]
                  containers:
                  - name: main
                    image: %s
                    volumeMounts: [{name: shared, mountPath: /shared}]
                    command: [/bin/sh, -c]
                    args:
                    - |
                      busybox start-stop-daemon -S -c app -n none -a /bin/sh -- -c \
                        'id -u; id -g; echo his > /shared/his; echo told > /dev/termination-log'
                      busybox stat -c %%u:%%g /shared/his
                """.formatted(image() + "-zstd"), "apply", "-f", "-");
        var isolated = "{.items[0].status.conditions[?(@.type==\"Isolated\")].message}";
        boolean several = kubectl.run("get", "nodes", "-o", "jsonpath=" + isolated)
                .contains("Pods that write to directories of the machine, or build images, have one user only");

        kubectl.await("pod/several", "{.status.phase}", several ? "Succeeded" : "Failed");
        assertThat(kubectl.run("logs", "several"))
                .contains(several ? "1234\n77\n1234:77\n" : "can't set groups: Operation not permitted");
        assertThat(kubectl.run("get", "pod", "several", "-o", "jsonpath={..terminated.message}"))
                .isEqualTo(several ? "told\n" : "");
        kubectl.run("delete", "pod", "several", "--wait");
    }

    @Test
    void layersMayBePackedByZstd() {
        kubectl.run("run", "packed", "--image=" + image() + "-zstd", "--restart=Never");
        kubectl.await("pod/packed", "{.status.phase}", "Succeeded");

        assertThat(kubectl.run("logs", "packed")).contains("real");
    }

    @Test
    void aStandInSaysThatItIsOne() {
        kubectl.run("run", "other", "--image=busybox", "--restart=Never", "--", "true");
        kubectl.await("pod/other", "{.status.phase}", "Succeeded");

        assertThat(kubectl.run("get", "pod", "other", "-o", "jsonpath={.status.containerStatuses[0].imageID}"))
                .isEqualTo("stand-in://busybox");
        assertThat(kubectl.run("get", "pod", "other", "-o", "jsonpath={.status.conditions[*].message}"))
                .contains("this machine's own programs stand in for the images of the containers: [other]");
    }

    @Test
    void whatTheRegistryRefusesIsToldInItsWords() {
        var absent = "127.0.0.1:" + port + "/team/none:v1";
        kubectl.run("run", "absent", "--image=" + absent, "--restart=Never");
        SmallImage.awaitRefused(kubectl, "absent");

        assertThat(kubectl.run("get", "pod", "absent", "-o", "jsonpath={..waiting.message}"))
                .contains("404: MANIFEST_UNKNOWN")
                .contains("- {match: 127.0.0.1:" + port + "/team/none");
    }

    @Test
    void aContainerOnAnImageOutlivesItsServer() {
        kubectl.run("run", "long", "--image=" + image(), "--", "/bin/sleep", "1000");
        kubectl.await("pod/long", "{.status.phase}", "Running");
        SERVER.replace(RunningTowtank::killAndStart);

        // What runs is found again beside the start.
        kubectl.until(List.of("real\n"), "exec", "long", "--", "cat", "/etc/which");
        assertThat(kubectl.run("get", "pod", "long", "-o", "jsonpath={.status.containerStatuses[0].restartCount}"))
                .isEqualTo("0");
        // Its digest is no other image than the one that was asked for.
        assertThat(kubectl.run("get", "events", "-o", "jsonpath={.items[*].message}"))
                .doesNotContain("definition changed");
    }

    /// As on a kernel that cannot put layers over each other.
    @Test
    void aContainerMayHaveACopyOfItsImage(@TempDir Path data) throws Exception {
        var saved = directory.resolve("saved.tar").toString();
        Program.towtank("images", "import", saved, "--data", data.toString());
        Files.writeString(data.resolve("task.yaml"), """
                apiVersion: tekton.dev/v1
                kind: Task
                metadata: {name: copied}
                spec:
                  steps:
                  - name: main
                    image: brought:7
                    script: |
                      #!/bin/sh
                      cat /etc/which /proc/self/mountinfo
                      echo mine > /etc/which
                """);
        var command = Program.towtankCommand(
                "run", data.resolve("task.yaml").toString(), "--images=real", "--data", data.toString());
        for (int i = 0; i < 2; i++) {
            var ran = Program.run(command, "", Map.of("TOWTANK_IMAGE_ROOTS", "copy"));

            assertThat(ran.exit()).as(ran.err()).isZero();
            assertThat(ran.out()).contains("real").containsPattern("/sandbox/roots/[0-9a-f-]+/[^ ]+/root / ");
        }
    }

    @Test
    void aPullThatIsKilledLeavesNothingThatIsUsed(@TempDir Path data) throws Exception {
        var stalls = new AtomicBoolean(true);
        var halfway = new CountDownLatch(1);
        var go = new CountDownLatch(1);
        var slow = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        slow.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        slow.createContext("/", exchange -> {
            try (exchange;
                    var in = forwarded(exchange.getRequestURI().toString())) {
                var body = in.readAllBytes();
                exchange.sendResponseHeaders(200, body.length);
                int half = body.length < 100_000 || !stalls.get() ? body.length : body.length / 2;
                exchange.getResponseBody().write(body, 0, half);
                exchange.getResponseBody().flush();
                if (half < body.length) {
                    halfway.countDown();
                    go.await();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        slow.start();
        var name = "127.0.0.1:" + slow.getAddress().getPort() + "/team/app:v1";
        var pull = Program.towtankCommand("images", "pull", name, "--data", data.toString());
        var process = new ProcessBuilder(pull)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        assertThat(halfway.await(120, TimeUnit.SECONDS)).isTrue();
        process.destroyForcibly().waitFor();
        assertThat(data.resolve("images/layers")).isEmptyDirectory();
        assertThat(data.resolve("images/names")).isEmptyDirectory();
        stalls.set(false);
        go.countDown();

        assertThat(Program.run(pull).out()).contains(name + " is here: sha256:");
        assertThat(Program.towtank("images", "prune", "--data", data.toString()).out())
                .contains("0 layers are gone.");
        assertThat(data.resolve("images/partial")).isEmptyDirectory();
        slow.stop(0);
    }

    private static InputStream forwarded(String path) throws IOException {
        var connection = URI.create("http://127.0.0.1:" + port + path).toURL().openConnection();
        connection.setRequestProperty(
                "Accept",
                "application/vnd.oci.image.manifest.v1+json, application/vnd.docker.distribution.manifest.v2+json");
        return connection.getInputStream();
    }

    @Test
    void aFileBringsAnImage() {
        var data = SERVER.data().toString();
        var saved = directory.resolve("saved.tar").toString();
        assertThat(Program.towtank("images", "import", saved, "--data", data).out())
                .contains("docker.io/brought:7 is here: sha256:");
        kubectl.run("run", "brought", "--image=brought:7", "--restart=Never");
        kubectl.await("pod/brought", "{.status.phase}", "Succeeded");

        assertThat(kubectl.run("logs", "brought")).contains("real");
        assertThat(Program.towtank("images", "list", "--data", data).out()).contains("docker.io/brought:7");
        assertThat(Program.towtank("images", "prune", "--data", data).err()).contains("uses the images just now");
    }
}

package dev.towtank.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/// Pods on images of a registry, which others made: the registry is Debian's, the image umoci's, brought there by
/// skopeo.
@Order(20)
class ImagesIT {

    /// A root with busybox and what it needs, as an image that says whom it runs as, where, and what.
    private static final String MAKE = """
            set -e
            cd "$1"
            umoci init --layout layout
            umoci new --image layout:v1
            umoci unpack --rootless --image layout:v1 bundle
            mkdir -p bundle/rootfs/bin bundle/rootfs/etc
            cp -L /bin/busybox bundle/rootfs/bin/
            for library in $(ldd /bin/busybox | grep -oE '/[^ ]+'); do
              mkdir -p "bundle/rootfs$(dirname "$library")"
              cp -L "$library" "bundle/rootfs$library"
            done
            for name in sh cat id sleep; do ln -s busybox bundle/rootfs/bin/$name; done
            echo real > bundle/rootfs/etc/which
            echo 'app:x:1234:77:app:/:/bin/sh' > bundle/rootfs/etc/passwd
            umoci repack --image layout:v1 bundle
            umoci config --image layout:v1 --config.user app --config.workingdir /srv/work \\
              --config.cmd /bin/sh --config.cmd -c --config.cmd 'id -u; cat /etc/which; pwd'
            skopeo copy --dest-tls-verify=false oci:layout:v1 "docker://127.0.0.1:$2/team/app:v1"
            skopeo copy oci:layout:v1 docker-archive:saved.tar:brought:7
            """;

    @RegisterExtension
    static final SharedServer SERVER = new SharedServer();

    @TempDir
    static Path directory;

    private static Process registry;
    private static int port;

    private Kubectl kubectl;

    @BeforeAll
    static void openRegistry() throws Exception {
        port = freePort();
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
        var made = new ProcessBuilder("sh", "-c", MAKE, "make", directory.toString(), Integer.toString(port))
                .redirectErrorStream(true)
                .start();
        var said = new String(made.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(made.waitFor()).as(said).isZero();
    }

    private static int freePort() throws IOException {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
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
        var events = kubectl.run("get", "events", "-o", "jsonpath={range .items[*]}{.message}{'\\n'}{end}");
        assertThat(events)
                .contains("Pulling image \"" + image() + "\"")
                .containsPattern("Successfully pulled image \"" + image() + "\" in .* Image size: [0-9]+ bytes\\.")
                .contains("Container image \"" + image() + "\" already present on machine");
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
        kubectl.await("pod/absent", "{.status.containerStatuses[0].state.waiting.reason}", "ErrImagePull");

        assertThat(kubectl.run("get", "pod", "absent", "-o", "jsonpath={..waiting.message}"))
                .contains("404: MANIFEST_UNKNOWN")
                .contains("- match: 127.0.0.1:" + port + "/team/none");
    }

    @Test
    void aContainerOnAnImageOutlivesItsServer() {
        kubectl.run("run", "long", "--image=" + image(), "--", "/bin/sleep", "1000");
        kubectl.await("pod/long", "{.status.phase}", "Running");
        SERVER.replace(RunningTowtank::killAndStart);

        assertThat(kubectl.run("exec", "long", "--", "cat", "/etc/which")).isEqualTo("real\n");
        assertThat(kubectl.run("get", "pod", "long", "-o", "jsonpath={.status.containerStatuses[0].restartCount}"))
                .isEqualTo("0");
        // Its digest is no other image than the one that was asked for.
        assertThat(kubectl.run("get", "events", "-o", "jsonpath={.items[*].message}"))
                .doesNotContain("definition changed");
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

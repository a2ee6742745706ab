package dev.towtank.node.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.node.images.Image;
import dev.towtank.node.logs.ContainerLog;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What a container can do and sees. With the real bubblewrap: without it these tests fail, and say so.
class SandboxTest {

    @TempDir
    Path home;

    private Sandbox sandbox;

    @BeforeEach
    void open() throws IOException {
        sandbox = Sandboxes.bubblewrap(Shared.in(home), InstantSource.system());
    }

    @AfterEach
    void close() throws IOException {
        sandbox.close();
        Shared.leave(home);
    }

    private Recipe recipe() {
        return new Recipe("c1", home);
    }

    private String output(Recipe recipe) throws Exception {
        var process = sandbox.start(recipe.spec());
        process.await();
        return text(process);
    }

    private static String text(RunningProcess process) throws IOException {
        try (var in = process.log().read(ContainerLog.Query.all())) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void runsACommandAndTellsItsCode() throws Exception {
        var process =
                sandbox.start(recipe().script("echo out; echo err >&2; exit 7").spec());

        assertThat(process.await())
                .isInstanceOf(Exit.Ended.class)
                .extracting(Exit::code)
                .isEqualTo(7);
        assertThat(text(process)).isEqualTo("out\nerr\n");
    }

    @Test
    void handsNothingOfTheServerOver() throws Exception {
        assertThat(output(recipe().alone().script("ls /proc/self/fd | tr '\\n' ' '; ps -e | wc -l; env | sort")))
                .isEqualTo("""
                        0 1 2 3 4
                        HOME=/root
                        HOSTNAME=test-host
                        PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
                        PWD=/
                        """);
    }

    /// As in a real image, whatever the container's own one is.
    @Test
    void hasTheWorkingDirectoryOfItsImage() throws Exception {
        assertThat(output(recipe().imageDirectory("/home/git")
                        .workingDirectory("/elsewhere")
                        .script("pwd; touch /home/git/.gitconfig && ls -A /home/git")))
                .isEqualTo("/elsewhere\n.gitconfig\n");
    }

    @Test
    void isProcessOneWithoutAnyCapability() throws Exception {
        assertThat(output(recipe().script(
                                "echo $$; hostname; id -u; grep -E 'CapEff|CapPrm|NoNewPrivs' /proc/self/status")))
                .isEqualTo("1\ntest-host\n0\nCapPrm:\t0000000000000000\nCapEff:\t0000000000000000\nNoNewPrivs:\t1\n");
    }

    @Test
    void hasARootOfItsOwn() throws Exception {
        assertThat(output(recipe().script(
                                "touch /x /tmp/y /etc/z && ls /x /tmp/y; touch /usr/x 2>&1; ls -d /home/* /root/.* "
                                        + home + " 2>/dev/null")))
                .isEqualTo("/tmp/y\n/x\ntouch: cannot touch '/usr/x': Read-only file system\n/root/.\n/root/..\n");
        assertThat(Path.of("/x")).doesNotExist();
    }

    @Test
    void runsAsWhomItIsTold() throws Exception {
        assertThat(output(recipe().user(1234, 5678).script("id -u; id -g; touch /tmp/a; stat -c %u /tmp/a")))
                .isEqualTo("1234\n5678\n1234\n");
    }

    @Test
    void seesItsMountsAndNothingElse() throws Exception {
        var volume = Files.createDirectory(home.resolve("volume"));
        Files.writeString(volume.resolve("f"), "hello");

        assertThat(output(recipe().mount(volume, "/a/b", false)
                        .mount(volume, "/ro", true)
                        .workingDirectory("/a/b/made")
                        .script("pwd; cat /ro/f; echo; touch /ro/g 2>&1; touch /a/b/g")))
                .isEqualTo("/a/b/made\nhello\ntouch: cannot touch '/ro/g': Read-only file system\n");
        assertThat(volume.resolve("g")).exists();
    }

    @Test
    void hasTheShellOfItsImage() throws Exception {
        var script = "if [[ a == a ]]; then echo yes; else echo no; fi 2>&1";

        assertThat(output(recipe().shell(Image.Shell.BUSYBOX).script(script))).isEqualTo("yes\n");
        assertThat(output(recipe().shell(Image.Shell.BASH).script(script))).isEqualTo("yes\n");
        assertThat(output(recipe().shell(Image.Shell.DASH).script(script))).endsWith("not found\nno\n");
        assertThat(output(recipe().shell(Image.Shell.BUSYBOX)
                        .command(
                                "/bin/ash",
                                "-c",
                                "ash -c 'echo a'; env sh -c '[[ 1 == 1 ]] && echo b'; /bin/ls -d /bin")))
                .isEqualTo("a\nb\n/bin\n");
    }

    /// Of which this machine has none, and the image has.
    @Test
    void busyboxPlaysWhatNobodyElseDoes() throws Exception {
        assertThat(output(
                        recipe().shell(Image.Shell.BUSYBOX).script("exec httpd --help 2>&1 | grep -o '^Usage: httpd'")))
                .isEqualTo("Usage: httpd\n");
    }

    @Test
    void findsTheToolsOfItsImage() throws Exception {
        var own = Files.writeString(home.resolve("own"), "#!/bin/sh\necho own tool\n");
        Files.setPosixFilePermissions(own, PosixFilePermissions.fromString("rwxr-xr-x"));

        assertThat(output(recipe().tool("say", Path.of("/usr/bin/echo"))
                        .tool("mine", own)
                        .script("say hello; mine")))
                .isEqualTo("hello\nown tool\n");
    }

    @Test
    void findsAToolAtTheWholePathThatItsImageHasItAt() throws Exception {
        var own = Files.writeString(home.resolve("own"), "#!/bin/sh\necho own tool\n");
        Files.setPosixFilePermissions(own, PosixFilePermissions.fromString("rwxr-xr-x"));

        assertThat(output(recipe().tool("/ko-app/mine", own)
                        .tool("/usr/share/of-this-image", Path.of("/usr/bin/echo"))
                        .script("/ko-app/mine; /usr/share/of-this-image hello; test -d /usr/share/doc && echo kept")))
                .isEqualTo("own tool\nhello\nkept\n");
    }

    @Test
    void canHaveARootThatIsADirectory() throws Exception {
        var root = Files.createDirectory(home.resolve("root"));
        Files.createDirectory(root.resolve("data"));
        Files.writeString(root.resolve("data/file"), "of the image\n");
        copyWithLibraries(Path.of("/usr/bin/busybox"), root);
        Files.createSymbolicLink(root.resolve("sh"), Path.of("usr/bin/busybox"));

        assertThat(output(recipe().root(root).command("/sh", "-c", """
                busybox() { /usr/bin/busybox "$@"; }
                busybox cat /data/file; echo x 2>/dev/null > /data/new || echo read-only; echo x > /new && busybox ls /new
                busybox ls /etc 2>/dev/null || echo nothing else""")))
                .isEqualTo("of the image\nread-only\n/new\nnothing else\n");
        assertThat(root.resolve("new")).doesNotExist();
    }

    private static void copyWithLibraries(Path program, Path root) throws Exception {
        var ldd = new ProcessBuilder("ldd", program.toString()).start();
        var files = new ArrayList<>(List.of(program));
        var said = new String(ldd.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        for (var word : said.split("\\s+", -1)) {
            if (word.startsWith("/")) {
                files.add(Path.of(word));
            }
        }
        for (var file : files) {
            var copy = root.resolve(file.toString().substring(1));
            Files.createDirectories(copy.getParent());
            Files.copy(file, copy, StandardCopyOption.REPLACE_EXISTING);
        }
    }

    @Test
    void hasNoNetworkWhenItAsksForNone() throws Exception {
        assertThat(output(recipe().withoutNetwork().script("cat /proc/net/dev | grep -c :")))
                .isEqualTo("1\n");
    }

    @Test
    void cannotWriteMoreThanItsRootHolds() throws Exception {
        assertThat(output(recipe().rootBytes(1 << 20).script("head -c 5000000 /dev/zero > /big || echo full")))
                .contains("full");
        assertThat(output(recipe().readOnlyRoot().script("touch /x 2>&1"))).contains("Read-only");
    }

    @Test
    void passesSecretsWithoutACommandLine() throws Exception {
        var process = sandbox.start(recipe().variable("LD_PRELOAD", "/nope.so")
                .variable("TOKEN", "s3cr3t-value")
                .masked("s3cr3t-value")
                .script("echo $TOKEN $LD_PRELOAD; sleep 100")
                .spec());
        try (var in = process.log().read(Logs.following())) {
            assertThat(Logs.line(in)).contains("nope.so"); // the loader's own complaint
            assertThat(Logs.line(in)).isEqualTo("*** /nope.so");
        }
        for (var handle : ProcessHandle.current().descendants().toList()) {
            var line = Path.of("/proc/" + handle.pid() + "/cmdline");
            assertThat(Files.readString(line, StandardCharsets.ISO_8859_1)).doesNotContain("s3cr3t");
        }
        process.kill();
        assertThat(process.await().code()).isEqualTo(137);
        assertThat(text(process)).doesNotContain("s3cr3t");
    }
}

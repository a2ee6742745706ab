package dev.towtank.node.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.node.linux.Processes;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/// Whoever the server runs as, and however the root is made, a container on a real image sees the same. What it may
/// write is bounded by the kernel where layers are put over each other; see [CopiedRootsTest] for copies.
@ParameterizedClass
@ValueSource(strings = {"overlaid", "copied"})
class LayeredRootTest {

    @Parameter
    String how;

    private static final String EXPECTED = """
            7
            8
            7:8
            from below
            gone
            sh
            mine
            wrote
            0
            test-host
            0
            token
            CapEff:\t0000000000000000
            Seccomp:\t2
            full
            kept
            ready
            7
            mine
            CapEff:\t0000000000000000
            NoNewPrivs:\t1
            terminal
            137
            read-only
            """;

    @TempDir
    Path home;

    @AfterEach
    void leave() throws IOException {
        Shared.leave(home.resolve("home"));
    }

    private String said(List<String> become) throws Exception {
        var everybodys = Files.createDirectory(home.resolve("home"));
        for (var directory : List.of(home, everybodys)) {
            Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxrwxrwx"));
        }
        var server = Server.run(become, Server.readableClassPath(home), LayeredRoot.class, everybodys.toString(), how);
        var said = new String(server.getInputStream().readAllBytes(), StandardCharsets.UTF_8).replace("\r", "");
        server.waitFor();
        return said;
    }

    private void check(String said) throws IOException {
        assertThat(said).startsWith(how.equals("copied") ? EXPECTED.replace("full", "more") : EXPECTED);
        assertThat(said).contains("stat /bin/absent: no such file or directory");
        assertThat(said)
                .containsAnyOf(
                        "All files that a container writes, and all of its image, belong to the server's user, whoever"
                                + " owns them in the image and whatever user it runs as: ",
                        "have one user only, to whom all of their files belong.");
        assertThat(Path.of("/evil-" + home.getFileName())).doesNotExist();
        assertThat(Files.readString(Path.of("/proc/self/mounts"))).doesNotContain(home.toString());
        assertThat(home.resolve("home/runs/c1")).doesNotExist();
        assertThat(leftRoots()).as(said).isEmpty();
    }

    /// Those of containers that have ended.
    private List<Path> leftRoots() throws IOException {
        var roots = home.resolve("home/shared/roots");
        if (!Files.exists(roots)) {
            return List.of();
        }
        try (var files = Files.walk(roots, 2)) {
            return files.filter(file -> roots.relativize(file).getNameCount() == 2)
                    .toList();
        }
    }

    @Test
    void whoeverRunsTheServer() throws Exception {
        check(said(List.of()));
    }

    @Test
    void withoutAnyRights() throws Exception {
        check(said(
                Processes.user() == 0
                        ? List.of("/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups")
                        : List.of()));
    }
}

package dev.towtank.node.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.node.linux.Processes;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// A container that begins as root on an image of its own has the image's other users as well, where there are ids for
/// them: by root's server, and by a plain user's.
class SeveralUsersTest {

    private static final List<String> NOBODY =
            List.of("/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups");

    private static final String SEVERAL = """
            0
            1234:77
            0:0
            1234:77
            0:0
            0:0
            test-host
            5:6
            only-those
            1234
            77
            cat: can't open '/etc/shadow': Permission denied
            touch: /etc/x: Permission denied
            not-his
            1234:77
            test-host
            sh: can't kill pid 1: Operation not permitted
            not-ours
            CapEff:\t0000000000000000
            CapEff:\t00000000000000cb
            NoNewPrivs:\t1
            Seccomp:\t2
            no-more
            no-mounts
            %sown-place
            kept
            ready
            0
            1234
            CapEff:\t00000000000000cb
            NoNewPrivs:\t1
            137
            """;

    @TempDir
    Path home;

    @BeforeEach
    void prepare() throws IOException {
        Files.createDirectory(home.resolve("home"));
        for (var directory : List.of(home, home.resolve("home"))) {
            Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxrwxrwx"));
        }
    }

    @AfterEach
    void leave() throws IOException {
        Shared.leave(home.resolve("home"));
    }

    /// @param what it has, a `volume` or none
    private String said(List<String> become, String what) throws Exception {
        var place = home.resolve("home").toString();
        var server = Server.run(become, Server.readableClassPath(home), SeveralUsers.class, place, what);
        var said = new String(server.getInputStream().readAllBytes(), StandardCharsets.UTF_8).replace("\r", "");
        server.waitFor();
        return said;
    }

    /// Who may be somebody else, and give ids away.
    static List<String> roots() {
        return Processes.user() == 0 ? List.of("root") : List.of();
    }

    /// For whom two files over the machine's own say that he has ids to give away.
    private List<String> nobodyWithIds() throws Exception {
        var etc = Files.createDirectory(home.resolve("etc"));
        for (var name : List.of("subuid", "subgid")) {
            Files.writeString(etc.resolve(name), "nobody:200000:65536\n");
        }
        var all = new ArrayList<>(List.of("/usr/bin/unshare", "--mount", "--", "/bin/sh", "-c"));
        var over = "mount -t overlay -o \"lowerdir=$1:/etc\" overlay /etc && shift && exec \"$@\"";
        all.addAll(List.of(over, "sh", etc.toString()));
        all.addAll(NOBODY);
        return all;
    }

    @ParameterizedTest(allowZeroInvocations = true)
    @MethodSource("roots")
    void rootsContainersBecomeOthers(String root) throws Exception {
        var said = said(List.of(), "volume");

        assertThat(said).as(root).startsWith(SEVERAL.formatted("1234:77\n"));
        assertThat(said)
                .contains("Containers that begin as another user than root, or write to shared volumes, have one user"
                        + " only, to whom all of their files belong.");
        var his = home.resolve("home/volume/his");
        assertThat((int) Files.getAttribute(his, "unix:uid"))
                .as("on the machine")
                .isGreaterThan(0x7000_0000);
    }

    @ParameterizedTest(allowZeroInvocations = true)
    @MethodSource("roots")
    void thoseOfWhoHasSubordinateIdsAsWell(String root) throws Exception {
        var said = said(nobodyWithIds(), "none");

        assertThat(said).as(root).startsWith(SEVERAL.formatted(""));
        assertThat(said)
                .contains("Containers that begin as another user than root, or write to volumes, have one user only, to"
                        + " whom all of their files belong.");
    }

    @ParameterizedTest(allowZeroInvocations = true)
    @MethodSource("roots")
    void whatOthersWroteCouldNotBeDeleted(String root) throws Exception {
        assertThat(said(nobodyWithIds(), "volume"))
                .as("one user of %s", root)
                .startsWith("0\n0:0\n0:0\n0:0\n0:0\n0:0\ntest-host\n")
                .contains("CapEff:\t0000000000000000")
                .doesNotContain("CapEff:\t00000000000000cb");
    }

    @Test
    void withoutIdsThereIsOneUser() throws Exception {
        var said = said(Processes.user() == 0 ? NOBODY : List.of(), "none");

        assertThat(said)
                .startsWith("0\n0:0\n0:0\n0:0\n0:0\n0:0\ntest-host\n")
                .doesNotContain("CapEff:\t00000000000000cb")
                .contains("and whatever user it runs as: /etc/subuid gives nobody no range of 65534 ids (see 'man"
                        + " usermod', --add-subuids).");
    }
}

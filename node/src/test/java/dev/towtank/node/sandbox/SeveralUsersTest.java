package dev.towtank.node.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.node.linux.ManyUsers;
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

/// A container has several users, where there are ids for them: by root's server, and by a plain user's.
class SeveralUsersTest {

    private static final List<String> NOBODY =
            List.of("/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups");

    private static final String ROOT = """
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
            1234:77
            shut
            own-place
            kept
            ready
            0
            1234
            CapEff:\t00000000000000cb
            NoNewPrivs:\t1
            137
            """;

    private static final String OTHER = """
            1234
            77
            77 9
            1234:77
            more
            not-his
            stays
            CapEff:\t0000000000000000
            NoNewPrivs:\t1
            Seccomp:\t2
            no-more
            no-mounts
            ready
            1234
            77 9
            found
            137
            """;

    private static final String END = """
            measured
            deleted
            """;

    private static final String STILL_ALONE =
            "Pods that write to directories of the machine, or build images, have one user only, to whom all of their"
                    + " files belong.";

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

    private String said(List<String> become) throws Exception {
        var place = home.resolve("home").toString();
        var server = Server.run(become, Server.readableClassPath(home), SeveralUsers.class, place);
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
    void rootsContainersHaveSeveral(String root) throws Exception {
        assertThat(said(List.of()))
                .as(root)
                .startsWith(ROOT + OTHER + OTHER + END)
                .contains(STILL_ALONE);
    }

    @ParameterizedTest(allowZeroInvocations = true)
    @MethodSource("roots")
    void thoseOfWhoHasSubordinateIdsAsWell(String root) throws Exception {
        assertThat(said(nobodyWithIds()))
                .as(root)
                .startsWith(ROOT + OTHER + OTHER + END)
                .contains(STILL_ALONE);
    }

    @Test
    void withoutIdsThereIsOneUser() throws Exception {
        boolean isRoot = Processes.user() == 0;
        var said = said(isRoot ? NOBODY : List.of());

        if (!isRoot && ManyUsers.known().isPresent()) {
            assertThat(said).as("who has ids himself").startsWith(ROOT + OTHER + OTHER + END);
        } else {
            assertThat(said)
                    .startsWith("0\n0:0\n0:0\n0:0\n0:0\n0:0\ntest-host\n")
                    .doesNotContain("CapEff:\t00000000000000cb")
                    .contains("and whatever user it runs as: ");
        }
        assertThat(said.contains("/etc/subuid gives nobody no range of 65534 ids (see 'man usermod', --add-subuids)."))
                .isEqualTo(isRoot);
    }
}

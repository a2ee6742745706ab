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

class OrdinaryUserTest {

    @TempDir
    Path home;

    @AfterEach
    void leave() throws IOException {
        Shared.leave(home.resolve("home"));
    }

    private Process run(Class<?> main) throws Exception {
        var everybodys = Files.createDirectory(home.resolve("home"));
        for (var directory : List.of(home, everybodys)) {
            Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxrwxrwx"));
        }
        var become = Processes.user() == 0
                ? List.of("/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups")
                : List.<String>of();
        return Server.run(become, Server.readableClassPath(home), main, everybodys.toString());
    }

    @Test
    void deletesWhatHasNoPermissionToBeListedOrChanged() throws Exception {
        assertThat(run(Removal.class).waitFor()).isZero();

        assertThat(home.resolve("home")).isEmptyDirectory();
    }

    @Test
    void needsNoRights() throws Exception {
        var server = run(OrdinaryUser.class);
        var said = new String(server.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(said).isEqualTo("""
                7
                8
                CapEff:\t0000000000000000
                wrote
                ready
                7
                sh
                CapEff:\t0000000000000000
                $(id) \\
                BASH_ENV=/no/such
                IFS=,
                LC_ALL=no_SUCH
                PATH=/usr/bin
                PWD=/elsewhere
                SHLVL=7
                TWO=lines
                a.b-c=it's
                4
                terminal
                bounded
                137
                bounded
                %s
                """.formatted(said.contains("CGROUP") ? "CGROUP" : "RLIMIT"));
        assertThat(server.waitFor()).isZero();
    }
}

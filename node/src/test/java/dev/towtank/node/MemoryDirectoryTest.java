package dev.towtank.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MemoryDirectoryTest {

    @TempDir
    private Path home;

    private Path shared;
    private Path node;

    @BeforeEach
    void make() throws IOException {
        shared = Files.createDirectory(home.resolve("shm"));
        node = Files.createDirectory(home.resolve("node"));
    }

    private Path open(Path node) throws IOException {
        return MemoryDirectory.open(shared, node).pods().getParent();
    }

    private List<Path> all() throws IOException {
        try (var found = Files.list(shared)) {
            return found.toList();
        }
    }

    @Test
    void isForItsUserAlone() throws IOException {
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(open(node))))
                .isEqualTo("rwx------");
        assertThat(MemoryDirectory.open(shared, node).pods()).isEmptyDirectory();
    }

    @Test
    void theNextServerFindsIt() throws IOException {
        assertThat(open(node)).isEqualTo(open(node));
        assertThat(all()).hasSize(1);
    }

    @Test
    void isMadeAnewAfterARestartOfTheMachine() throws IOException {
        var before = MemoryDirectory.open(shared, node);
        before.delete();
        assertThat(all()).isEmpty();
        assertThat(open(node)).isDirectory();
    }

    @Test
    void everyNodeHasItsOwnEvenACopy() throws IOException {
        var first = open(node);
        var copy = Files.createDirectory(home.resolve("copy"));
        Files.copy(node.resolve("memory"), copy.resolve("memory"));
        assertThat(open(copy)).isNotEqualTo(first);
        assertThat(open(node)).isEqualTo(first);
    }

    @Test
    void nothingElseIsTakenForIt() throws IOException {
        var place = open(node);
        var elsewhere = Files.move(place, home.resolve("elsewhere"));
        Files.createSymbolicLink(place, elsewhere);
        assertThat(open(node)).isNotEqualTo(place);

        var open = open(node);
        Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxr-xr-x"));
        assertThat(open(node)).isNotEqualTo(open);
    }

    @Test
    void deletesWhatNobodyNeedsAnyMore() throws IOException {
        var gone = Files.createDirectory(home.resolve("gone"));
        var abandoned = open(gone);
        Files.writeString(abandoned.resolve("pods/token"), "x");
        Files.delete(gone.resolve("memory"));
        Files.delete(gone);
        var earlier = open(node);
        Files.delete(node.resolve("memory"));

        MemoryDirectory.open(shared, node).deleteAbandoned();

        assertThat(all()).containsExactly(open(node)).doesNotContain(abandoned, earlier);
    }

    @Test
    void leavesAloneWhatMayBeOfUse() throws IOException {
        var other = open(Files.createDirectory(home.resolve("other")));
        var unfinished = Files.createTempDirectory(shared, "towtank-");
        var strange = Files.createDirectory(shared.resolve("towtank-strange"));
        Files.writeString(strange.resolve("owner"), "mnt:[1]\n/no/such");
        Files.setPosixFilePermissions(strange, PosixFilePermissions.fromString("rwxrwxrwx"));
        // Where that path leads in another world, nobody here knows.
        var away = Files.createTempDirectory(shared, "towtank-");
        Files.writeString(away.resolve("owner"), "mnt:[1]\n/no/such");
        var own = MemoryDirectory.open(shared, node);

        own.deleteAbandoned();

        assertThat(all()).containsExactlyInAnyOrder(open(node), other, unfinished, strange, away);
    }
}

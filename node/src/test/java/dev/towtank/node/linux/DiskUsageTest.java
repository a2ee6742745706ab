package dev.towtank.node.linux;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DiskUsageTest {

    private static final int MEBIBYTE = 1 << 20;

    @TempDir
    private Path home;

    private Path tree;

    @BeforeEach
    void plant() throws IOException {
        tree = Files.createDirectories(home.resolve("tree/a/b")).getParent().getParent();
    }

    private boolean exceeds(long limit) {
        return DiskUsage.exceeds(List.of(tree), limit);
    }

    private static void write(Path file, int bytes) throws IOException {
        Files.write(file, new byte[bytes]);
    }

    @Test
    void countsWhatIsInAllDirectories() throws IOException {
        write(tree.resolve("one"), MEBIBYTE);
        write(tree.resolve("a/b/two"), MEBIBYTE);
        assertThat(exceeds(2 * MEBIBYTE - 1)).isTrue();
        assertThat(exceeds(2 * MEBIBYTE + 64 * 1024)).isFalse(); // the directories themselves are counted, too
    }

    @Test
    void countsSeveralTogether() throws IOException {
        var other = Files.createDirectory(home.resolve("other"));
        write(tree.resolve("one"), MEBIBYTE);
        write(other.resolve("two"), MEBIBYTE);
        assertThat(DiskUsage.exceeds(List.of(tree, other), 2 * MEBIBYTE - 1)).isTrue();
        assertThat(DiskUsage.exceeds(List.of(tree, home.resolve("none")), 2 * MEBIBYTE - 1))
                .isFalse();
    }

    @Test
    void aHoleTakesNothing() throws IOException {
        try (var file = new RandomAccessFile(tree.resolve("sparse").toFile(), "rw")) {
            file.setLength(100L * MEBIBYTE);
        }
        assertThat(exceeds(MEBIBYTE)).isFalse();
    }

    @Test
    void aFileWithSeveralNamesIsCountedOnce() throws IOException {
        write(tree.resolve("one"), MEBIBYTE);
        Files.createLink(tree.resolve("two"), tree.resolve("one"));
        Files.createLink(tree.resolve("a/three"), tree.resolve("one"));
        assertThat(exceeds(MEBIBYTE + MEBIBYTE / 2)).isFalse();
    }

    @Test
    void followsNoLink() throws IOException {
        write(home.resolve("elsewhere"), MEBIBYTE);
        Files.createSymbolicLink(tree.resolve("file"), home.resolve("elsewhere"));
        Files.createSymbolicLink(tree.resolve("a/up"), home);
        assertThat(exceeds(MEBIBYTE / 2)).isFalse();
    }

    @Test
    void manySmallFilesHideNoLargeOne() throws IOException {
        for (int i = 0; i < 2_000; i++) {
            Files.createFile(tree.resolve("a/b/" + i));
        }
        write(tree.resolve("a/b/large"), 4 * MEBIBYTE);
        assertThat(exceeds(3 * MEBIBYTE)).isTrue();
    }

    /// Root may look anywhere; anybody else is to find it as they left it.
    @Test
    void nothingIsHiddenByAMode() throws IOException {
        write(tree.resolve("a/b/large"), MEBIBYTE);
        for (var directory : List.of("a/b", "a")) {
            Files.setPosixFilePermissions(tree.resolve(directory), PosixFilePermissions.fromString("---r-x---"));
        }

        assertThat(exceeds(MEBIBYTE / 2)).isTrue();
        assertThat(exceeds(2 * MEBIBYTE)).isFalse();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(tree.resolve("a"))))
                .isEqualTo("---r-x---");
        for (var directory : List.of("a", "a/b")) { // or it could not be deleted
            Files.setPosixFilePermissions(tree.resolve(directory), PosixFilePermissions.fromString("rwx------"));
        }
    }

    @Test
    void nothingIsHiddenByDepth() throws IOException {
        var deep = tree;
        for (int i = 0; i < 250; i++) {
            deep = deep.resolve("d");
        }
        Files.createDirectories(deep);
        assertThat(exceeds(1L << 40)).isTrue();
        assertThat(DiskUsage.exceeds(List.of(tree, home), 1L << 40)).isTrue();
    }
}

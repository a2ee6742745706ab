package dev.towtank.node.linux;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GroupFilesTest {

    @TempDir
    private Path home;

    private Path tree;

    /// One that this user may give files to; else none of them changes its group.
    private final Optional<Long> other = ManyUsers.known().map(ids -> ids.group(2000));

    private final long group = other.orElseGet(() -> (long) Processes.group());

    @BeforeEach
    void plant() throws IOException {
        tree = Files.createDirectories(home.resolve("tree"));
    }

    private Path file(String name, String mode) throws IOException {
        var file = tree.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, "x");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
        return file;
    }

    private static String facts(Path file) throws IOException {
        return "%s %o"
                .formatted(
                        Files.getAttribute(file, "unix:gid", LinkOption.NOFOLLOW_LINKS),
                        (int) Files.getAttribute(file, "unix:mode", LinkOption.NOFOLLOW_LINKS) & 07777);
    }

    @Test
    void membersReadAndWriteAllAndWhatTheyMakeIsTheGroups() throws Exception {
        var file = file("a/b/file", "rw-r--r--");
        var shut = file("a/shut", "---------");
        Files.setPosixFilePermissions(tree.resolve("a/b"), PosixFilePermissions.fromString("rwx------"));

        GroupFiles.give(tree, group, false);

        assertThat(facts(tree)).startsWith(group + " 277");
        assertThat(facts(tree.resolve("a/b"))).isEqualTo(group + " 2770");
        assertThat(facts(file)).isEqualTo(group + " 664");
        assertThat(facts(shut)).isEqualTo(group + " 660");
    }

    @Test
    void membersReadWhatNobodyWritesTo() throws Exception {
        var file = file("file", "r--------");

        GroupFiles.give(tree, group, true);

        assertThat(facts(file)).isEqualTo(group + " 440");
        assertThat(facts(tree)).startsWith(group + " 27");
    }

    @Test
    void followsNoLink() throws Exception {
        var outside = Files.createDirectory(home.resolve("outside"));
        var kept = Files.writeString(outside.resolve("kept"), "x");
        Files.setPosixFilePermissions(kept, PosixFilePermissions.fromString("rw-------"));
        Files.setPosixFilePermissions(outside, PosixFilePermissions.fromString("rwx------"));
        var before = facts(kept) + facts(outside);
        Files.createSymbolicLink(tree.resolve("file"), kept);
        Files.createSymbolicLink(tree.resolve("directory"), outside);
        Files.createSymbolicLink(tree.resolve("nowhere"), tree.resolve("none"));

        GroupFiles.give(tree, group, false);

        assertThat(facts(kept) + facts(outside)).isEqualTo(before);
        assertThat(facts(tree.resolve("nowhere"))).startsWith(group + " ");
    }

    @Test
    void goesOnlySoDeep() throws Exception {
        var directory = tree;
        for (int i = 0; i < 300; i++) {
            directory = Files.createDirectory(directory.resolve("d"));
        }
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx------"));

        GroupFiles.give(tree, group, false);

        assertThat(facts(tree.resolve("d/d"))).startsWith(group + " 277");
        assertThat(facts(directory)).endsWith(" 700");
    }

    @Test
    void knowsWhatIsGiven() throws Exception {
        assertThat(GroupFiles.isGiven(tree, group)).isFalse();

        GroupFiles.give(tree, group, false);

        assertThat(GroupFiles.isGiven(tree, group)).isTrue();
        assertThat(GroupFiles.isGiven(tree, group + 1)).isFalse();
    }
}

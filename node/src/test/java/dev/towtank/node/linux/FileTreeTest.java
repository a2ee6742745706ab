package dev.towtank.node.linux;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileTreeTest {

    @TempDir
    private Path home;

    private Path tree;

    @BeforeEach
    void plant() throws IOException {
        tree = Files.createDirectories(home.resolve("tree"));
    }

    @Test
    void nothingIsThereToDelete() throws IOException {
        FileTree.delete(home.resolve("none"));
        FileTree.delete(home.resolve("none/deeper"));
        assertThat(tree).exists();
    }

    @Test
    void deletesAFileAndAnEmptyDirectory() throws IOException {
        var file = Files.writeString(home.resolve("file"), "x");
        FileTree.delete(file);
        FileTree.delete(tree);
        assertThat(home).isEmptyDirectory();
    }

    @Test
    void deletesAllThatIsInADirectory() throws IOException {
        Files.createDirectories(tree.resolve("a/b/c"));
        Files.writeString(tree.resolve("a/b/file"), "x");
        Files.writeString(tree.resolve(".hidden"), "x");
        Files.writeString(tree.resolve("..odd"), "x");
        Files.createDirectory(tree.resolve("..."));
        FileTree.delete(tree);
        assertThat(home).isEmptyDirectory();
    }

    @Test
    void deletesMoreFilesThanAreReadAtOnce() throws IOException {
        for (int i = 0; i < 3000; i++) {
            Files.createFile(tree.resolve("a-file-with-a-name-that-is-not-short-" + i));
        }
        FileTree.delete(tree);
        assertThat(home).isEmptyDirectory();
    }

    @Test
    void followsNoLink() throws IOException {
        var kept = Files.createDirectory(home.resolve("kept"));
        Files.writeString(kept.resolve("file"), "x");
        Files.createSymbolicLink(tree.resolve("link"), kept);
        Files.createSymbolicLink(tree.resolve("nowhere"), Path.of("/no/such"));
        var root = Files.createSymbolicLink(home.resolve("root"), kept);
        FileTree.delete(tree);
        FileTree.delete(root);
        assertThat(home).isDirectoryContaining(kept::equals).isDirectoryNotContaining(path -> !path.equals(kept));
        assertThat(kept.resolve("file")).hasContent("x");
    }

    // Root may do everything; OrdinaryUserTest does the same as somebody else.
    @Test
    void deletesWhatHasNoPermissionToBeListedOrChanged() throws IOException {
        for (var mode : new String[] {"---------", "r--------", "r-x------", "-wx------", "rw-------"}) {
            var directory = Files.createDirectories(tree.resolve(mode + "/inner"));
            Files.writeString(directory.resolve("file"), "x");
            Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString(mode));
            Files.setPosixFilePermissions(tree.resolve(mode), PosixFilePermissions.fromString(mode));
        }
        FileTree.delete(tree);
        assertThat(home).isEmptyDirectory();
    }

    @Test
    void deletesTreesThatAreDeeperThanAPathCanBeLong() throws IOException {
        for (int i = 0; i < 15; i++) {
            Files.writeString(Files.createDirectories(deep("d", 100)).resolve("file"), "x");
            // As a container does it that changes to each directory that it makes.
            Files.move(tree.resolve("d"), Files.createDirectories(deep("e", 99)).resolve("e"));
            Files.move(tree.resolve("e"), tree.resolve("d"));
        }
        Files.writeString(tree.resolve(".moved-0"), "x");
        FileTree.delete(tree);
        assertThat(home).isEmptyDirectory();
    }

    private Path deep(String name, int levels) {
        var deep = tree;
        for (int i = 0; i < levels; i++) {
            deep = deep.resolve(name);
        }
        return deep;
    }
}

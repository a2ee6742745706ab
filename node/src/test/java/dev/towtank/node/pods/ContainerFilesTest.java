package dev.towtank.node.pods;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.towtank.node.linux.Descriptors;
import dev.towtank.node.sandbox.ContainerSpec.Mount;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ContainerFilesTest {

    @TempDir
    private Path root;

    private ContainerFiles files;

    @BeforeEach
    void open() throws IOException {
        for (var name : List.of("work", "inner", "fixed")) {
            Files.createDirectory(root.resolve(name));
        }
        Files.writeString(root.resolve("secret"), "keep out");
        files = new ContainerFiles(List.of(
                new Mount(root.resolve("work"), "/space", false),
                new Mount(root.resolve("inner"), "/space/inner", false),
                new Mount(root.resolve("fixed"), "/fixed", true)));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void writesAndReadsInTheInnermostMount() throws IOException {
        files.write("/space/a/b", bytes("one"), 0640);
        files.write("/space/inner/c", bytes("two"), 0600);
        assertThat(root.resolve("work/a/b")).hasContent("one");
        assertThat(root.resolve("inner/c")).hasContent("two");
        assertThat(files.read("/space/a/b", 10))
                .hasValueSatisfying(content -> assertThat(content).isEqualTo(bytes("one")));
        assertThat(files.read("/space/none", 10)).isEmpty();
        assertThat(files.list("/space/a")).containsExactly("b");
        assertThat(files.exists("/space/a/b")).isTrue();
        assertThat(files.exists("/etc/passwd")).isFalse();
    }

    @Test
    void writesWithTheModeThatIsAskedForAndLeavesNoDraft() throws IOException {
        files.write("/space/empty", bytes(""), 0666);
        files.write("/space/full", bytes("one"), 0666);
        files.write("/space/full", bytes("two"), 0640);
        files.write("/space/full", bytes(""), 0600);
        assertThat(mode("work/empty")).isEqualTo("rw-rw-rw-");
        assertThat(mode("work/full")).isEqualTo("rw-------");
        assertThat(root.resolve("work/full")).isEmptyFile();
        assertThat(files.list("/space")).containsExactly("empty", "full");
    }

    @Test
    void makesDirectoriesWithTheModeOfTheLast() throws IOException {
        files.makeDirectory("/space/a/b", 0750);
        assertThat(mode("work/a")).isEqualTo("rwxrwxrwx");
        assertThat(mode("work/a/b")).isEqualTo("rwxr-x---");
        files.makeDirectory("/space/a/b", 0700);
        assertThat(mode("work/a/b")).isEqualTo("rwx------");
        Files.createSymbolicLink(root.resolve("work/link"), root);
        assertThatThrownBy(() -> files.makeDirectory("/space/link", 0777)).hasMessageContaining("symbolic link");
        assertThatThrownBy(() -> files.makeDirectory("/space/link/new", 0777)).hasMessageContaining("symbolic link");
    }

    @Test
    void linksTwiceToTheSamePlaceButNotToAnother() throws IOException {
        files.link("/space/steps/one", "/elsewhere");
        files.link("/space/steps/one", "/elsewhere");
        assertThat(Files.readSymbolicLink(root.resolve("work/steps/one"))).isEqualTo(Path.of("/elsewhere"));
        assertThatThrownBy(() -> files.link("/space/steps/one", "/other")).hasMessage("/space/steps/one");
        assertThatThrownBy(() -> files.link("/space/steps/one/more", "/other")).hasMessageContaining("symbolic link");
    }

    @Test
    void readsThroughTheLinksOfAConfigMapAlone() throws IOException {
        Files.createDirectory(root.resolve("fixed/..1"));
        Files.writeString(root.resolve("fixed/..1/key"), "value");
        Files.createSymbolicLink(root.resolve("fixed/key"), Path.of("..data/key"));
        assertThatThrownBy(() -> files.read("/fixed/key", 10)).hasMessageContaining("symbolic link");
        Files.createSymbolicLink(root.resolve("fixed/..data"), Path.of("..1"));
        assertThat(files.read("/fixed/key", 10))
                .hasValueSatisfying(content -> assertThat(content).isEqualTo(bytes("value")));
        assertThat(files.exists("/fixed/key")).isTrue();
        assertThat(files.exists("/fixed/none")).isFalse();
    }

    @Test
    void readsNothingButRegularFiles() throws IOException {
        Files.createDirectory(root.resolve("work/directory"));
        Descriptors.makeFifo(root.resolve("work/pipe"));
        assertThatThrownBy(() -> files.read("/space/directory", 10)).hasMessageContaining("no regular file");
        assertThatThrownBy(() -> files.read("/space/pipe", 10)).hasMessageContaining("no regular file");
    }

    private String mode(String path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(root.resolve(path)));
    }

    @Test
    void boundsWhatItReads() throws IOException {
        files.write("/space/a", bytes("12345"), 0600);
        assertThatThrownBy(() -> files.read("/space/a", 4)).hasMessage("/space/a is larger than 4 bytes");
    }

    @Test
    void refusesWaysOut() throws IOException {
        Files.createSymbolicLink(root.resolve("work/link"), root);
        Files.createSymbolicLink(root.resolve("work/file"), root.resolve("secret"));
        assertThatThrownBy(() -> files.read("/space/link/secret", 100)).hasMessageContaining("symbolic link");
        assertThatThrownBy(() -> files.read("/space/file", 100)).hasMessageContaining("symbolic link");
        assertThatThrownBy(() -> files.write("/space/link/new", bytes("x"), 0600))
                .hasMessageContaining("symbolic link");
        assertThatThrownBy(() -> files.write("/space/file", bytes("x"), 0600)).hasMessageContaining("symbolic link");
        assertThatThrownBy(() -> files.write("/space/file", bytes(""), 0600)).hasMessageContaining("symbolic link");
        assertThatThrownBy(() -> files.write("/space/../etc/x", bytes("x"), 0600))
                .hasMessageContaining("in no volume");
        assertThatThrownBy(() -> files.write("/fixed/x", bytes("x"), 0600)).hasMessageContaining("read-only");
        assertThat(files.exists("/space/link/secret")).isFalse();
    }
}

package dev.towtank.node.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OpenDirectoryTest {

    @TempDir
    private Path home;

    private Path place;
    private OpenDirectory directory;

    @BeforeEach
    void open() throws IOException {
        place = Files.createDirectory(home.resolve("place"));
        Files.writeString(home.resolve("outside"), "keep out");
        directory = OpenDirectory.of(place);
    }

    @AfterEach
    void close() {
        directory.close();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String mode(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }

    @Test
    void makesExactlyWhatIsAskedFor() throws IOException {
        assertThat(directory.make("open", 0777)).isTrue();
        assertThat(directory.make("usual", 0755)).isTrue();
        assertThat(directory.create("file", bytes("one"), 0666)).isTrue();
        assertThat(directory.create("fixed", bytes("two"), 0400)).isTrue();
        assertThat(mode(place.resolve("open"))).isEqualTo("rwxrwxrwx");
        assertThat(mode(place.resolve("usual"))).isEqualTo("rwxr-xr-x");
        assertThat(mode(place.resolve("file"))).isEqualTo("rw-rw-rw-");
        assertThat(mode(place.resolve("fixed"))).isEqualTo("r--------");
        assertThat(place.resolve("fixed")).hasContent("two");
    }

    @Test
    void leavesWhatIsThere() throws IOException {
        Files.writeString(place.resolve("there"), "first");
        assertThat(directory.make("there", 0777)).isFalse();
        assertThat(directory.create("there", bytes("second"), 0600)).isFalse();
        assertThat(directory.link("there", "/somewhere")).isFalse();
        assertThat(place.resolve("there")).hasContent("first");
    }

    @Test
    void makesTheWayThere() throws IOException {
        try (var made = directory.makeInside("a/b/c", 0777)) {
            assertThat(made.create("file", bytes("x"), 0644)).isTrue();
        }
        assertThat(place.resolve("a/b/c/file")).hasContent("x");
        assertThat(mode(place.resolve("a/b"))).isEqualTo("rwxrwxrwx");
    }

    @Test
    void followsNoLinkAndLeadsNowhereElse() throws IOException {
        Files.createSymbolicLink(place.resolve("way"), home);
        Files.createSymbolicLink(place.resolve("end"), home.resolve("outside"));
        assertThatThrownBy(() -> directory.inside("way/outside")).hasMessageContaining("symbolic link");
        assertThatThrownBy(() -> directory.read("end")).hasMessageContaining("symbolic link");
        assertThatThrownBy(() -> directory.makeInside("way/new", 0777)).hasMessageContaining("symbolic link");
        assertThatThrownBy(() -> directory.read("../outside")).isInstanceOf(LinuxException.class);
        assertThatThrownBy(() -> directory.read("/etc/passwd")).isInstanceOf(LinuxException.class);
        assertThat(directory.create("end", bytes("x"), 0600)).isFalse();
        assertThat(home.resolve("new")).doesNotExist();
        assertThat(home.resolve("outside")).hasContent("keep out");
    }

    @Test
    void renamesOverAFileButOverNoLink() throws IOException {
        Files.createSymbolicLink(place.resolve("link"), home.resolve("outside"));
        directory.create("one", bytes("1"), 0644);
        directory.rename("one", "two");
        directory.create("one", bytes("2"), 0644);
        directory.rename("one", "two");
        directory.create("one", bytes("3"), 0644);
        assertThatThrownBy(() -> directory.rename("one", "link")).hasMessageContaining("symbolic link");
        assertThat(place.resolve("two")).hasContent("2");
        assertThat(place.resolve("link")).isSymbolicLink();
    }

    @Test
    void staysWhereItWasOpened() throws IOException {
        Files.move(place, home.resolve("moved"));
        Files.createSymbolicLink(place, home);
        directory.create("file", bytes("x"), 0644);
        assertThat(home.resolve("moved/file")).hasContent("x");
        assertThat(home.resolve("file")).doesNotExist();
    }

    @Test
    void tellsWhereALinkLeads() throws IOException {
        assertThat(directory.link("link", "/no/such")).isTrue();
        assertThat(directory.target("link")).hasValue("/no/such");
        assertThat(directory.target("none")).isEmpty();
        directory.make("made", 0700);
        assertThat(directory.target("made")).isEmpty();
    }

    @Test
    void readsNoMoreThanAsked() throws IOException {
        Files.writeString(place.resolve("long"), "0123456789".repeat(1000));
        try (var file = directory.read("long").orElseThrow()) {
            assertThat(file.isRegular()).isTrue();
            assertThat(file.bytes(7)).isEqualTo(bytes("0123456"));
        }
        try (var file = directory.read("long").orElseThrow()) {
            assertThat(file.bytes(20_000)).hasSize(10_000);
        }
        assertThat(directory.read("long/more")).isEmpty();
        assertThat(directory.read("none")).isEmpty();
    }

    @Test
    void doesNotWaitForWhoWritesToAPipe() throws IOException {
        Descriptors.makeFifo(place.resolve("pipe"));
        try (var file = directory.read("pipe").orElseThrow()) {
            assertThat(file.isRegular()).isFalse();
            assertThat(file.bytes(10)).isEmpty();
        }
    }
}

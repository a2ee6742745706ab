package dev.towtank.node.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.towtank.node.images.store.ImageStore;
import dev.towtank.node.images.store.StoredImage;
import dev.towtank.node.images.store.TestImage;
import dev.towtank.node.images.store.TestLayer;
import dev.towtank.node.images.store.UnpackLimits;
import dev.towtank.node.linux.Processes;
import dev.towtank.node.sandbox.machine.MachineView;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.InstantSource;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What is different where each container has a copy of its image's files: they are on the disk.
class CopiedRootsTest {

    private static final String BOOT = "this-boot";
    private static final long BOUND = 1 << 20;

    @TempDir
    Path home;

    private ImageStore store;
    private StoredImage image;

    @BeforeEach
    void makeImage() throws IOException {
        store = ImageStore.open(home.resolve("images"), UnpackLimits.USUAL);
        image = TestImage.of("{}", TestLayer.busybox()).in(store, "docker.io/test:1");
    }

    @AfterEach
    void leave() throws IOException {
        store.close();
        Shared.leave(home);
    }

    private ImageRoots.Copied roots() throws IOException {
        return roots(UnpackLimits.USUAL);
    }

    private ImageRoots.Copied roots(UnpackLimits limits) throws IOException {
        return new ImageRoots.Copied(home.resolve("roots"), BOOT, MachineView.look(), limits);
    }

    private Sandbox sandbox() throws IOException {
        var shared = Shared.in(home);
        return Sandboxes.bubblewrap(shared, shared, true, InstantSource.system());
    }

    private Recipe recipe() {
        return new Recipe("c1", home).layers(image).rootBytes(BOUND);
    }

    @Test
    void nobodyElseOnTheMachineComesNear() throws IOException {
        Files.createDirectories(home.resolve("roots").resolve(BOOT)); // an earlier server was killed over it
        try (var roots = roots()) {
            var _ = roots.make(recipe().spec());

            for (var directory : List.of("roots", "roots/" + BOOT)) {
                assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(home.resolve(directory))))
                        .isEqualTo("rwx------");
            }
            assertThat(roots.place(recipe().spec()).resolve("bin/busybox")).exists();
        }
    }

    @Test
    void aContainerThatHasEndedLeavesNothing() throws IOException {
        try (var roots = roots()) {
            var _ = roots.make(recipe().spec());
            roots.discard("c1");
            roots.discard("never-there");
        }

        assertThat(home.resolve("roots/" + BOOT)).isEmptyDirectory();
    }

    @Test
    void theNextServerKeepsWhatMayRunAndTakesAwayTheRest() throws IOException {
        var before = Files.createDirectories(home.resolve("roots/another-boot/c9/root"));
        var half = Files.createDirectories(home.resolve("roots/" + BOOT + "/.gone-1/root"));
        try (var roots = roots()) {
            var _ = roots.make(recipe().spec());
        }
        try (var roots = roots()) {
            assertThat(roots.overfull("c1", OptionalInt.empty())).isEmpty();
            Files.write(roots.place(recipe().spec()).resolve("large"), new byte[3 << 20]);
            assertThat(roots.overfull("c1", OptionalInt.empty())).hasValue(BOUND);
        }

        assertThat(before.getParent().getParent()).doesNotExist();
        assertThat(half.getParent()).doesNotExist();
        assertThat(home.resolve("roots/" + BOOT + "/c1/root/bin/busybox")).exists();
    }

    @Test
    void halfACopyIsMadeAnew() throws IOException {
        var left = Files.createDirectories(home.resolve("roots/" + BOOT + "/c1/root/bin"));
        Files.writeString(left.resolve("busybox"), "half");
        try (var roots = roots()) {
            var _ = roots.make(recipe().spec());

            assertThat(Files.size(left.resolve("busybox"))).isGreaterThan(1000);
        }
    }

    @Test
    void aFullDiskIsTheReason() throws IOException {
        try (var roots = roots(new UnpackLimits(1L << 30, 1000, Long.MAX_VALUE))) {
            assertThatThrownBy(() -> roots.make(recipe().spec()))
                    .isInstanceOf(IOException.class)
                    .hasMessageStartingWith(
                            "the files of the image cannot be copied for the container: no space left on device");
        }
    }

    @Test
    void aNameThatLeadsElsewhereIsRefused() throws IOException {
        try (var roots = roots()) {
            for (var id : List.of("../c1", "a/b", ".gone-x", "")) {
                var spec = new Recipe(id, home).layers(image).spec();
                assertThatThrownBy(() -> roots.place(spec)).isInstanceOf(IllegalArgumentException.class);
            }
        }
    }

    /// With a name, where its owner may not look, open without a name, mapped without one, and open in a process whose
    /// first thread has ended.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "head -c 3000000 /dev/zero > /f; echo up; sleep 100",
                "mkdir -p /a/b; head -c 3000000 /dev/zero > /a/b/f; chmod 0 /a/b; chmod 400 /a; echo up; sleep 100",
                "exec 5>/f; head -c 3000000 /dev/zero >&5; rm /f; echo up; sleep 100",
                "perl -e '$| = 1; open F, \"+>\", \"/f\"; print F \"x\" x 3000000; seek F, 0, 0; "
                        + "syscall(9, 0, 3000000, 1, 1, fileno F, 0); close F; unlink \"/f\"; print \"up\\n\"; sleep 100'",
                "perl -Mthreads -e '$| = 1; open F, \">\", \"/f\"; print F \"x\" x 3000000; F->flush; unlink \"/f\"; "
                        + "threads->create(sub { sleep 1; print \"up\\n\"; sleep 100 }); syscall(60, 0)'"
            })
    void whoWritesMoreThanMayBeIsFound(String script) throws Exception {
        try (var sandbox = sandbox()) {
            var process = sandbox.start(
                    recipe().mount(Path.of("/usr"), "/usr", true).script(script).spec());
            try (var in = process.log().read(Logs.following())) {
                assertThat(Logs.line(in)).isEqualTo("up");
            }
            assertThat(sandbox.overfull("c1")).hasValue(BOUND);

            process.kill();
            process.await();
            sandbox.remove("c1", home.resolve("runs/c1"));
            assertThat(sandbox.overfull("c1")).isEmpty();
        }
        assertThat(Files.exists(
                        home.resolve("shared/roots").resolve(Processes.boot()).resolve("c1")))
                .isFalse();
    }

    @Test
    void whoWritesLittleIsLeftAlone() throws Exception {
        try (var sandbox = sandbox()) {
            var process = sandbox.start(recipe().script("head -c 100000 /dev/zero > /f; echo up; sleep 100")
                    .spec());
            try (var in = process.log().read(Logs.following())) {
                Logs.line(in);
            }
            assertThat(sandbox.overfull("c1")).isEmpty();
            assertThat(sandbox.overfull("c2")).isEmpty();
            process.kill();
            process.await();
        }
    }

    @Test
    void theNodeSaysThatRootsAreCopies() throws IOException {
        try (var sandbox = sandbox()) {
            assertThat(sandbox.abilities().missing())
                    .contains("Containers on images get a copy of the image's files, as the server was told so: they"
                            + " start more slowly, and what they write is on the disk and bounded by a look now and"
                            + " then.");
        }
    }
}

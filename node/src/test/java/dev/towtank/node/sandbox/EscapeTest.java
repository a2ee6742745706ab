package dev.towtank.node.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Containers whose paths, and whose volumes' links, are to lead whoever prepares them out of their world. What they
/// want is a directory of the machine, in which nothing may be made and of which nothing may be read.
class EscapeTest {

    @TempDir
    Path home;

    private Path secrets;
    private Path volume;
    private Sandbox sandbox;

    @BeforeEach
    void open() throws IOException {
        secrets = Files.createDirectory(home.resolve("secrets"));
        Files.writeString(secrets.resolve("password"), "hidden");
        volume = Files.createDirectory(home.resolve("volume"));
        sandbox = Sandboxes.bubblewrap(Shared.in(home), InstantSource.system());
    }

    @AfterEach
    void close() throws IOException {
        sandbox.close();
        try (var left = Files.list(secrets)) {
            assertThat(left).containsExactly(secrets.resolve("password"));
        }
        Shared.leave(home);
    }

    private Recipe recipe() {
        return new Recipe("c1", home)
                .script("find / -name password -path '*secrets*' -not -path '/proc/*' 2>/dev/null");
    }

    /// A link by which bubblewrap, while it prepares a root, would come to the machine's.
    private void link(String name, Path target) throws IOException {
        Files.createSymbolicLink(volume.resolve(name), Path.of("/oldroot" + target));
    }

    private String said(Recipe recipe) throws Exception {
        var process = sandbox.start(recipe.spec());
        process.await();
        return Logs.all(process);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/tmp\0--bind\0/\0/hostroot", "/a\nb", "/tmp/../../oldroot", "relative"})
    void aPathThatIsNoneIsRefusedWhereverItIsFor(String path) {
        assertThatThrownBy(() -> sandbox.start(recipe().workingDirectory(path).spec()))
                .hasMessageContaining("the path");
        assertThatThrownBy(
                        () -> sandbox.start(recipe().mount(volume, path, false).spec()))
                .hasMessageContaining("the path");
    }

    @Test
    void noArgumentBecomesTwo() {
        assertThatThrownBy(() ->
                        sandbox.start(recipe().variable("A", "b\0--bind\0/\0/x").spec()))
                .hasMessageContaining("zero byte");
        assertThatThrownBy(() -> sandbox.start(recipe().command("x\0y").spec())).hasMessageContaining("zero byte");
        assertThatThrownBy(() -> JailText.bytes(List.of("--dir", "/a\0--bind")))
                .hasMessage("\"/a?--bind\" holds a zero byte, which no process can be given");
    }

    @Test
    void aPlaceBehindALinkOfAnotherVolumeIsRefused() throws Exception {
        link("out", secrets);
        var more = Files.createDirectory(home.resolve("more"));

        for (var place : new String[] {"/a/out", "/a/out/made", "/a/out/more/made"}) {
            assertThatThrownBy(() -> sandbox.start(recipe().mount(volume, "/a", false)
                            .mount(more, place, false)
                            .spec()))
                    .hasMessageContaining("leads through a link in another volume");
        }
    }

    @Test
    void aFileBehindALinkOfAVolumeIsRefused() throws Exception {
        link("out", secrets);
        link("file", secrets.resolve("made"));
        var message = Files.createFile(home.resolve("message"));

        for (var place : new String[] {"/dev/out/log", "/dev/file"}) {
            assertThatThrownBy(() -> sandbox.start(recipe().mount(volume, "/dev", false)
                            .mount(message, place, false)
                            .spec()))
                    .hasMessageContaining("leads through a link in another volume");
        }
    }

    @Test
    void placesInOtherVolumesAreMade() throws Exception {
        var more = Files.createDirectory(home.resolve("more"));
        Files.writeString(more.resolve("file"), "inner");

        assertThat(said(new Recipe("c1", home)
                        .mount(more.resolve("file"), "/var/run/c/file", true)
                        .mount(more, "/run/a/b", false)
                        .mount(volume, "/run", false)
                        .script("cat /run/a/b/file /run/c/file")))
                .isEqualTo("innerinner");
        assertThat(volume.resolve("a/b")).isEmptyDirectory();
    }

    @Test
    void aWorkingDirectoryBehindALinkIsLookedForInsideAlone() throws Exception {
        link("out", secrets);
        Files.createSymbolicLink(volume.resolve("usr"), Path.of("/usr"));

        var refused = sandbox.start(recipe().mount(volume, "/a", false)
                .workingDirectory("/a/out/made")
                .spec());
        assertThat(refused.await()).isInstanceOf(Exit.NotStarted.class);
        assertThat(said(new Recipe("c2", home)
                        .mount(volume, "/a", false)
                        .workingDirectory("/a/usr/bin")
                        .script("pwd -P")))
                .isEqualTo("/usr/bin\n");
        assertThat(said(new Recipe("c3", home)
                        .mount(volume, "/a", false)
                        .workingDirectory("/a/new/one")
                        .script("pwd")))
                .isEqualTo("/a/new/one\n");
    }

    @Test
    void aPartOfAVolumeIsFollowedThroughNoLink() throws Exception {
        Files.createSymbolicLink(volume.resolve("out"), secrets);
        Files.createDirectory(volume.resolve("part"));
        Files.writeString(volume.resolve("part/file"), "mine");

        assertThatThrownBy(() ->
                        sandbox.start(recipe().mount(volume, "out", "/a", false).spec()))
                .hasMessageContaining("leads through a link");
        assertThat(said(recipe().mount(volume, "part", "/a", false).script("cat /a/file")))
                .isEqualTo("mine");
    }

    /// While another container that has the volume exchanges a directory in it and a link, all the time.
    private List<String> saidWhileExchanging(Path target, UnaryOperator<Recipe> mounts) throws Exception {
        Files.createDirectory(volume.resolve("part"));
        Files.createSymbolicLink(volume.resolve("link"), target);
        var done = new AtomicBoolean();
        var swapping = Thread.ofPlatform().start(() -> {
            while (!done.get()) {
                exchange(volume.resolve("part"), volume.resolve("link"), volume.resolve("other"));
            }
        });
        var said = new ArrayList<String>();
        try {
            for (int i = 0; i < 40; i++) {
                try {
                    said.add(said(mounts.apply(new Recipe("r" + i, home))));
                } catch (IOException e) {
                    assertThat(e).hasMessageMatching("(?s).*(link|volume).*");
                }
            }
        } finally {
            done.set(true);
            swapping.join();
        }
        return said;
    }

    @Test
    void whoeverExchangesAPartOfAVolumeGetsNothing() throws Exception {
        assertThat(saidWhileExchanging(
                        secrets,
                        recipe -> recipe.mount(volume, "part", "/a", false).script("ls /a; touch /a/made; rm /a/made")))
                .doesNotContain("password\n");
    }

    @Test
    void whoeverExchangesTheWayToAPlaceHasNothingMade() throws Exception {
        var more = Files.createDirectory(home.resolve("more"));

        assertThat(saidWhileExchanging(
                        Path.of("/oldroot" + secrets),
                        recipe -> recipe.mount(volume, "/a", false)
                                .mount(more, "/a/part/made", false)
                                .script("ls /a/part")))
                .doesNotContain("password\n");
    }

    @Test
    void whoeverExchangesWhatIsAroundAPlaceHasNothingMade() throws Exception {
        var more = Files.createDirectory(home.resolve("more"));

        assertThat(saidWhileExchanging(
                        secrets,
                        recipe -> recipe.mount(volume, "part", "/a", false)
                                .mount(more, "/a/made", false)
                                .script("ls /a")))
                .doesNotContain("password\n");
    }

    private static void exchange(Path one, Path two, Path free) {
        try {
            Files.move(one, free);
            Files.move(two, one);
            Files.move(free, two);
        } catch (IOException e) {
            // the next time
        }
    }

    /// The moment that the others try to hit: the place is made, and then the way there becomes a link.
    @Test
    void aLinkThatComesInTimeLeadsNoLongerToTheMachine() throws Exception {
        var more = Files.createDirectory(home.resolve("more"));
        var wanted = List.of(
                new ContainerSpec.Mount(volume, "/a", false), new ContainerSpec.Mount(more, "/a/part/made", false));
        var line = new ArrayList<>(List.of("bwrap", "--unshare-user", "--unshare-pid", "--tmpfs", "/"));
        line.addAll(List.of("--ro-bind", "/usr", "/usr", "--symlink", "usr/lib64", "/lib64", "--proc", "/proc"));
        try (var mounts = FencedMounts.of(wanted, new RootPaths(Map.of(), Map.of()))) {
            Files.move(volume.resolve("part"), volume.resolve("other"));
            link("part", secrets);
            line.addAll(mounts.outerArguments());
            line.addAll(mounts.innerArguments());
        }
        line.addAll(List.of("--", "/usr/bin/true"));

        var ended = new ProcessBuilder(line).redirectErrorStream(true).start();
        assertThat(ended.inputReader().readAllAsString()).contains("Can't mkdir /a/part");
        assertThat(ended.waitFor()).isOne();
    }

    @Test
    void mountsAreComparedWithThoseThatWereMeant() throws Exception {
        var root = Files.createDirectory(home.resolve("root"));
        Files.createDirectory(root.resolve("a"));
        try (var mounts = FencedMounts.of(
                List.of(new ContainerSpec.Mount(volume, "/a", false)), new RootPaths(Map.of(), Map.of()))) {
            assertThatThrownBy(() -> mounts.compare(root))
                    .hasMessageContaining("what is mounted at /a is not what was to be mounted there");
        }
    }
}

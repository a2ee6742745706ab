package dev.towtank.node.images.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.towtank.node.linux.DiskUsage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LayeredCopyTest {

    private static final UnpackLimits LIMITS = new UnpackLimits(64 << 20, 10_000, 0);

    @TempDir
    Path home;

    private ImageStore store;
    private Path copy;

    @BeforeEach
    void open() throws IOException {
        store = ImageStore.open(home.resolve("store"), UnpackLimits.USUAL);
        copy = Files.createDirectory(home.resolve("copy"));
    }

    @AfterEach
    void close() throws IOException {
        store.close();
    }

    private LayeredFiles image(TestLayer... layers) throws IOException {
        var stored = TestImage.of("{}", layers).in(store, "docker.io/test:1");
        return new LayeredFiles(stored.root(), stored.layers());
    }

    private static TestLayer layer() {
        return new TestLayer();
    }

    @Test
    void upperLayersReplaceHideAndTakeAwayWhatLowerOnesHave() throws IOException {
        var outside = Files.createDirectory(home.resolve("outside"));
        var files = image(
                layer().file("kept/a", "1")
                        .file("kept/gone", "2")
                        .file("anew/old", "3")
                        .file("tree/x", "4")
                        .file("file", "5")
                        .link("link", outside.toString())
                        .file("back/old", "6"),
                layer().file("kept/.wh.gone", "")
                        .file("anew/.wh..wh..opq", "")
                        .file("anew/new", "7")
                        .file("tree", "a file by now")
                        .file("file/inside", "8")
                        .file(".wh.back", ""),
                layer().file("link/inside", "9").file("back/new", "10"));

        LayeredCopy.run(files, copy, LIMITS);

        assertThat(seen(copy))
                .containsExactly(
                        "anew",
                        "anew/new",
                        "back",
                        "back/new",
                        "dev",
                        "etc",
                        "etc/hostname",
                        "etc/hosts",
                        "etc/resolv.conf",
                        "file",
                        "file/inside",
                        "kept",
                        "kept/a",
                        "link",
                        "link/inside",
                        "proc",
                        "sys",
                        "tree");
        assertThat(copy.resolve("tree")).hasContent("a file by now");
        assertThat(copy.resolve("link/inside")).hasContent("9");
        assertThat(outside).isEmptyDirectory();
    }

    @Test
    void modesTimesLinksAndNamesAreThoseOfTheImage() throws IOException {
        var files = image(layer().directory("tmp", 01777)
                .directory("secret", 0700)
                .file("bin/app", "x".getBytes(StandardCharsets.UTF_8), 0751)
                .hardLink("bin/other", "bin/app")
                .link("bin/link", "/../../etc/shadow")
                .file("é", "y"));

        LayeredCopy.run(files, copy, LIMITS);

        assertThat(mode("tmp")).isEqualTo("41777");
        assertThat(mode("secret")).isEqualTo("40700");
        assertThat(mode("bin/app")).isEqualTo("100751");
        assertThat(mode("")).isEqualTo("40755");
        assertThat(Files.getLastModifiedTime(copy.resolve("bin/app")).toMillis())
                .isEqualTo(1_700_000_000_000L);
        assertThat(Files.getLastModifiedTime(copy.resolve("tmp")).toMillis()).isEqualTo(1_700_000_000_000L);
        assertThat(Files.isSameFile(copy.resolve("bin/app"), copy.resolve("bin/other")))
                .isTrue();
        assertThat(Files.readSymbolicLink(copy.resolve("bin/link"))).hasToString("/../../etc/shadow");
        assertThat(copy.resolve("é")).hasContent("y");
    }

    private String mode(String path) throws IOException {
        return Integer.toOctalString(
                (int) Files.getAttribute(copy.resolve(path), "unix:mode", LinkOption.NOFOLLOW_LINKS));
    }

    @Test
    void nothingIsSharedWithTheLayers() throws IOException {
        var files = image(layer().file("a", "before").hardLink("b", "a"));

        LayeredCopy.run(files, copy, LIMITS);
        Files.writeString(copy.resolve("a"), "after");

        assertThat(copy.resolve("b")).hasContent("after");
        assertThat(files.file(Path.of("/a")).orElseThrow()).hasContent("before");
        assertThat(files.file(Path.of("/b")).orElseThrow()).hasContent("before");
    }

    @Test
    void holesStayHolesAndAreNotCounted() throws IOException {
        var content = new byte[8 << 20];
        content[0] = 1;
        content[content.length - 1] = 2;
        var files =
                image(layer().file("sparse", content, 0644).file("empty", "").file("zeros", new byte[1 << 20], 0644));

        long taken = LayeredCopy.run(files, copy, LIMITS);

        assertThat(copy.resolve("sparse")).hasBinaryContent(content);
        assertThat(Files.size(copy.resolve("zeros"))).isEqualTo(1 << 20);
        assertThat(Files.size(copy.resolve("empty"))).isZero();
        assertThat(taken).isBetween(2L << 16, 1L << 20);
    }

    /// Else a container would be over its bound before it writes anything.
    @Test
    void whatItTakesIsWhatIsFoundThereLater() throws IOException {
        var layer = layer();
        for (int i = 0; i < 500; i++) {
            layer.link("links/" + i, "x".repeat(100)).file("names/" + "n".repeat(100) + i, "");
        }

        long taken = LayeredCopy.run(image(layer), copy, LIMITS);

        assertThat(DiskUsage.exceeds(List.of(copy), taken)).isFalse();
        assertThat(DiskUsage.exceeds(List.of(copy), taken - taken / 10)).isTrue();
    }

    @Test
    void aFullDiskIsToldAsSuch() throws IOException {
        var files = image(layer().file("a", "x"));

        assertThatThrownBy(() -> LayeredCopy.run(files, copy, new UnpackLimits(1 << 20, 100, Long.MAX_VALUE)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("no space left on device");
    }

    @Test
    void whatHasNoEndIsNotCopied() throws IOException {
        var deep = image(layer().file("d/".repeat(200) + "file", "x"));
        assertThatThrownBy(() -> LayeredCopy.run(deep, copy, LIMITS))
                .hasMessage("the image has directories more than 150 deep");

        var large = image(layer().file("large", new byte[1 << 20], 0644));
        assertThatThrownBy(() -> LayeredCopy.run(
                        large, Files.createDirectory(home.resolve("second")), new UnpackLimits(1 << 19, 100, 0)))
                .hasMessageContaining("more than 0 MiB");
    }

    /// What is looked up in the layers without putting them over each other is what the copy has.
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void aCopyHasWhatIsFoundInTheLayers(long seed) throws IOException {
        var random = new Random(seed);
        var layers = new ArrayList<TestLayer>();
        for (int i = 0; i < 5; i++) {
            layers.add(random(random));
        }
        var files = image(layers.toArray(TestLayer[]::new));

        LayeredCopy.run(files, copy, LIMITS);

        var expected = new TreeSet<String>();
        for (var layer : files.upperFirst()) {
            for (var path : seen(files.root().resolve(layer).toRealPath())) {
                if (files.file(Path.of("/" + path)).isPresent()) {
                    expected.add(path);
                }
            }
        }
        assertThat(seen(copy)).containsExactlyElementsOf(expected);
        for (var path : expected) {
            var found = files.file(Path.of("/" + path)).orElseThrow();
            if (Files.isRegularFile(found, LinkOption.NOFOLLOW_LINKS)) {
                assertThat(copy.resolve(path)).hasSameBinaryContentAs(found);
            }
            assertThat(Files.isSymbolicLink(copy.resolve(path))).isEqualTo(Files.isSymbolicLink(found));
        }
    }

    /// Each name once, so that an archiver could have written it.
    private static TestLayer random(Random random) throws IOException {
        var layer = layer();
        for (var top : List.of("a", "b", "c")) {
            switch (random.nextInt(6)) {
                case 0 -> layer.file(".wh." + top, "");
                case 1 -> layer.file(top, "file " + random.nextInt());
                case 2 -> layer.link(top, random.nextBoolean() ? "b" : "/etc");
                case 3 -> {}
                default -> inside(layer, top, random);
            }
        }
        return layer;
    }

    private static void inside(TestLayer layer, String top, Random random) throws IOException {
        layer.directory(top, 0755);
        if (random.nextInt(3) == 0) {
            layer.file(top + "/.wh..wh..opq", "");
        }
        for (var name : List.of("x", "y", "z")) {
            var path = top + "/" + name;
            switch (random.nextInt(5)) {
                case 0 -> layer.file(top + "/.wh." + name, "");
                case 1 -> layer.file(path, "inner " + random.nextInt());
                case 2 -> layer.file(path + "/deep", "deep " + random.nextInt());
                case 3 -> layer.link(path, "../c");
                default -> {}
            }
        }
    }

    private static List<String> seen(Path root) throws IOException {
        try (var files = Files.walk(root)) {
            return files.filter(file -> !file.equals(root))
                    .map(file -> root.relativize(file).toString())
                    .sorted()
                    .toList();
        }
    }
}

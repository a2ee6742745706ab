package dev.towtank.node.images.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarConstants;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ImageStoreTest {

    private static final UnpackLimits SMALL = new UnpackLimits(1 << 20, 500, 0);

    @TempDir
    Path home;

    private ImageStore store;

    @BeforeEach
    void open() throws IOException {
        store = ImageStore.open(home.resolve("store"), SMALL);
    }

    private static TestLayer layer() {
        return new TestLayer();
    }

    private StoredImage add(TestLayer... layers) throws IOException {
        return TestImage.of("{}", layers).in(store, "docker.io/a:1");
    }

    private void refuses(String message, TestLayer layer) throws IOException {
        assertThatThrownBy(() -> add(layer)).isInstanceOf(IOException.class).hasMessageContaining(message);
        assertThat(TestImage.names(home.resolve("store/layers"))).isEmpty();
        assertThat(TestImage.names(home.resolve("store/partial"))).isEmpty();
        assertThat(TestImage.names(home.resolve("store/names"))).isEmpty();
    }

    @Test
    void unpacksFilesLinksAndLongNames() throws IOException {
        var deep = "d".repeat(90) + "/" + "é".repeat(60) + "/file";
        var image = add(layer().directory("bin", 0750)
                .file("bin/app", "#!/bin/sh\n".getBytes(StandardCharsets.UTF_8), 0111)
                .link("bin/link", "/etc/passwd")
                .hardLink("bin/other", "bin/app")
                .file(deep, "deep")
                .special("dev/null", TarConstants.LF_CHR, "")
                .special("pipe", TarConstants.LF_FIFO, ""));

        var layer = image.root().resolve("0");
        assertThat(layer.resolve("bin/app")).hasContent("#!/bin/sh");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(layer.resolve("bin/app"))))
                .isEqualTo("rwx--x--x");
        assertThat(Files.getLastModifiedTime(layer.resolve("bin/app")).toMillis())
                .isEqualTo(1_700_000_000_000L);
        assertThat(Files.isSameFile(layer.resolve("bin/app"), layer.resolve("bin/other")))
                .isTrue();
        assertThat(Files.readSymbolicLink(layer.resolve("bin/link"))).hasToString("/etc/passwd");
        assertThat(layer.resolve(deep)).hasContent("deep");
        assertThat(layer.resolve("dev/null")).doesNotExist();
        assertThat(layer.resolve("pipe")).doesNotExist();
    }

    @Test
    void aLayerTakesAwayWhatLowerOnesHave() throws IOException {
        var image = add(
                layer().file("a/one", "1").file("a/two", "2").file("b/old", "3").file("c/x", "4"),
                layer().file("a/.wh.one", "")
                        .file("b/.wh..wh..opq", "")
                        .file("b/new", "5")
                        .file("c", "now a file"));
        var files = new LayeredFiles(image.root(), image.layers());

        assertThat(files.file(Path.of("/a/one"))).isEmpty();
        assertThat(files.file(Path.of("/a/two"))).isPresent();
        assertThat(files.file(Path.of("/b/old"))).isEmpty();
        assertThat(files.file(Path.of("/b/new"))).isPresent();
        assertThat(files.file(Path.of("/c/x"))).isEmpty();
        assertThat(files.file(Path.of("/c"))).isPresent();
        assertThat(files.file(Path.of("/etc/hosts"))).isPresent(); // of the layer over all others
    }

    @Test
    void aLayerIsUnpackedOnceForAllImages() throws IOException {
        var shared = layer().file("shared", "x");
        var first = TestImage.of("{}", shared);
        first.in(store, "docker.io/a:1");
        var before = Files.getLastModifiedTime(home.resolve("store/layers"));

        var second = TestImage.of("{\"User\": \"7\"}", shared).in(store, "docker.io/b:1");

        assertThat(TestImage.names(home.resolve("store/layers"))).hasSize(1);
        assertThat(Files.getLastModifiedTime(home.resolve("store/layers"))).isEqualTo(before);
        assertThat(second.config().string("User")).isEqualTo("7");
    }

    @Test
    void nothingLeavesItsLayer() throws IOException {
        refuses("an entry outside of itself: ../evil", layer().file("../evil", "x"));
        refuses("an entry outside of itself", layer().file("a/../../evil", "x"));
        refuses(
                "an entry below a symbolic link: way/evil",
                layer().link("way", "/tmp").file("way/evil", "x"));
        refuses(
                "below a symbolic link",
                layer().link("a", "b").link("b", "/tmp").file("a/evil", "x"));
        refuses("below a symbolic link", layer().link("way", "/etc").hardLink("mine", "way/passwd"));
        refuses("a link to what is no file in it", layer().hardLink("mine", "/etc/passwd"));
        refuses("an entry outside of itself", layer().hardLink("mine", "../../names"));
        refuses("below a symbolic link", layer().link("way", "/tmp").file("way/.wh.x", ""));
        assertThat(Path.of("/tmp/evil")).doesNotExist();
    }

    @Test
    void whatIsTooMuchIsGivenUp() throws IOException {
        refuses("more than 1 MiB", layer().file("zeros", new byte[3 << 20], 0644));
        var many = layer();
        for (int i = 0; i < 600; i++) {
            many.file("f" + i, "");
        }
        refuses("more than 500 files", many);
        refuses("directories more than 256 deep", layer().file("d/".repeat(300) + "x", ""));
    }

    @Test
    void aLayerThatIsHugeOrEndlessIsGivenUpEarly() throws IOException {
        var image = TestImage.of("{}", layer().file("a", "x"));
        var read = new AtomicLong();
        var endless = new ImageSource() {
            @Override
            public byte[] manifest(String version) throws IOException {
                var text = new String(image.blobs().get(image.manifest()), StandardCharsets.UTF_8);
                return text.replace("tar+gzip", "tar")
                        .replaceFirst("(layers.*\"size\":)[0-9]+", "$1" + (10L << 30))
                        .getBytes(StandardCharsets.UTF_8);
            }

            @Override
            public InputStream blob(Digest digest, long size) throws IOException {
                if (size < 1 << 20) {
                    return image.source().blob(digest, size);
                }
                var entry = new TarArchiveEntry("huge", true);
                entry.setSize(7L << 30);
                var header = new byte[512];
                entry.writeEntryHeader(header);
                return new SequenceInputStream(new ByteArrayInputStream(header), new Zeros(read));
            }
        };

        assertThatThrownBy(
                        () -> store.add(new ImageStore.Draft("docker.io/a:1", false), "latest", endless, Instant.EPOCH))
                .hasMessageContaining("unpacks to more than 1 MiB");
        assertThat(read.get()).isLessThan(16 << 20);
        assertThat(TestImage.names(home.resolve("store/layers"))).isEmpty();
        assertThat(TestImage.names(home.resolve("store/partial"))).isEmpty();
    }

    private static final class Zeros extends InputStream {
        private final AtomicLong read;

        Zeros(AtomicLong read) {
            this.read = read;
        }

        @Override
        public int read() {
            read.incrementAndGet();
            return 0;
        }

        @Override
        public int read(byte[] into, int offset, int length) {
            java.util.Arrays.fill(into, offset, offset + length, (byte) 0);
            read.addAndGet(length);
            return length;
        }
    }

    @Test
    void aDiskThatIsAlmostFullIsLeftAlone() throws IOException {
        store = ImageStore.open(home.resolve("store"), new UnpackLimits(1 << 20, 500, Long.MAX_VALUE));

        refuses("no space left on device", layer().file("a", "x"));
    }

    @Test
    void whatNobodyUsesGoesAfterAWhile() throws IOException {
        var kept = TestImage.of("{}", layer().file("kept", "x")).in(store, "docker.io/kept:1");
        var running = TestImage.of("{}", layer().file("running", "x")).in(store, "docker.io/running:1");
        TestImage.of("{}", layer().file("old", "x")).in(store, "docker.io/old:1");
        store.add(
                new ImageStore.Draft("docker.io/brought:1", true),
                kept.digest().toString(),
                TestImage.of("{}", layer().file("kept", "x")).source(),
                Instant.EPOCH);
        var now = Instant.now().plus(Duration.ofDays(40));
        store.touch("docker.io/kept:1", now);
        var upkeep = new ImageStore.Upkeep(Duration.ofDays(30), 0, 0);

        try (var own = ImageStore.use(home.resolve("store"), SMALL)) {
            try (var _ = ImageStore.use(home.resolve("store"), SMALL)) {
                assertThat(own.collect(Set.of(), upkeep, now)).isEmpty(); // another one is there
            }
            assertThat(own.collect(Set.of(running.digest()), upkeep, now)).containsExactly("docker.io/old:1");
            assertThat(own.find("docker.io/kept:1")).isPresent();
            assertThat(own.find("docker.io/running:1")).isPresent();
            assertThat(TestImage.names(home.resolve("store/layers"))).hasSize(2);
            // A full disk: what was used last goes last, and what a file brought stays.
            assertThat(own.collect(Set.of(), new ImageStore.Upkeep(Duration.ofDays(3000), 2, 2), now))
                    .containsExactly("docker.io/running:1", "docker.io/kept:1");
            assertThat(own.list()).extracting(ImageStore.Named::name).containsExactly("docker.io/brought:1");
            assertThat(own.find("docker.io/brought:1")).isPresent();
        }
    }

    @Test
    void holesStayHoles() throws IOException {
        store = ImageStore.open(home.resolve("store"), UnpackLimits.USUAL);
        var content = new byte[8 << 20];
        content[0] = 1;

        var image = add(layer().file("sparse", content, 0644));

        var file = image.root().resolve("0/sparse");
        assertThat(file).hasBinaryContent(content);
        assertThat((long) Files.getAttribute(file, "unix:size")).isEqualTo(content.length);
    }

    @Test
    void whatIsNotWhatItsDigestSaysIsRefused() throws IOException {
        var image = TestImage.of("{}", layer().file("a", "x"));
        for (var digest : image.blobs().keySet().stream().toList()) {
            var right = image.blobs().get(digest);
            image.blobs().put(digest, TestLayer.gzipped("other".getBytes(StandardCharsets.UTF_8)));

            assertThatThrownBy(() -> image.in(store, "docker.io/a:1")).isInstanceOf(IOException.class);
            assertThat(store.find("docker.io/a:1")).isEmpty();
            assertThat(TestImage.names(home.resolve("store/layers"))).isEmpty();

            image.blobs().put(digest, right);
        }
        image.in(store, "docker.io/a:1");
        assertThat(store.find("docker.io/a:1")).isPresent();
    }

    @Test
    void aLayerWithOneByteTooManyIsRefused() throws IOException {
        var image = TestImage.of("{}", layer().file("a", "x"));
        var layer = image.blobs().keySet().iterator().next();
        var longer = new ByteArrayOutputStream();
        longer.write(image.blobs().get(layer));
        longer.write(0);
        image.blobs().put(layer, longer.toByteArray());

        assertThatThrownBy(() -> image.in(store, "a")).hasMessageContaining("failed size validation");
    }

    @Test
    void anImageForAnotherMachineIsRefused() throws IOException {
        var foreign = TestImage.of("{}", "s390x", layer().file("a", "x"));

        assertThatThrownBy(() -> foreign.in(store, "a")).hasMessageContaining("the image is for linux/s390x");
        var index = Digest.of(TestImage.index(Map.of("s390x", foreign)));
        foreign.blobs().put(index, TestImage.index(Map.of("s390x", foreign)));
        assertThatThrownBy(() ->
                        store.add(new ImageStore.Draft("a", false), index.toString(), foreign.source(), Instant.EPOCH))
                .hasMessageContaining("no match for platform in manifest: not found");
    }

    @Test
    void ofAListThisMachinesImageIsTaken() throws IOException {
        var own = TestImage.of("{}", layer().file("own", "x"));
        var foreign = TestImage.of("{}", "s390x", layer().file("foreign", "x"));
        var index = TestImage.index(
                Map.of("s390x", foreign, Platform.ofThisMachine().architecture(), own));
        own.blobs().put(Digest.of(index), index);

        var image =
                store.add(new ImageStore.Draft("a", false), Digest.of(index).toString(), own.source(), Instant.EPOCH);

        assertThat(image.digest()).isEqualTo(own.manifest());
        assertThat(image.root().resolve("0/own")).exists();
    }

    @Test
    void whatLacksALayerIsNotThere() throws IOException {
        var image = add(layer().file("a", "x"));
        Files.move(image.root().resolve("0").toRealPath(), home.resolve("elsewhere"));

        assertThat(store.find("docker.io/a:1")).isEmpty();
        assertThat(TestImage.of("{}", layer().file("a", "x"))
                        .in(store, "docker.io/a:1")
                        .digest())
                .isEqualTo(image.digest());
        assertThat(store.find("docker.io/a:1")).isPresent();
    }

    @Test
    void pruningLeavesWhatHasAName() throws IOException {
        add(layer().file("kept", "x"));
        TestImage.of("{}", layer().file("gone", "x")).in(store, "docker.io/b:1");
        Files.createDirectories(home.resolve("store/partial/layer123/half"));

        assertThat(store.remove("docker.io/b:1")).isTrue();
        assertThat(store.remove("docker.io/b:1")).isFalse();
        try (var _ = ImageStore.use(home.resolve("store"), SMALL)) {
            assertThat(store.prune()).isEmpty(); // somebody may run on what it would take
        }
        Files.createFile(home.resolve("store/users/4194305.1.x")); // of a server that was killed
        assertThat(store.prune()).contains(1);

        assertThat(store.find("docker.io/a:1")).isPresent();
        assertThat(store.list()).extracting(ImageStore.Named::name).containsExactly("docker.io/a:1");
        assertThat(TestImage.names(home.resolve("store/partial"))).isEmpty();
        assertThat(TestImage.names(home.resolve("store/blobs"))).hasSize(2);
    }

    @Test
    void importsLayouts() throws IOException {
        var layout = TestImage.of("{}", layer().file("a", "x")).layout(home.resolve("layout"), "v1");

        var here = new ImageImport(store, home.resolve("store/partial"), SMALL)
                .run(layout, name -> "docker.io/app:" + name, Instant.EPOCH);

        assertThat(here).extracting(ImageStore.Named::name).containsExactly("docker.io/app:v1");
        assertThat(store.find("docker.io/app:v1")).isPresent();
    }

    @Test
    void importsWhatDockerSaves() throws IOException {
        var layer = layer().file("a", "x").plain();
        var config = "{\"architecture\": \"%s\", \"os\": \"linux\", \"rootfs\": {\"diff_ids\": [\"%s\"]}}"
                .formatted(Platform.ofThisMachine().architecture(), Digest.of(layer));
        var archive = new TestLayer()
                .file(
                        "manifest.json",
                        "[{\"Config\": \"c.json\", \"RepoTags\": [\"app:v2\"], \"Layers\": [\"l/layer.tar\"]}]")
                .file("c.json", config)
                .file("l/layer.tar", layer, 0644);
        Files.write(home.resolve("saved.tar.gz"), TestLayer.gzipped(archive.plain()));

        var here = new ImageImport(store, home.resolve("store/partial"), SMALL)
                .run(home.resolve("saved.tar.gz"), name -> "docker.io/" + name, Instant.EPOCH);

        assertThat(here).extracting(ImageStore.Named::name).containsExactly("docker.io/app:v2");
        assertThat(store.find("docker.io/app:v2").orElseThrow().root().resolve("0/a"))
                .hasContent("x");
    }

    @Test
    void anArchiveDoesNotReachOutside() throws IOException {
        Files.writeString(home.resolve("secret"), "[]");
        var archive =
                new TestLayer().link("manifest.json", home.resolve("secret").toString());
        Files.write(home.resolve("evil.tar"), archive.plain());

        assertThatThrownBy(() -> new ImageImport(store, home.resolve("store/partial"), SMALL)
                        .run(home.resolve("evil.tar"), name -> name, Instant.EPOCH))
                .hasMessageContaining("its manifest.json is no file in it");
    }
}

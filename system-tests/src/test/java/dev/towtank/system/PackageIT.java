package dev.towtank.system;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What `./towtank package` makes, on machines that have no Java.
class PackageIT {
    private static final long MOST_BYTES = 120_000_000;

    @TempDir
    Path temp;

    /// With what this machine has below `/usr`, except for its Java, and nothing of whoever runs the tests.
    @Test
    void theArchiveRunsWhereNoJavaIs() throws Exception {
        var packages = make("first", "--no-caches", "--only", "archive");
        var installed = unpack(packages.resolve("towtank-0.1.0-SNAPSHOT-linux-x64.tar.gz"));
        assertThat(checked(List.of(installed.resolve("bin/towtank").toString(), "version"))
                        .out())
                .startsWith("towtank 0.1.0");

        var outcome = inRoot(Files.createDirectory(temp.resolve("root")), installed, """
                ! command -v java
                towtank version
                towtank lint examples/hello
                towtank run examples/hello
                """);

        assertThat(outcome.err()).isEmpty();
        assertThat(outcome.exit()).isZero();
        assertThat(outcome.out())
                .contains("towtank 0.1.0", "nothing to complain about", "Hello, world!", "Succeeded in");
        // What the README leads to.
        for (var document :
                List.of("docs/commands/README.md", "docs/first-run.svg", "docs/adr/README.md", "SECURITY.md")) {
            assertThat(installed.resolve(document)).exists();
        }
        assertThat(DocumentsTest.documents(installed))
                .hasSizeGreaterThan(50)
                .allSatisfy(document -> assertThat(DocumentsTest.brokenLinks(document))
                        .as(document.toString())
                        .isEmpty());
        assertChecksums(packages);
    }

    @Test
    @Tag("deep")
    void theSameSourcesGiveTheSameBytes() throws Exception {
        var first = make("first", "--no-caches");
        var second = make("second", "--no-caches");

        assertThat(second.resolve("SHA256SUMS")).hasSameBinaryContentAs(first.resolve("SHA256SUMS"));
        assertThat(Files.readAllLines(first.resolve("SHA256SUMS"))).hasSize(3);
    }

    /// On nothing but Debian's essential packages and those that the package depends on.
    @Test
    @Tag("deep")
    void theDebianPackageBringsAllThatItNeeds() throws Exception {
        var packages = make("all", "--only", "archive", "--only", "deb");
        var file = packages.resolve("towtank_0.1.0~SNAPSHOT_amd64.deb").toString();
        var root = temp.resolve("root");
        checked(List.of(
                Checkout.ROOT.resolve("packaging/debian-root").toString(), root.toString(), "bubblewrap", "busybox"));
        checked(List.of("dpkg-deb", "--extract", file, root.toString()));

        var outcome = inRoot(root, root.resolve("usr/lib/towtank"), """
                /usr/bin/towtank run examples/hello
                /usr/bin/towtank up --detach --port 0 --no-node
                /usr/bin/towtank get namespaces
                /usr/bin/towtank down
                """);

        assertThat(outcome.exit()).as(outcome.err()).isZero();
        assertThat(outcome.out()).contains("Hello, world!", "kube-system", "has stopped");
        assertThat(checked(List.of("dpkg-deb", "--field", file, "Depends")).out())
                .contains("bubblewrap", "busybox");
        assertThat(packages.resolve("towtank-0.1.0-SNAPSHOT-linux-x64.tar.gz")
                        .toFile()
                        .length())
                .isLessThan(MOST_BYTES);
        assertChecksums(packages);
    }

    /// The layers over each other, started as the image says.
    @Test
    @Tag("deep")
    void theImageStartsAsItSays() throws Exception {
        var packages = make("image", "--no-caches", "--only", "image");
        var layout = Files.createDirectory(temp.resolve("layout"));
        checked(List.of(
                "tar", "-xf", packages.resolve("towtank-0.1.0-SNAPSHOT-oci.tar").toString(), "-C", layout.toString()));
        var index = json(layout.resolve("index.json"));
        var manifest = blob(layout, index.objects("manifests").getFirst());
        var root = Files.createDirectory(temp.resolve("root"));
        for (var layer : manifest.objects("layers")) {
            checked(List.of("tar", "-xzf", blobFile(layout, layer).toString(), "-C", root.toString()));
        }
        var start = blob(layout, manifest.object("config"))
                .array("config", "Entrypoint")
                .strings()
                .getFirst();

        var outcome = inRoot(root, root.resolve("usr/lib/towtank"), start + " run examples/hello\n");

        assertThat(outcome.exit()).as(outcome.err()).isZero();
        assertThat(outcome.out()).contains("Hello, world!");
    }

    private Path make(String name, String... options) {
        var out = temp.resolve(name);
        var command =
                new ArrayList<>(List.of(Checkout.ROOT.resolve("packaging/make").toString(), "--out", out.toString()));
        command.addAll(List.of(options));
        checked(command);
        return out;
    }

    private Path unpack(Path archive) throws IOException {
        var folder = Files.createDirectory(temp.resolve("with a space"));
        checked(List.of("tar", "-xzf", archive.toString(), "-C", folder.toString()));
        return folder.resolve("towtank-0.1.0-SNAPSHOT");
    }

    /// A shell that stops at the first failure, in a root with the installation at `/opt/towtank`.
    private static Program.Outcome inRoot(Path root, Path installed, String script) {
        var tool = Checkout.ROOT.resolve("packaging/in-root").toString();
        return Program.run(List.of(tool, root.toString(), installed.toString(), script));
    }

    private static void assertChecksums(Path packages) {
        assertThat(checked(List.of("sh", "-c", "cd \"$1\" && sha256sum --check SHA256SUMS", "sh", packages.toString()))
                        .out())
                .contains(": OK");
    }

    private static Program.Outcome checked(List<String> command) {
        var outcome = Program.run(command, "", Map.of("JAVA_HOME", System.getProperty("java.home")));
        assertThat(outcome.exit()).as(outcome.out() + outcome.err()).isZero();
        return outcome;
    }

    private static Json.Obj json(Path file) throws IOException {
        return JsonText.parseObject(Files.readAllBytes(file));
    }

    private static Json.Obj blob(Path layout, Json.Obj descriptor) throws IOException {
        return json(blobFile(layout, descriptor));
    }

    private static Path blobFile(Path layout, Json.Obj descriptor) {
        var digest = descriptor.string("digest");
        return layout.resolve("blobs/sha256").resolve(digest.substring("sha256:".length()));
    }
}

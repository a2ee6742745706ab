package dev.towtank.node.images;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MappedImagesTest {

    @TempDir
    Path home;

    private MappedImages images(String... absent) throws IOException {
        return MappedImages.load(
                home.resolve("images.yaml"),
                home.resolve("cache"),
                name -> Arrays.asList(absent).contains(name)
                        ? Optional.empty()
                        : Optional.of(Path.of("/usr/bin", name)));
    }

    private Image found(String reference) throws IOException {
        return ((ImageMap.Lookup.Found) images().find(reference)).image();
    }

    private void user(String text) throws IOException {
        Files.writeString(home.resolve("images.yaml"), text);
    }

    @ParameterizedTest
    @CsvSource(textBlock = """
                    ubuntu, DASH
                    mirror.gcr.io/ubuntu, DASH
                    docker.io/library/ubuntu:24.04, DASH
                    debian:12@sha256:0123456789012345678901234567890123456789012345678901234567890123, DASH
                    mirror.gcr.io/alpine, BUSYBOX
                    mirror.gcr.io/bash:5.1.4, BUSYBOX
                    cgr.dev/chainguard/busybox, BUSYBOX
                    registry.access.redhat.com/ubi9/ubi-minimal, BASH
                    mirror.gcr.io/alpine/git:v2.26.2, BUSYBOX
                    gcr.io/tekton-releases/github.com/tektoncd/pipeline/cmd/git-init:latest, BUSYBOX
                    mirror.gcr.io/python:3.12.4, DASH
                    mirror.gcr.io/library/python, DASH
                    node:lts-alpine3.20, BUSYBOX
                    node, DASH
                    ghcr.io/tektoncd/pipeline/nop-8eac7c133edad5df719dc37b36b62482, DASH
                    image-registry.openshift-image-registry.svc:5000/openshift/cli:latest, BASH
                    """)
    void knowsWhatPipelinesUse(String reference, Image.Shell shell) throws IOException {
        assertThat(found(reference).shell()).isEqualTo(shell);
        assertThat(found(reference).root()).isEqualTo(new Image.Root.Host());
    }

    @Test
    void imagesForPythonHaveItUnderEveryNameThatTasksCallItBy() throws IOException {
        assertThat(found("registry.access.redhat.com/ubi8/python-39:1").tools())
                .containsKeys("python", "/usr/libexec/platform-python");
    }

    @Test
    void aCommandReplacesWhatTheImageRuns() throws IOException {
        var git = found("alpine/git");

        assertThat(git.commandLine(List.of(), List.of())).contains(List.of("git", "--help"));
        assertThat(git.commandLine(List.of(), List.of("log"))).contains(List.of("git", "log"));
        assertThat(git.commandLine(List.of("sh"), List.of())).contains(List.of("sh"));
        assertThat(git.commandLine(List.of("sh"), List.of("-c", "x"))).contains(List.of("sh", "-c", "x"));
    }

    @Test
    void toolsAreWhoeverIsThere() throws IOException {
        var origin = images("oc").find("quay.io/openshift/origin-cli:4.20");

        assertThat(((ImageMap.Lookup.Found) origin).image().tools())
                .containsEntry("oc", Path.of("/usr/bin/kubectl"))
                .containsEntry("kubectl", Path.of("/usr/bin/kubectl"));
    }

    @Test
    void awsIsTheMachinesOrOurOwn() throws IOException {
        var whole = found("amazon/aws-cli:2.9.19");
        assertThat(whole.tools()).containsEntry("aws", Path.of("/usr/bin/aws"));
        assertThat(whole.commandLine(List.of(), List.of("s3", "ls"))).contains(List.of("aws", "s3", "ls"));
        var small = ((ImageMap.Lookup.Found) images("aws").find("amazon/aws-cli:2.9.19")).image();
        assertThat(small.tools())
                .containsEntry("aws", Path.of("/usr/bin/towtank-aws"))
                .containsKeys("/opt/towtank/java", "/opt/towtank/aws-main.jar", "/opt/towtank/aws-tool.jar");
        assertThat(found("towtank/s3").tools()).containsEntry("aws", Path.of("/usr/bin/towtank-aws"));
        assertThat(found("quay.io/takinosh/maintenance-tools:latest").tools()).containsKeys("oc", "kubectl", "aws");
    }

    @Test
    void anUnknownImageIsRefusedWithTheLineToAdd() throws IOException {
        var file = home.resolve("images.yaml");
        assertThat(complaint("example.com/team/app:1.0"))
                .isEqualTo(
                        "image \"example.com/team/app:1.0\" is not in the image map. To run it with this machine's own"
                                + " programs, create " + file
                                + " with the line \"images:\" and below it this one: - {match: example.com/team/app, root: host, shell: dash}");

        user("images:\n- {match: example.com/team/app, root: host, shell: dash}\n");
        assertThat(found("example.com/team/app:1.0").shell()).isEqualTo(Image.Shell.DASH);
        assertThat(complaint("old.example:5000/other"))
                .endsWith("add this line to " + file + " below \"images:\":"
                        + " - {match: old.example:5000/other, root: host, shell: dash}");
        assertThat(images().find("evil.example/ubuntu")).isInstanceOf(ImageMap.Lookup.NotFound.class);
    }

    @Test
    void whatIsAddedCountsAtOnceAndAMistakeLeavesWhatWasThere() throws IOException {
        var images = images();
        assertThat(images.find("example.com/app")).isInstanceOf(ImageMap.Lookup.NotFound.class);

        user("images:\n- {match: example.com/app, root: host, shell: dash}\n");
        assertThat(images.find("example.com/app")).isInstanceOf(ImageMap.Lookup.Found.class);

        user("images:\n- {match: example.com/app, root: host, shell: fish}\n");
        assertThat(images.find("example.com/app")).isInstanceOf(ImageMap.Lookup.Found.class);
        assertThat(images.complaint("example.com/other").orElseThrow())
                .contains("That file counts as it was before its last change: " + home.resolve("images.yaml")
                        + ": images[0]")
                .doesNotContain("\n");

        Files.delete(home.resolve("images.yaml"));
        assertThat(images.find("example.com/app")).isInstanceOf(ImageMap.Lookup.NotFound.class);
        assertThat(images.complaint("example.com/other").orElseThrow()).doesNotContain("counts as");
    }

    /// In one line, as most programs show no more of a message.
    private String complaint(String reference) throws IOException {
        var message = ((ImageMap.Lookup.NotFound) images().find(reference)).message();
        assertThat(message).doesNotContain("\n");
        return message;
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "UPPER", "a b", "x//y", "-x", "$(params.image)", "a@sha256:1"})
    void whatIsNoNameIsRefused(String reference) throws IOException {
        assertThat(images().find(reference))
                .isInstanceOfSatisfying(
                        ImageMap.Lookup.NotFound.class,
                        it -> assertThat(it.reason()).isEqualTo("InvalidImageName"));
    }

    @Test
    void aMissingProgramIsNamedWithItsPackage() throws IOException {
        assertThat(images("node").find("node"))
                .isEqualTo(new ImageMap.Lookup.NotFound(
                        "ErrImagePull",
                        "image \"node\" needs the program node, which this"
                                + " machine does not have; install it with 'apt-get install nodejs'"));
    }

    @Test
    void theUsersEntriesComeFirst() throws IOException {
        var root = Files.createDirectory(home.resolve("root"));
        user("""
                images:
                  - match: example.com/**:v*
                    root: {directory: %s}
                    entrypoint: [/app]
                    user: 1000
                    env: {A: b}
                  - match: ubuntu
                    shell: bash
                """.formatted(root));

        var image = found("example.com/team/app:v1");
        assertThat(image.root()).isEqualTo(new Image.Root.Directory(root));
        assertThat(image.user()).isEqualTo("1000");
        assertThat(image.environment()).containsEntry("A", "b");
        assertThat(images().find("example.com/team/app:main")).isInstanceOf(ImageMap.Lookup.NotFound.class);
        assertThat(found("ubuntu").shell()).isEqualTo(Image.Shell.BASH);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
                    images: [{match: a, shel: dash}]     | images[0]: unknown field 'shel'
                    images: [{match: a, shell: zsh}]     | 'shell' must be dash, busybox, bash or own, not 'zsh'
                    images: [{match: a, root: guest}]    | 'root' must be host, or {directory: path}, or {tar: path}
                    images: [{shell: dash}]              | 'match' must name an image
                    images: [a                           | images.yaml:
                    """)
    void aMistakeIsToldWithItsPlace(String text, String message) throws IOException {
        user(text);

        assertThatThrownBy(this::images).isInstanceOf(IOException.class).hasMessageContaining(message);
    }

    @Test
    void unpacksAnArchiveOnce() throws IOException {
        var archive = home.resolve("root.tar");
        Files.write(archive, tar("bin/", '5', "", "bin/app", '0', "#!/bin/sh\n", "bin/link", '2', "app"));
        user("images: [{match: a, root: {tar: " + archive + "}}]");

        var root = ((Image.Root.Directory) found("a").root()).path();

        assertThat(root.resolve("bin/app")).hasContent("#!/bin/sh").isExecutable();
        assertThat(Files.readSymbolicLink(root.resolve("bin/link"))).hasToString("app");
        assertThat(found("a").root()).isEqualTo(new Image.Root.Directory(root));
    }

    @Test
    void anArchiveStaysInside() throws IOException {
        var archive = home.resolve("root.tar");
        user("images: [{match: a, root: {tar: " + archive + "}}]");

        for (var content : List.of(
                tar("../evil", '0', "x"),
                tar("way", '2', "/tmp", "way/evil", '0', "x"),
                "no archive".repeat(100).getBytes(StandardCharsets.UTF_8))) {
            Files.write(archive, content);
            assertThat(images().find("a")).isInstanceOf(ImageMap.Lookup.NotFound.class);
        }
        assertThat(home.resolve("cache/evil")).doesNotExist();
    }

    private static byte[] tar(Object... entries) throws IOException {
        var out = new ByteArrayOutputStream();
        for (int i = 0; i < entries.length; i += 3) {
            char type = (char) entries[i + 1];
            var content = type == '0' ? ((String) entries[i + 2]).getBytes(StandardCharsets.UTF_8) : new byte[0];
            var header = new byte[512];
            put(header, 0, (String) entries[i]);
            put(header, 100, "0000755");
            put(header, 124, "%011o".formatted(content.length));
            header[156] = (byte) type;
            put(header, 157, type == '2' ? (String) entries[i + 2] : "");
            put(header, 257, "ustar");
            out.write(header);
            out.write(Arrays.copyOf(content, (content.length + 511) / 512 * 512));
        }
        out.write(new byte[1024]);
        return out.toByteArray();
    }

    private static void put(byte[] header, int at, String text) {
        var bytes = text.getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(bytes, 0, header, at, bytes.length);
    }
}

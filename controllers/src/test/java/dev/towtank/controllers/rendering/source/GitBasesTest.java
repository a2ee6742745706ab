package dev.towtank.controllers.rendering.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.towtank.model.files.FileTree;
import dev.towtank.model.kustomize.Kustomization;
import dev.towtank.model.kustomize.KustomizeError;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.eclipse.jgit.api.Git;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GitBasesTest {

    @TempDir
    Path temp;

    private String repository() throws Exception {
        var folder = Files.createDirectories(temp.resolve("remote/base/inner"));
        Files.writeString(folder.resolve("kustomization.yaml"), "resources: [../../shared]\n");
        Files.createDirectories(temp.resolve("remote/shared"));
        Files.writeString(temp.resolve("remote/shared/kustomization.yaml"), "resources: [a.yaml]\n");
        Files.writeString(
                temp.resolve("remote/shared/a.yaml"), "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n");
        try (var git = Git.init().setDirectory(temp.resolve("remote").toFile()).call()) {
            git.add().addFilepattern(".").call();
            git.commit()
                    .setMessage("first")
                    .setAuthor("a", "a@b")
                    .setCommitter("a", "a@b")
                    .setSign(false)
                    .call();
            git.tag().setName("v1").setAnnotated(false).call();
            Files.writeString(
                    temp.resolve("remote/shared/a.yaml"), "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: newer}\n");
            git.add().addFilepattern(".").call();
            git.commit()
                    .setMessage("second")
                    .setAuthor("a", "a@b")
                    .setCommitter("a", "a@b")
                    .setSign(false)
                    .call();
        }
        return "file://" + temp.resolve("remote");
    }

    private static List<String> names(String resource) {
        var files = Map.of(
                "kustomization.yaml",
                ("resources: ['" + resource + "']\nnamePrefix: x-\n").getBytes(StandardCharsets.UTF_8));
        return Kustomization.build(
                        FileTree.of(files), "", new GitBases(new GitFiles(InstantSource.system(), ""), _ -> ""))
                .stream()
                .map(object -> object.string("metadata", "name"))
                .toList();
    }

    @Test
    void basesComeFromRepositories() throws Exception {
        var repository = repository();

        assertThat(names(repository + "//base/inner?ref=v1")).containsExactly("x-a");
        assertThat(names(repository + "//base/inner")).containsExactly("x-newer");
        assertThat(names(repository + "//shared/a.yaml?ref=v1")).containsExactly("x-a");
        assertThatThrownBy(() -> names(repository + "//base/inner?ref=v2"))
                .isInstanceOf(KustomizeError.class)
                .hasMessageContaining("reference not found: v2");
        assertThatThrownBy(() -> names(repository + "//gone")).hasMessageContaining("unable to find one of");
        assertThatThrownBy(() -> names("file://" + temp.resolve("nothing") + "//a"))
                .hasMessageContaining("cannot be fetched");
        assertThatThrownBy(() -> names("http://me:geheim@127.0.0.1:1/o/r"))
                .hasMessageContaining("127.0.0.1")
                .message()
                .doesNotContain("geheim");
    }

    @ParameterizedTest
    @CsvSource({
        "https://github.com/o/r//a/b?ref=v1, https://github.com/o/r, a/b, v1",
        "https://github.com/o/r/a/b?ref=v1&timeout=9s, https://github.com/o/r, a/b, v1",
        "github.com/o/r?ref=main, https://github.com/o/r, '', main",
        "git@github.com:o/r.git//a, ssh://git@github.com/o/r.git, a, ''",
        "git::https://h.example/x/y/z.git/a?version=1, https://h.example/x/y/z.git, a, 1",
        "ssh://git@h.example/o/r.git?ref=a, ssh://git@h.example/o/r.git, '', a",
    })
    void addressesAreUnderstood(String text, String repository, String path, String revision) {
        assertThat(GitAddress.of(text)).isEqualTo(new GitAddress(repository, path, revision));
    }

    @ParameterizedTest
    @CsvSource({
        "https://github.com/o/r//a/../../b, leads out",
        "https://github.com/o/r?ref=--upload-pack=x, no usable ref",
        "https://github.com/o/r?depth=1, depth is not known",
        "https://github.com/, no address of a repository",
    })
    void badAddressesAreRefused(String text, String why) {
        assertThatThrownBy(() -> GitAddress.of(text)).hasMessageContaining(why);
    }

    @Test
    void linksThatLeaveAFolderAreNotFollowed() throws IOException {
        var secret = Files.writeString(temp.resolve("secret"), "geheim");
        var root = Files.createDirectories(temp.resolve("root"));
        Files.createSymbolicLink(root.resolve("out"), secret);
        Files.writeString(root.resolve("in"), "yes");
        Files.createSymbolicLink(root.resolve("link"), root.resolve("in"));
        var tree = DiskTree.of(root);

        assertThat(tree.read("out")).isEmpty();
        assertThat(tree.read("in")).isPresent();
        assertThat(tree.read("link")).isPresent();
        assertThat(tree.read("gone")).isEmpty();
        assertThat(tree.list("")).containsExactly("in", "link", "out");
        assertThat(tree.list("gone")).isEmpty();
    }

    @Test
    void repositoriesAreKnownByTheirAddresses() throws Exception {
        repository();
        var config = temp.resolve("remote/.git/config");
        Files.writeString(config, Files.readString(config) + "[remote \"origin\"]\n\turl = git@h.example:o/r.git\n");
        var tree = WorkingTree.of(temp.resolve("remote/base")).orElseThrow();

        assertThat(tree.root()).isEqualTo(temp.resolve("remote").toRealPath());
        assertThat(tree.isAt("https://h.example/o/r")).isTrue();
        assertThat(tree.isAt("https://me:secret@h.example/o/r.git/")).isTrue();
        assertThat(tree.isAt("ssh://git@h.example/o/r.git")).isTrue();
        assertThat(tree.isAt("https://h.example/o/other")).isFalse();
        var other = Files.createDirectories(temp.resolve("worktree"));
        Files.createDirectories(temp.resolve("remote/.git/worktrees/w"));
        Files.writeString(temp.resolve("remote/.git/worktrees/w/commondir"), "../..\n");
        Files.writeString(other.resolve(".git"), "gitdir: " + temp.resolve("remote/.git/worktrees/w") + "\n");
        assertThat(WorkingTree.of(other).orElseThrow().isAt("https://h.example/o/r"))
                .isTrue();
    }
}

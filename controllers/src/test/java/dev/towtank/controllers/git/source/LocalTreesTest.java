package dev.towtank.controllers.git.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.storage.file.FileRepositoryBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalTreesTest {

    @TempDir
    Path temp;

    private final GitRepositories repositories =
            new GitRepositories(InstantSource.system(), _ -> Optional.empty(), _ -> "");

    private int number;

    private String commit(String... files) throws IOException {
        number++;
        for (var file : files) {
            var path = temp.resolve(file);
            Files.createDirectories(path.getParent());
            Files.writeString(path, file + " " + number);
        }
        StaticSite.commit(temp);
        return repositories.commit("file://" + temp, "main");
    }

    @Test
    void whatACommitSharesWithTheLastIsNotReadAgain() throws IOException {
        var url = "file://" + temp;
        var first = repositories.files(url, commit("a/1", "a/2", "b/1"));
        var commit = commit("a/2", "c/1");
        var second = repositories.files(url, commit);
        assertThat(second.keySet()).containsExactly("a/1", "a/2", "b/1", "c/1");
        assertThat(second.get("a/1")).isSameAs(first.get("a/1"));
        assertThat(second.get("a/2")).isNotEqualTo(first.get("a/2"));
        assertThat(repositories.files(url, commit)).isSameAs(second);
    }

    @Test
    void theChangedPathsOfTwoCommitsAreTold() throws IOException {
        var url = "file://" + temp;
        var first = commit("a/1", "a/2", "b/1");
        Files.delete(temp.resolve("a/1"));
        var second = commit("b/1", "c/1");
        assertThat(repositories.changed(url, first, second).orElseThrow()).containsExactly("a/1", "b/1", "c/1");
        assertThat(repositories.changed(url, "0".repeat(40), second)).isEmpty();
        assertThat(repositories.changed(url, "", second)).isEmpty();
        assertThat(repositories.changed("https://git.example.com/a", first, second))
                .isEmpty();
    }

    @Test
    void aCommitThatIsTooLargeIsRefused() throws IOException {
        var commit = ObjectId.fromString(commit("a/1", "a/2", "a/3"));
        try (var repository = new FileRepositoryBuilder()
                .setGitDir(temp.resolve(".git").toFile())
                .build()) {
            assertThat(new LocalTrees(3, 100, 1).files("x", repository, commit)).hasSize(3);
            assertThatThrownBy(() -> new LocalTrees(2, 100, 1).files("x", repository, commit))
                    .hasMessage("the repository has more than 2 files or 100 bytes");
            assertThatThrownBy(() -> new LocalTrees(3, 14, 1).files("x", repository, commit))
                    .hasMessage("the repository has more than 3 files or 14 bytes");
            var known = new LocalTrees(3, 100, 1);
            known.files("x", repository, commit);
            assertThat(known.changed(repository, commit, commit).orElseThrow()).isEmpty();
        }
    }

    @Test
    void manyWhoWantACommitReadItOnce() throws Exception {
        var url = "file://" + temp;
        var commit = commit(IntStream.range(0, 200).mapToObj(i -> "files/" + i).toArray(String[]::new));
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var all = threads.invokeAll(IntStream.range(0, 16)
                    .<Callable<Object>>mapToObj(_ -> () -> repositories.files(url, commit))
                    .toList());
            for (var each : all) {
                assertThat(each.get()).isSameAs(all.getFirst().get());
            }
        }
        assertThatThrownBy(() -> repositories.files(url, "0".repeat(40))).hasMessageContaining("there is no commit");
    }
}

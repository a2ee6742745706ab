package dev.towtank.controllers.pipelinesascode.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import org.eclipse.jgit.api.Git;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// A repository whose forge does not know us.
class RemoteRepositoryTest {

    private static final String RUN = """
            apiVersion: tekton.dev/v1
            kind: PipelineRun
            metadata:
              name: build
              annotations:
                pipelinesascode.tekton.dev/on-event: push
                pipelinesascode.tekton.dev/on-target-branch: "[main, refs/tags/*]"
                pipelinesascode.tekton.dev/task: tasks/say.yaml
            spec:
              params: [{name: what, value: "{{ repo_owner }}/{{ repo_name }} {{ revision }} {{ cel: size(files.all) }}"}]
              pipelineSpec: {tasks: [{name: say, taskRef: {name: say}}]}
            """;
    private static final String TASK =
            "{apiVersion: tekton.dev/v1, kind: Task, metadata: {name: say}, spec: {steps: [{image: busybox}]}}";

    @TempDir
    Path directory;

    private String commit(Git git, Map<String, String> files) throws Exception {
        for (var file : files.entrySet()) {
            var path = git.getRepository().getWorkTree().toPath().resolve(file.getKey());
            Files.createDirectories(path.getParent());
            Files.writeString(path, file.getValue());
        }
        git.add().addFilepattern(".").call();
        return git.commit()
                .setMessage("a change")
                .setSign(false)
                .setAuthor("a", "a@example.com")
                .setCommitter("a", "a@example.com")
                .call()
                .name();
    }

    @Test
    void aPushIsSeenAndRunsWhatItsCommitHolds() throws Exception {
        var app = directory.resolve("team/app");
        try (var git =
                Git.init().setInitialBranch("main").setDirectory(app.toFile()).call()) {
            var repository = new RemoteRepository("file://" + app, Map.of(), InstantSource.system());
            var first = commit(git, Map.of("README.md", "#"));
            assertThat(repository.refs()).isEqualTo(Map.of("refs/heads/main", first));
            assertThatThrownBy(() -> repository.pushed("refs/heads/main", ""))
                    .hasMessageContaining("there is no YAML in .tekton of file://")
                    .hasMessageContaining(first);

            commit(git, Map.of(".tekton/run.yaml", RUN, "tasks/say.yaml", TASK));
            var last = commit(git, Map.of("src/a.c", "int a;"));
            git.tag().setName("v1").setAnnotated(true).setSigned(false).call();
            assertThat(repository.refs()).containsEntry("refs/heads/main", last).containsEntry("refs/tags/v1", last);
            var run = repository.pushed("refs/heads/main", first).getFirst();
            assertThat(run.object("spec").objects("params").getFirst().string("value"))
                    .isEqualTo("team/app " + last + " 3");
            assertThat(run.toString()).contains("busybox");
            assertThat(repository.pushed("refs/tags/v1", "")).hasSize(1);

            git.branchCreate().setName("other").call();
            assertThat(repository.pushed("refs/heads/other", "")).isEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "https://example.com/a.git, true",
        "git@example.com:a/b.git, true",
        "file:///a, true",
        "., false",
        "/home/me/app, false",
        "src/app, false",
    })
    void addressesAndDirectoriesAreToldApart(String place, boolean isAddress) {
        assertThat(RemoteRepository.isAddress(place)).isEqualTo(isAddress);
    }
}

package dev.towtank.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/// Notebooks whose image is built before they run (NVJ-14).
class NotebookBuildsIT {

    @RegisterExtension
    static final SharedServer SERVER = new SharedServer();

    @TempDir
    static Path files;

    private static String url;

    private Kubectl kubectl;

    @BeforeAll
    static void makeRepository() {
        var repository = GitRepository.in(files);
        repository
                .with("n/good.ipynb", """
                        {"cells": [{"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": null, "source": "print('run')"}],
                         "nbformat": 4, "nbformat_minor": 4,
                         "metadata": {"kernelspec": {"name": "python3", "display_name": "Python", "language": "python"}}}
                        """)
                .with("requirements.txt", "no-such-package-1\n")
                .with("n/requirements.txt", "numpy\nno-such-package-2>=1\n")
                .commit();
        url = "https://git.example.com/" + repository.directory().getFileName();
        var kubectl = SERVER.kubectl();
        kubectl.attempt("create", "namespace", "tekton-pipelines-resolvers");
        kubectl.in("tekton-pipelines-resolvers").withInput("""
                apiVersion: v1
                kind: ConfigMap
                metadata: {name: towtank-resolvers}
                data: {rewrites: "https://git.example.com/: file://%s/"}
                """.formatted(files), "apply", "-f", "-");
    }

    @BeforeEach
    void makeNamespace() {
        kubectl = SERVER.inNewNamespace();
    }

    private void job(String name, String ref, String build) {
        kubectl.withInput("""
                apiVersion: mlops.mlops.dev/v1alpha1
                kind: NotebookValidationJob
                metadata: {name: %s}
                spec:
                  notebook: {path: n/good.ipynb, git: {url: "%s", ref: %s}}
                  podConfig:
                    containerImage: quay.io/jupyter/minimal-notebook:latest
                    buildConfig: {enabled: true, %s}
                """.formatted(name, url, ref, build), "apply", "-f", "-");
    }

    private String get(String name, String path) {
        return kubectl.run("get", "nvj", name, "-o", "jsonpath=" + path);
    }

    private String failure(String name) {
        kubectl.await("nvj/" + name, "{.items[*].status.phase}{.status.phase}", "Failed");
        return get(name, "{.status.conditions[?(@.type=='Failed')].reason}: {.status.message}");
    }

    private void assertRunsInWhatWasBuilt(String name) {
        assertThat(get(name, "{.status.buildStatus.message}"))
                .contains("not on this machine: no-such-package-2")
                .doesNotContain("no-such-package-1");
        assertThat(kubectl.run("get", "pod", name + "-validation", "-o", "jsonpath={.spec.containers[0].image}"))
                .isEqualTo(get(name, "{.status.buildStatus.imageReference}"))
                .contains(name + "-build@sha256:");
        assertThat(get(name, "{.status.results[*].output}")).isEqualTo("run\n");
    }

    @Test
    void anImageIsBuiltOfTheNearestRequirementsBeforeTheNotebookRuns() {
        for (var strategy : List.of("s2i", "kaniko")) {
            job(strategy, "main", "strategy: " + strategy);
        }
        kubectl.run("wait", "--for=condition=complete", "nvj/s2i", "--timeout=120s");
        assertThat(failure("kaniko")).isEqualTo("StrategyNotFound: Unknown build strategy: kaniko");
        assertThat(get("s2i", "{.status.buildStatus.phase} {.status.buildStatus.buildName}"))
                .isEqualTo("Complete s2i-build-1");
        assertRunsInWhatWasBuilt("s2i");

        kubectl.run("delete", "nvj", "s2i");
        kubectl.run("wait", "--for=delete", "buildconfig/s2i-build", "imagestream/s2i-build", "--timeout=120s");
    }

    @Test
    void aPipelineBuildsTheImageWhereItIsAskedFor() {
        job("piped", "main", "strategy: tekton");
        job("astray", "no-such-branch", "strategy: tekton");
        job("bare", "main", "strategy: tekton, requirementsFile: n/absent.txt");

        kubectl.run("wait", "--for=condition=complete", "nvj/piped", "--timeout=240s");
        assertThat(get(
                        "piped",
                        "{.status.buildStatus.phase} {.status.buildStatus.buildName} {.status.buildStatus.strategy}"))
                .isEqualTo("Complete piped-build tekton");
        assertRunsInWhatWasBuilt("piped");
        assertThat(kubectl.run(
                        "get",
                        "pipelinerun",
                        "piped-build",
                        "-o",
                        "jsonpath={.spec.pipelineRef.name} {.status.childReferences[*].pipelineTaskName}"))
                .isEqualTo("piped-pipeline fetch-repository generate-dockerfile build-image");
        assertThat(kubectl.run("logs", "piped-build-generate-dockerfile-pod", "--all-containers"))
                .contains("RUN pip install --no-cache-dir -r n/requirements.txt");

        assertThat(failure("astray"))
                .startsWith("BuildFailed: Build failed: fetch-repository: Cannot fetch " + url)
                .contains("no-such-branch");
        assertThat(failure("bare"))
                .isEqualTo(
                        "BuildFailed: Build failed: generate-dockerfile: there is no n/absent.txt in the repository");

        kubectl.run("delete", "nvj", "piped");
        kubectl.run(
                "wait",
                "--for=delete",
                "pipelinerun/piped-build",
                "pipeline/piped-pipeline",
                "imagestream/piped-build",
                "build/piped-build-build-image",
                "--timeout=120s");
    }

    /// A changed job is built anew, although its PipelineRun has the same name.
    @Test
    void aChangedJobIsBuiltByANewRun() {
        job("again", "main", "strategy: tekton, requirementsFile: n/absent.txt");
        failure("again");
        var first = kubectl.run("get", "pipelinerun", "again-build", "-o", "jsonpath={.metadata.uid}");

        job("again", "main", "strategy: tekton, requirementsFile: n/requirements.txt");

        kubectl.run("wait", "--for=condition=complete", "nvj/again", "--timeout=240s");
        assertThat(kubectl.run("get", "pipelinerun", "again-build", "-o", "jsonpath={.metadata.uid}"))
                .isNotEqualTo(first);
        assertRunsInWhatWasBuilt("again");
    }
}

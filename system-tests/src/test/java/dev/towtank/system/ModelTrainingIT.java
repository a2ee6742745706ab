package dev.towtank.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The story of a model: trained by a notebook, judged, rolled out and asked; and what becomes of a bad one.
class ModelTrainingIT {

    private static final Path EXAMPLE = Checkout.ROOT.resolve("examples/model-training");
    private static final Path NOTEBOOK = EXAMPLE.resolve("notebooks/anomaly-detector.ipynb");

    @TempDir
    Path temp;

    private static Path state = Path.of("");

    @BeforeAll
    static void makeState() throws IOException {
        state = Files.createTempDirectory("towtank-state");
    }

    @AfterAll
    static void deleteState() {
        RunningTowtank.deleteAll(state);
    }

    private ShellProgram towtank() {
        return new ShellProgram(temp, state);
    }

    /// TP-18: the metrics come from where they are asked for. TP-1, TP-3, TP-5, TP-6, TP-7, TP-8, TP-12, TP-13:
    /// trained, judged beside
    /// the one that serves, rolled out when it answers.
    @Test
    void aBetterModelTakesTheTurn() throws Exception {
        var run = towtank().run("run", EXAMPLE.toString(), "--param", "data-source=prometheus");

        assertThat(run.code()).as(run.output()).isZero();
        assertThat(run.output())
                .contains("3000 rows of 45 features from synthetic", "1441 rows of 45 features from prometheus")
                .contains("anomaly-detector-predictor-00001 serves pvc://model-storage-pvc/anomaly-detector/first")
                .containsPattern("passed +rule: f1 >= baseline.f1 - 0.02")
                .contains("The model passed the gate.")
                .contains(
                        "[post-deployment-check > predict] anomaly-detector-predictor-00002 answers {\"predictions\":[1,-1]}")
                .contains("\"status\": \"Succeeded\"")
                .containsPattern(
                        "\"log\": \"https://[^\"]+-train-model-pod/log\\?container=step-create-validation-job\"")
                .doesNotContain("WARNING: this task ends")
                .contains("verdict = passed");
    }

    /// TP-7, TP-8, TP-12: no roll-out, the old one answers, and the message leads to the log that says why.
    @Test
    void aWorseModelIsKeptOutAndTheOldOneAnswers() throws Exception {
        var run = towtank().run("run", EXAMPLE.toString(), "--param", "make-it-worse=true");

        assertThat(run.code()).as(run.output()).isEqualTo(1);
        assertThat(run.output())
                .containsPattern("failed +rule: recall >= 0.8")
                .contains("The model failed the gate and must not be rolled out.")
                .contains("[deploy-model] skipped")
                .contains(
                        "[still-answering > predict] anomaly-detector-predictor-00001 answers {\"predictions\":[1,-1]}")
                .contains("\"status\": \"Failed\"")
                .containsPattern("\"log\": \"https://[^\"]+-health-check-pod/log\\?container=step-check-model\"")
                .doesNotContain("predictor-00002");
    }

    /// What the server has answered it is not asked again.
    @Test
    void aServiceThatIsNotThereIsMissedOnce() throws Exception {
        var tasks = EXAMPLE.resolve("2-tasks.yaml").toString();

        var run = towtank()
                .run("run", tasks, "--task", "test-inference-endpoint", "--param", "inference-service-name=missing");

        assertThat(run.code()).isEqualTo(1);
        assertThat(run.output().lines().filter(line -> line.startsWith("[") && line.contains("\"missing\"")))
                .hasSize(1);
    }

    /// A notebook in any pipeline, with nothing but a Task.
    @Test
    void aPlainTaskRunsANotebook() throws Exception {
        var source = Files.createDirectories(temp.resolve("source"));
        Files.writeString(source.resolve("a.ipynb"), """
                {"cells": [
                 {"cell_type": "code", "metadata": {"tags": ["parameters"]}, "outputs": [], "execution_count": null, "source": "n = 1"},
                 {"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": null, "source": "assert n < 5, 'too many'"}],
                 "metadata": {"kernelspec": {"name": "python3", "display_name": "Python", "language": "python"}},
                 "nbformat": 4, "nbformat_minor": 4}""");
        var task = Checkout.ROOT
                .resolve("examples/notebook-task/run-notebook.yaml")
                .toString();
        var workspace = "source=" + source + ":rw";

        var good =
                towtank().run("run", task, "-w", workspace, "--param", "notebook=a.ipynb", "--param", "parameters=n=3");
        assertThat(good.code()).as(good.output()).isZero();
        assertThat(good.output()).contains("status = succeeded", "cells = 2");
        assertThat(source.resolve("executed/a.ipynb")).isRegularFile();
        var bad =
                towtank().run("run", task, "-w", workspace, "--param", "notebook=a.ipynb", "--param", "parameters=n=9");
        assertThat(bad.code()).isEqualTo(1);
        assertThat(bad.output()).contains("CellFailed: Cell 1 failed: AssertionError: too many");
    }

    @Test
    void itsNotebookRunsAlone() throws Exception {
        var page = temp.resolve("report.html");
        var run = towtank()
                .run(
                        "notebook",
                        "run",
                        NOTEBOOK.toString(),
                        "-p",
                        "models=" + temp.resolve("m"),
                        "--report",
                        page.toString());

        assertThat(run.code()).as(run.output()).isZero();
        assertThat(run.output()).contains("5/5 cells succeeded", "3000 rows of 45 features");
        assertThat(temp.resolve("m/anomaly-detector/v1/model.pkl")).isRegularFile();
        assertThat(new Browser(temp).spots(page, ".cell.code pre.source")).hasSize(6);
        assertThat(new Browser(temp).picture(page, Browser.Scheme.LIGHT).getWidth())
                .isPositive();

        // The directory is there already: a version is never written twice.
        var again = towtank().run("notebook", "run", NOTEBOOK.toString(), "-p", "models=" + temp.resolve("m"));
        assertThat(again.code()).isEqualTo(1);
        assertThat(again.output()).contains("CellFailed: Cell 9 failed: FileExistsError", "os.makedirs(directory)");
        assertThat(towtank()
                        .run("notebook", "run", temp.resolve("none.ipynb").toString())
                        .code())
                .isEqualTo(1);
    }
}

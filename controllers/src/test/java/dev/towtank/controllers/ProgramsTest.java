package dev.towtank.controllers;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The programs that run inside pods are Python, and so are their tests: `src/test/python`. Here they are started, with
/// Debian's Python as in a pod, and what they say is shown when one fails.
class ProgramsTest {

    @TempDir
    Path directory;

    @Test
    void thePredictorServesModelsAsKserveDoes() throws Exception {
        run("test_predictor.py");
    }

    @Test
    void theGateSaysPerCheckWhetherItPassedFailedOrDidNotRun() throws Exception {
        run("test_gate.py");
    }

    @Test
    void theRunnerTellsWhatEachCellOfANotebookDid() throws Exception {
        run("test_notebook_runner.py");
    }

    private void run(String tests) throws Exception {
        var said = directory.resolve("said");
        var builder = new ProcessBuilder("/usr/bin/python3", "-I", "-B", tests)
                .directory(Path.of("src/test/python").toFile())
                .redirectErrorStream(true)
                .redirectOutput(said.toFile());
        builder.environment().put("PREDICTOR", program("serving/predictor.py"));
        builder.environment().put("GATE", program("models/gate.py"));
        builder.environment().put("NOTEBOOK_RUNNER", program("notebooks/notebook_runner.py"));
        var process = builder.start();
        try {
            assertThat(process.waitFor(4, TimeUnit.MINUTES))
                    .as("%s ended", tests)
                    .isTrue();
        } finally {
            process.destroyForcibly();
        }
        assertThat(process.exitValue()).as("%s", Files.readString(said)).isZero();
    }

    private static String program(String name) throws Exception {
        URI resource =
                Objects.requireNonNull(ProgramsTest.class.getResource(name)).toURI();
        return Path.of(resource).toString();
    }
}

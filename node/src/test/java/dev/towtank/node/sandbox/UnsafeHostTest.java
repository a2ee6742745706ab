package dev.towtank.node.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The same without a fence.
class UnsafeHostTest {

    @TempDir
    Path home;

    private Sandbox sandbox;

    @BeforeEach
    void open() throws IOException {
        sandbox = Sandboxes.unsafe(home.resolve("shared"), InstantSource.system());
    }

    @AfterEach
    void close() {
        sandbox.close();
    }

    private RunningProcess start(Recipe recipe) throws IOException {
        return sandbox.start(recipe.spec());
    }

    private Recipe recipe() {
        return new Recipe("c1", home);
    }

    @Test
    void runsPlainProcesses() throws Exception {
        var process = start(recipe().variable("A", "b").script("echo $A; ls -d " + home + "; exit 6"));

        assertThat(process.await().code()).isEqualTo(6);
        assertThat(Logs.all(process)).isEqualTo("b\n" + home + "\n");
        assertThat(sandbox.abilities().isolated()).isFalse();
        assertThat(sandbox.abilities().missing()).isNotEmpty();
    }

    @Test
    void killsWhatIsLeft() throws Exception {
        var process = start(recipe().script("sleep 4715 & sleep 4715"));

        process.kill();

        assertThat(process.await().code()).isEqualTo(137);
        assertThat(ProcessHandle.allProcesses().filter(it -> it.info().commandLine().orElse("").contains("sleep 4715")))
                .isEmpty();
    }

    @Test
    void tellsWhatIsMissing() throws Exception {
        assertThat(start(recipe().command("nope")).await())
                .isInstanceOfSatisfying(Exit.NotStarted.class, exit -> assertThat(exit.problem())
                        .isEqualTo("exec: \"nope\": executable file not found in $PATH"));
    }

    @Test
    void canBeEntered() throws Exception {
        var process = start(recipe().script("echo up; sleep 100"));
        try (var in = process.log().read(Logs.following())) {
            Logs.line(in);
        }
        try (var session = sandbox.exec("c1", new ExecSpec(List.of("pwd"), Map.of("PATH", "/bin"), "/tmp", false, false))) {
            assertThat(new String(session.stdout().readAllBytes(), StandardCharsets.UTF_8)).isEqualTo("/tmp\n");
        }
        sandbox.remove("c1", recipe().spec().directory());
    }
}

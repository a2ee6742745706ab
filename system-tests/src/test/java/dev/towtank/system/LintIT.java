package dev.towtank.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `towtank lint` as it is shipped: a process, its pipes and its exit code.
class LintIT {

    @TempDir
    Path temp;

    private Program.Outcome lint(String input, String... arguments) {
        var command = new ArrayList<>(Program.towtankCommand("lint"));
        command.addAll(List.of(arguments));
        return Program.run(command, input, Map.of("XDG_STATE_HOME", temp.toString()));
    }

    private static String decision() throws Exception {
        return Path.of(Objects.requireNonNull(LintIT.class.getResource("/lint/decision.md"))
                        .toURI())
                .toString();
    }

    @Test
    void findsWhatNeverWorkedInADecisionRecord() throws Exception {
        var result = lint("", decision());

        assertThat(result.exit()).isEqualTo(1);
        assertThat(result.err()).isEmpty();
        assertThat(result.out())
                .doesNotContain("\033[")
                .contains(
                        "  6:13    warning  external-secrets.io/v1beta1 SecretStore is not served by External Secrets 2.0",
                        "  13:5    error    the SecretStore names no server",
                        "  38:23   error    a NotebookValidationJob never has the condition \"complete\"",
                        "→ Write condition=ValidationComplete.",
                        "  59:17   error    the task mounts a volume \"models\" that it does not declare")
                // Where shellcheck is installed, it has a remark of its own.
                .containsPattern("\n3 errors, 1 warning in 3 objects in 1 file \\(--infos shows [45] remarks\\)"
                        + " \\(--fix can repair 3\\)\n\\z");
    }

    @Test
    void hasNothingAgainstOurOwnExamples() throws Exception {
        var result = lint("", "--strict", Checkout.ROOT.resolve("examples").toString());

        assertThat(result.out()).startsWith("✓ nothing to complain about in ");
        assertThat(result.exit()).isZero();
    }

    @Test
    void takesStandardInputAndIsSilentAboutWhatIsFine() throws Exception {
        var result = lint("""
                apiVersion: v1
                kind: ConfigMap
                metadata: {name: fine}
                """, "-", "-o", "json");

        assertThat(result)
                .isEqualTo(new Program.Outcome(
                        0,
                        "{\"summary\":{\"files\":1,\"objects\":1,\"errors\":0,\"warnings\":0,\"infos\":0},"
                                + "\"findings\":[],\"notes\":[]}\n",
                        ""));
    }

    @Test
    void repairsAndIsContentThen() throws Exception {
        var file = temp.resolve("store.yaml");
        Files.writeString(file, """
                apiVersion: external-secrets.io/v1beta1 # why not
                kind: ExternalSecret
                metadata: {name: a}
                """);

        assertThat(lint("", "--fix", "--strict", file.toString()).exit()).isZero();
        assertThat(file).content().startsWith("apiVersion: external-secrets.io/v1 # why not\n");
    }

    @Test
    void isCalledWronglyWithoutAFile() throws Exception {
        var result = lint("", temp.resolve("missing.yaml").toString());

        assertThat(result.exit()).isEqualTo(2);
        assertThat(result.out()).isEmpty();
        assertThat(result.err()).contains("missing.yaml: there is no such file or directory", "lint --help");
    }
}

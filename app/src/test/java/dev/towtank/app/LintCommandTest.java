package dev.towtank.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LintCommandTest {

    private static final String STORE = """
            apiVersion: external-secrets.io/v1beta1 # a comment
            kind: ExternalSecret
            metadata: {name: keys}
            """;

    private static final String POD = """
            apiVersion: v1
            kind: Pod
            metadata: {name: p}
            spec: {containers: [{name: a, image: busybox}]}
            """;

    private final Terminal terminal = new Terminal();

    @TempDir
    Path temp;

    @BeforeEach
    void useADirectoryOfItsOwn() {
        terminal.environment.put("XDG_STATE_HOME", temp.resolve("state").toString());
    }

    private String file(String name, String text) throws IOException {
        return Files.writeString(temp.resolve(name), text).toString();
    }

    @Test
    void errorsFailAndWarningsOnlyWhenStrict() throws IOException {
        var warning = file("pod.yaml", POD);

        assertThat(terminal.run("lint", file("store.yaml", STORE))).isEqualTo(1);
        assertThat(terminal.run("lint", warning)).isZero();
        assertThat(terminal.run("lint", "--strict", warning)).isEqualTo(1);
        assertThat(terminal.run("lint", "--strict", "--disable", "image-latest", warning))
                .isZero();
    }

    @Test
    void repairsFiles() throws IOException {
        var store = file("store.yaml", STORE);

        assertThat(terminal.run("lint", "--fix", store)).isZero();
        assertThat(Files.readString(Path.of(store))).isEqualTo(STORE.replace("v1beta1", "v1"));
        assertThat(terminal.err()).isEqualTo("repaired " + store + " (1)\n");
        assertThat(terminal.out()).contains("nothing to complain about");
    }

    @Test
    void wrongCallsAreExplained() {
        assertThat(terminal.run("lint")).isEqualTo(2);
        assertThat(terminal.err()).contains("towtank: name the files or directories to look at");
        assertThat(terminal.run("lint", temp.resolve("gone.yaml").toString())).isEqualTo(2);
        assertThat(terminal.err()).contains("gone.yaml: there is no such file or directory");
        assertThat(terminal.run("lint", temp.toString())).isEqualTo(2);
        assertThat(terminal.err()).contains("there are no files with YAML below");
        assertThat(terminal.run("lint", "--target", "argo=1", ".")).isEqualTo(2);
        assertThat(terminal.err()).contains("'argo=1' is no target; write one of tekton=1.9");
        assertThat(terminal.run("lint", "--disable", "nothing", ".")).isEqualTo(2);
        assertThat(terminal.err()).contains("there is no rule 'nothing'; --rules lists them");
    }

    @Test
    void listsAllRules() {
        assertThat(terminal.run("lint", "--rules")).isZero();
        assertThat(terminal.out()).contains("wait-condition            error    A wait for a condition");
    }

    @Test
    void hasNoColoursInAPipe() throws IOException {
        terminal.environment.put("TERM", "xterm");

        terminal.run("lint", file("store.yaml", STORE));

        assertThat(terminal.out()).contains("unserved-version").doesNotContain("\033[");
    }

    @Test
    void speaksToMachines() throws IOException {
        var store = file("store.yaml", STORE);

        terminal.run("lint", "-o", "json", store);
        assertThat(terminal.out()).startsWith("{\"summary\":{\"files\":1,");
        terminal.run("lint", "-o", "sarif", store);
        assertThat(terminal.out()).contains("\"version\":\"2.1.0\"");
        terminal.run("lint", "-o", "junit", store);
        assertThat(terminal.out()).startsWith("<?xml");
    }
}

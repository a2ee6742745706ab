package dev.towtank.app.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConnectionTest {
    private static final String CONFIG = """
        current-context: here
        contexts: [{name: here, context: {cluster: c, user: u, namespace: shop}}]
        clusters: [{name: c, cluster: {server: "https://127.0.0.1:6443/clusters/red/"}}]
        users: [{name: u, user: {tokenFile: token}}]
        """;

    @TempDir
    Path folder;

    private Path file(String text) throws IOException {
        return Files.writeString(folder.resolve("config"), text);
    }

    @Test
    void readsTheCurrentContext() throws Exception {
        Files.writeString(folder.resolve("token"), "secret-token\n");

        var connection = Connection.read(file(CONFIG));

        assertThat(connection.server()).isEqualTo(URI.create("https://127.0.0.1:6443/clusters/red"));
        assertThat(connection.namespace()).isEqualTo("shop");
        assertThat(connection.token()).isEqualTo(Optional.of("secret-token"));
        assertThat(connection.toString()).doesNotContain("secret-token");
    }

    @ParameterizedTest
    @ValueSource(strings = {"just words", "nonsense: true", "[1, 2", "- a\n- b\n", ""})
    void nonsenseIsNoKubeconfig(String text) throws Exception {
        var config = file(text);

        assertThatThrownBy(() -> Connection.read(config))
                .isInstanceOf(ClientProblem.class)
                .hasMessageContaining("ubeconfig " + config)
                .hasMessageEndingWith("Name another one with --kubeconfig FILE;"
                        + " 'towtank kubeconfig' writes the one of a server of ours.");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        current-context: here            | current-context: gone         | no current-context
        name: c,                         | name: d,                      | names no cluster
        https://127.0.0.1:6443           | ftp://x                       | no address
        tokenFile: token                 | exec: {command: aws}          | from another program
        tokenFile: token                 | tokenFile: gone               | cannot be read
        server:                          | insecure-skip-tls-verify: true, server: | talks to no server
        server:                          | certificate-authority-data: "%", server: | certificates
        current-context: here            | "["                           | Cannot read
        """)
    void saysWhatIsWrong(String from, String to, String problem) throws Exception {
        Files.writeString(folder.resolve("token"), "t");
        var config = file(CONFIG.replace(from, to));

        assertThatThrownBy(() -> Connection.read(config))
                .isInstanceOf(ClientProblem.class)
                .hasMessageContaining(problem);
    }

    @Test
    void aMissingFileIsExplained() {
        assertThatThrownBy(() -> Connection.read(folder.resolve("gone"))).hasMessageContaining("--kubeconfig FILE");
    }
}

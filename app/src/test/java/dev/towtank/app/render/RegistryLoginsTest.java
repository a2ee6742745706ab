package dev.towtank.app.render;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.towtank.controllers.rendering.source.Login;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class RegistryLoginsTest {

    @TempDir
    Path temp;

    private final Map<String, String> environment = new HashMap<>();

    @BeforeEach
    void live() {
        environment.put("HOME", temp.toString());
        environment.put("PATH", temp.resolve("bin") + ":relative:/usr/bin:/bin");
    }

    /// @param script gets the name of the registry in `$registry`
    private void program(String name, String script) throws IOException {
        var file = Files.createDirectories(temp.resolve("bin")).resolve("docker-credential-" + name);
        Files.writeString(file, "#!/bin/sh\n[ \"$1\" = get ] || exit 9\nread -r registry\n" + script + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
    }

    private RegistryLogins logins(String docker) throws IOException {
        Files.createDirectories(temp.resolve(".docker"));
        Files.writeString(temp.resolve(".docker/config.json"), docker);
        return RegistryLogins.of(environment);
    }

    @Test
    void programsTellWhatTheyKeep() throws IOException {
        program(
                "all",
                "case $registry in a.example) echo '{\"Username\": \"me\", \"Secret\": \"geheim\"}';; *) exit 1;; esac");
        program("one", "echo \"{\\\"Username\\\": \\\"for $registry\\\", \\\"Secret\\\": \\\"s\\\"}\"");
        var logins = logins("""
                {"credsStore": "all", "credHelpers": {"b.example": "one"},
                 "auths": {"a.example": {}, "c.example": {"auth": "eW91OnB3"}}}""");

        assertThat(logins.apply("oci://a.example/charts/web")).contains(new Login("me", "geheim"));
        assertThat(logins.apply("oci://b.example/charts")).contains(new Login("for b.example", "s"));
        assertThat(logins.apply("oci://c.example/charts")).contains(new Login("you", "pw"));
        assertThat(logins.apply("oci://d.example/charts")).isEmpty();
        assertThat(logins.apply("https://a.example/charts")).isEmpty();
        assertThat(logins.apply("oci://a.example/charts").toString()).doesNotContain("geheim", "me");
    }

    @Test
    void tokensTakeThePlaceOfPasswords() throws IOException {
        program("token", "echo '{\"Username\": \"<token>\", \"Secret\": \"geheim\"}'");
        var logins = logins("""
                {"credHelpers": {"a.example": "token"},
                 "auths": {"b.example": {"auth": "eW91OnB3", "identitytoken": "i"}, "c.example": {"registrytoken": "r"}}}""");

        assertThat(logins.apply("oci://a.example/x")).contains(new Login(Login.Kind.IDENTITY_TOKEN, "", "geheim"));
        assertThat(logins.apply("oci://b.example/x")).contains(new Login(Login.Kind.IDENTITY_TOKEN, "", "i"));
        assertThat(logins.apply("oci://c.example/x")).contains(new Login(Login.Kind.REGISTRY_TOKEN, "", "r"));
        assertThat(logins.apply("oci://a.example/x").toString()).doesNotContain("geheim");
    }

    @Test
    void aNameIsNoWayToAnotherProgram() throws IOException {
        for (var name : new String[] {"../bin/x", "x y", "X", "", "$(x)"}) {
            var logins = logins("{\"credHelpers\": {\"a.example\": \"" + name + "\"}}");
            assertThatThrownBy(() -> logins.apply("oci://a.example/x"))
                    .hasMessageContaining("names of lower case letters");
        }
        var gone = logins("{\"credsStore\": \"gone\"}");
        assertThatThrownBy(() -> gone.apply("oci://a.example/x"))
                .hasMessageContaining("docker-credential-gone, which docker's config.json names, is not in the PATH");
    }

    @Test
    void whatIsNoAnswerIsNotShown() throws IOException {
        program("words", "echo 'geheim: no JSON'");
        program("long", "exec head -c 1000000 /dev/zero");
        program("silent", "exec tail -f /dev/null");

        assertThatThrownBy(() -> ask("words"))
                .hasMessageContaining("what is no JSON")
                .message()
                .doesNotContain("geheim");
        assertThatThrownBy(() -> ask("long")).hasMessageContaining("more than 65536 bytes");
        assertThatThrownBy(() -> new CredentialProgram("silent", environment, Duration.ofMillis(200)).ask("a.example"))
                .hasMessageContaining("docker-credential-silent did not answer");
    }

    private void ask(String name) {
        new CredentialProgram(name, environment).ask("a.example");
    }
}

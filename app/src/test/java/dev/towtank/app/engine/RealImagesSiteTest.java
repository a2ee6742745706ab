package dev.towtank.app.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.model.YamlText;
import dev.towtank.node.images.ImageMode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RealImagesSiteTest {

    @TempDir
    Path home;

    private List<Json.Obj> passwords(String config, String registry) throws IOException {
        var file = home.resolve("config.json");
        Files.writeString(file, config);
        return new RealImagesSite(home, ImageMode.AUTO, file, false).passwords(registry);
    }

    @ParameterizedTest
    @CsvSource({"'', false", "copy, true"})
    void rootsAreCopiedWhereSomebodySaysSo(String asked, boolean copied) {
        assertThat(RealImagesSite.of(new DataDirectory(home), ImageMode.AUTO, Map.of("TOWTANK_IMAGE_ROOTS", asked))
                        .copied())
                .isEqualTo(copied);
    }

    @Test
    void anythingElseSaidOfRootsIsRefused() {
        var environment = Map.of("TOWTANK_IMAGE_ROOTS", "link");
        assertThatThrownBy(() -> RealImagesSite.of(new DataDirectory(home), ImageMode.AUTO, environment))
                .isInstanceOf(Failure.class)
                .hasMessage("The variable TOWTANK_IMAGE_ROOTS can be 'copy', or not be there; it is 'link'.");
    }

    @Test
    void aHelperIsNamedForARegistryOrForAll() {
        var config = (Json.Obj) YamlText.parse("{credsStore: all, credHelpers: {quay.io: one}}");

        assertThat(PasswordProgram.of(config, "quay.io")).contains(new PasswordProgram("docker-credential-one"));
        assertThat(PasswordProgram.of(config, "docker.io")).contains(new PasswordProgram("docker-credential-all"));
        assertThat(PasswordProgram.of((Json.Obj) YamlText.parse("{credsStore: ../../bin/sh}"), "x"))
                .isEmpty();
    }

    @Test
    void whatAHelperSaysGoesBeforeWhatIsWritten() throws IOException {
        var helper = home.resolve("docker-credential-test");
        Files.writeString(helper, """
                #!/bin/sh
                [ "$1" = get ] && [ "$(cat)" = quay.io ] || exit 1
                echo '{"ServerURL": "quay.io", "Username": "ann", "Secret": "s3cret"}'
                """);
        assertThat(helper.toFile().setExecutable(true)).isTrue();

        assertThat(new PasswordProgram(helper.toString()).ask("quay.io"))
                .hasValueSatisfying(
                        login -> assertThat(login.string("quay.io", "password")).isEqualTo("s3cret"));
        assertThat(new PasswordProgram(helper.toString()).ask("docker.io")).isEmpty();
        assertThat(new PasswordProgram(home + "/none").ask("quay.io")).isEmpty();
        assertThat(passwords("{\"auths\": {\"a\": {\"auth\": \"x\"}}, \"credsStore\": \"not-there\"}", "quay.io"))
                .hasSize(1);
        assertThat(passwords("no json", "quay.io")).isEmpty();
    }

    @Test
    void imagesOfPodsThatRunAreUsed() {
        var digest = "sha256:" + "0123456789abcdef".repeat(4);
        var pod = Resource.of((Json.Obj) YamlText.parse("""
                status:
                  phase: Running
                  containerStatuses: [{imageID: "quay.io/a@%s"}, {imageID: "stand-in://b"}]
                """.formatted(digest)));
        var over = pod.with(pod.json().with(List.of("status", "phase"), Json.of("Failed")));

        assertThat(ImageUpkeep.used(List.of(pod))).containsExactly(digest);
        assertThat(ImageUpkeep.used(List.of(over))).isEmpty();
    }
}

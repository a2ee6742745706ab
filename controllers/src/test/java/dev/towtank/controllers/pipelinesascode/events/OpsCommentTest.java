package dev.towtank.controllers.pipelinesascode.events;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OpsCommentTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "/retest                        | retest-all-comment  |",
                "/retest one                    | retest-comment      | one",
                "/test                          | test-all-comment    |",
                "/test one                      | test-comment        | one",
                "/test one a=b c=d              | test-comment        | one",
                "/ok-to-test                    | ok-to-test-comment  |",
                "/ok-to-test 1234567            | ok-to-test-comment  |",
                "/ok-to-test please             | no-ops-comment      |",
                "/cancel                        | cancel-all-comment  |",
                "/cancel one                    | cancel-comment      | one",
                "/ok                            | no-ops-comment      |",
                "a /test                        | no-ops-comment      |",
                "/testing                       | no-ops-comment      |",
                "looks good\\n/test one\\nthanks | test-comment        | one",
                "/lgtm\\n/ok-to-test \\n/approve | ok-to-test-comment  |",
            })
    void commandsAreReadAsUpstreamReadsThem(String text, String type, String name) {
        var read = OpsComment.of(text.replace("\\n", "\n"));
        assertThat(read.type()).isEqualTo(type);
        assertThat(read.name()).isEqualTo(Optional.ofNullable(name));
    }

    @Test
    void valuesMayHoldSpacesQuotesAndSigns() {
        assertThat(OpsComment.of("/test one a=b c=\"d e\" f=\"g \\\"h\\\"\" i=j=k")
                        .values())
                .isEqualTo(Map.of("a", "b", "c", "d e", "f", "g \"h\"", "i", "j=k"));
        assertThat(OpsComment.of("please /test a=b").values()).isEmpty();
    }

    @Test
    void commentsOnCommitsNameBranchesAndTags() {
        assertThat(OpsComment.of("/test one branch:nightly").ref()).contains("refs/heads/nightly");
        assertThat(OpsComment.of("/retest tag:v1").ref()).contains("refs/tags/v1");
        assertThat(OpsComment.of("/retest tag:v1").name()).isEmpty();
    }

    @Test
    void aCommentThatIsMeantToTakeLongDoesNot() {
        assertThat(OpsComment.of("/test " + "a=\"\\\\".repeat(100_000) + "\n".repeat(100_000))
                        .type())
                .isEqualTo("test-all-comment");
    }
}

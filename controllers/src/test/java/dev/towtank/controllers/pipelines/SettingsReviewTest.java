package dev.towtank.controllers.pipelines;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.controllers.pipelines.api.settings.Settings;
import dev.towtank.model.Json;
import dev.towtank.model.StatusError;
import dev.towtank.model.YamlText;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SettingsReviewTest {

    private static final String DENIED =
            "admission webhook \"config.webhook.pipeline.tekton.dev\" denied the request: validation failed: ";

    private static Optional<String> refusal(String yaml) {
        return new SettingsReview()
                .refusal((Json.Obj) YamlText.parse(yaml), null)
                .map(StatusError::text);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    tekton-pipelines | feature-flags | enable-api-fields | gamma \
                    | invalid value for feature flag "enable-api-fields": "gamma"
                    tekton-pipelines | feature-flags | disable-creds-init | maybe \
                    | failed parsing feature flags config "maybe": strconv.ParseBool: parsing "maybe": invalid syntax
                    tekton-pipelines | feature-flags | max-result-size | 2000000 \
                    | invalid value for feature flag "results-from": "2000000". This is exceeding the CRD limit
                    tekton-pipelines | config-defaults | default-timeout-minutes | soon \
                    | failed parsing default config "default-timeout-minutes"
                    tekton-pipelines | config-events | formats | tektonv2 | invalid format: tektonv2
                    tekton-pipelines | config-events | formats | tektonv1,tektonv1 | duplicate format: tektonv1
                    tekton-pipelines-resolvers | resolvers-feature-flags | enable-git-resolver | on \
                    | failed parsing feature flags config "on": strconv.ParseBool: parsing "on": invalid syntax
                    """)
    void refusesValuesThatMakeNoSense(String namespace, String name, String key, String value, String message) {
        assertThat(refusal("""
                metadata: {namespace: %s, name: %s}
                data: {%s: "%s"}
                """.formatted(namespace, name, key, value))).contains(DENIED + message);
    }

    @Test
    void takesOtherConfigMapsAsTheyAre() {
        assertThat(refusal("metadata: {namespace: default, name: feature-flags}\ndata: {enable-api-fields: gamma}"))
                .isEmpty();
        assertThat(refusal("metadata: {namespace: tekton-pipelines, name: mine}\ndata: {enable-api-fields: gamma}"))
                .isEmpty();
        assertThat(refusal("metadata: {namespace: tekton-pipelines, name: feature-flags}\ndata: {anything: else}"))
                .isEmpty();
    }

    @Test
    void tellsWhoeverWritesIntoTheExample() {
        var yaml = """
                metadata:
                  namespace: tekton-pipelines
                  name: config-defaults
                  annotations: {knative.dev/example-checksum: "%s"}
                data: {_example: "a: 1\\n\\nb: 2\\n"}
                """;

        assertThat(refusal(yaml.formatted("6ab7f2b4"))).get().asString().contains("the update modifies a key in");
        assertThat(refusal(yaml.formatted(crc32("a: 1\\nb: 2")))).isEmpty();
    }

    private static String crc32(String text) {
        var crc = new java.util.zip.CRC32();
        crc.update(text.getBytes(java.nio.charset.StandardCharsets.UTF_8));
        return "%08x".formatted(crc.getValue());
    }

    @Test
    void showsInProvenanceOnlyWhatIsOn() {
        assertThat(Settings.read(Map.of(), Map.of("enable-param-enum", "true")).provenance())
                .isEqualTo(YamlText.parse("""
                        awaitSidecarReadiness: true
                        coschedule: workspaces
                        enableAPIFields: beta
                        enableParamEnum: true
                        enableProvenanceInStatus: true
                        enforceNonfalsifiability: none
                        maxResultSize: 4096
                        resultExtractionMethod: termination-message
                        runningInEnvWithInjectedSidecars: true
                        sendCloudEventsForRuns: true
                        verificationNoMatchPolicy: ignore
                        """));
    }
}

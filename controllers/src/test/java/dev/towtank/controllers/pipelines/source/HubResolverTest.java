package dev.towtank.controllers.pipelines.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.towtank.controllers.git.source.Rewrites;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HubResolverTest {

    private static final String PACKAGE = "/api/v1/packages/tekton-task/tekton-catalog-tasks/git-clone";

    private final HubResolver resolver = new HubResolver();
    private final FakeServer hub;

    HubResolverTest() throws IOException {
        hub = new FakeServer().with(PACKAGE, """
                {"available_versions": [{"version": "0.9.0"}, {"version": "0.10.0"}, {"version": "0.10.1"},
                                        {"version": "1.0.0"}, {"version": "1.1.0", "prerelease": true}]}""");
        for (var version : new String[] {"0.9.0", "0.10.0", "0.10.1", "1.0.0"}) {
            hub.with(PACKAGE + "/" + version, "{\"data\": {\"manifestRaw\": \"kind: Task # %s\"}}".formatted(version));
        }
    }

    @AfterEach
    void stop() {
        hub.close();
    }

    private Resolver.Answer resolve(Map<String, String> params) throws Exception {
        var settings = new LinkedHashMap<>(resolver.installed().settings());
        settings.put("artifact-hub-urls", "- " + hub.url() + "/\n");
        return resolver.resolve(Questions.of(params, settings, Rewrites.NONE));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    0.10          | 0.10.0
                    0.9.0         | 0.9.0
                    = 0.10.1      | 0.10.1
                    >= 0.7, < 1.0 | 0.10.1
                    ~> 0.9        | 0.10.1
                    ~> 0.9.0      | 0.9.0
                    != 1.0.0      | 0.10.1
                    > 0.10        | 1.0.0
                    """)
    void takesTheNewestVersionThatFits(String wanted, String chosen) throws Exception {
        var answer = resolve(Map.of("name", "git-clone", "version", wanted));

        assertThat(answer.text()).isEqualTo("kind: Task # " + chosen);
        assertThat(answer.source().string("uri")).isEqualTo(hub.url() + PACKAGE + "/" + chosen);
        assertThat(answer.source().string("digest", "sha256")).hasSize(64);
    }

    @Test
    void asksATektonHubInItsOwnWay() throws Exception {
        hub.with("/v1/resource/Tekton/task/git-clone", "{\"data\": {\"versions\": [{\"version\": \"0.9\"}]}}")
                .with("/v1/resource/Tekton/task/git-clone/0.9/yaml", "{\"data\": {\"yaml\": \"kind: Task\"}}");

        var answer = resolve(Map.of("type", "tekton", "url", hub.url(), "name", "git-clone", "version", "0.9"));

        assertThat(answer.text()).isEqualTo("kind: Task");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    name    | x    | failed to validate params: missing required hub resolver params: version
                    kind    | nope | failed to populate default params: failed to resolve catalog name with kind: nope
                    type    | nope | failed to populate default params: failed to resolve catalog name with type: nope
                    type    | tekton | failed to validate params: please configure TEKTON_HUB_API env variable to use \
                    tekton type
                    url     | ftp://x | failed to validate params: invalid url param: url must use http or https \
                    scheme: ftp://x
                    """)
    void refusesWhatMakesNoSense(String param, String value, String message) {
        assertThatThrownBy(() -> resolve(Map.of(param, value))).hasMessage(message);
    }

    @Test
    void saysWhatTheHubDoesNotHave() {
        assertThatThrownBy(() -> resolve(Map.of("name", "git-clone", "version", "> 3")))
                .hasMessage("no version found for constraint > 3");
        assertThatThrownBy(() -> resolve(Map.of("name", "other", "version", "1.0")))
                .hasMessage("fail to fetch Artifact Hub resource: requested resource '" + hub.url()
                        + "/api/v1/packages/tekton-task/tekton-catalog-tasks/other' not found on hub");
        assertThatThrownBy(
                        () -> resolve(Map.of("name", "git-clone", "version", "1.0", "url", "http://nowhere.invalid")))
                .hasMessage("fail to fetch Artifact Hub resource: requesting resource from Hub: cannot reach"
                        + " nowhere.invalid: no such host");
    }
}

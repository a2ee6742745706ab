package dev.towtank.apiserver.registry;

import static dev.towtank.apiserver.registry.TestApi.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.apiserver.Verb;
import dev.towtank.model.StatusError;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// No patch makes another thing of an object.
class PatchingTest {

    private static final String MAP = "configmaps/default/a";

    private final TestApi api = new TestApi();

    @BeforeEach
    void fill() {
        api.create("configmaps/default", "{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}");
        api.create("deployments.apps/default", """
                apiVersion: apps/v1
                kind: Deployment
                metadata: {name: web}
                spec:
                  replicas: 3
                  selector: {matchLabels: {app: web}}
                  template:
                    metadata: {labels: {app: web}}
                    spec: {containers: [{name: main, image: 'nginx:1'}]}
                """);
    }

    @AfterEach
    void close() {
        api.close();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "merge | {\"kind\":\"Secret\"}     | converting (v1.Secret) to (core.ConfigMap): unknown conversion",
                "merge | {\"apiVersion\":\"v2\"}   | no kind \"ConfigMap\" is registered for version \"v2\"",
                "merge | {\"data\":\"x\"}          | json: cannot unmarshal string into Go struct field ConfigMap.data",
                "json  | [{\"op\":\"replace\",\"path\":\"/kind\",\"value\":\"Secret\"}] | unknown conversion",
                "json  | [{\"op\":\"replace\",\"path\":\"\",\"value\":[]}] | couldn't get version/kind"
            })
    void aResultThatIsNotOfTheKindIsInvalid(String type, String patch, String why) {
        var error = refused(() -> api.patch(MAP, type, patch));
        assertThat(error.reason()).isEqualTo(StatusError.Reason.INVALID);
        assertThat(error.text())
                .startsWith(" \"\" is invalid: patch: Invalid value: ")
                .contains(why);
        assertThat(api.get(MAP).string("kind")).isEqualTo("ConfigMap");
    }

    @Test
    void aStrategicPatchIsOfFieldsAlone() {
        assertThat(api.patch(MAP, "strategic-merge", "{\"kind\":\"Secret\"}").string("kind"))
                .isEqualTo("ConfigMap");
    }

    @Test
    void aKindThatIsLeftOutIsWhatItWas() {
        assertThat(api.patch(MAP, "merge", "{\"kind\":null}").string("kind")).isEqualTo("ConfigMap");
    }

    @Test
    void anUnknownFieldIsInvalidWhereTheClientIsStrict() {
        var error = refused(
                () -> api.call(Verb.PATCH, MAP, "fieldValidation=Strict", TestApi.patch("merge", "{\"metaData\":{}}")));
        assertThat(error.reason()).isEqualTo(StatusError.Reason.INVALID);
        assertThat(error.text()).endsWith("strict decoding error: unknown field \"metaData\"");
    }

    @Test
    void theValuesOfASecretStayOutOfTheMessage() {
        api.create("secrets/default", "{apiVersion: v1, kind: Secret, metadata: {name: s}, data: {a: aGlkZGVu}}");
        var error = refused(() -> api.patch("secrets/default/s", "merge", "{\"type\":3}"));
        assertThat(error.text()).doesNotContain("aGlkZGVu").contains("cannot unmarshal number");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{} | the name of the object (web based on URL) was undeterminable: name must be provided",
                "{metadata: {name: b}, spec: {replicas: 1}} | the name of the object (b) does not match the name on the URL"
                        + " (web)",
                "{metadata: {name: web, namespace: b}, spec: {replicas: 1}} | the namespace of the provided object does not"
                        + " match the namespace sent on the request"
            })
    void aScaleMustNameWhatItScales(String scale, String why) {
        var error = refused(() -> api.call(Verb.UPDATE, "deployments.apps/default/web/scale", "", TestApi.yaml(scale)));
        assertThat(error.reason()).isEqualTo(StatusError.Reason.BAD_REQUEST);
        assertThat(error.text()).isEqualTo(why);
        assertThat(api.get("deployments.apps/default/web").integer("spec", "replicas"))
                .isEqualTo(3);
    }
}

package dev.towtank.apiserver.registry;

import static dev.towtank.apiserver.registry.TestApi.refused;
import static dev.towtank.apiserver.registry.TestApi.yaml;
import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.apiserver.Body;
import dev.towtank.apiserver.Verb;
import dev.towtank.model.StatusError;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// A deletion does what its options say, wherever they are, or nothing at all.
class DeleteOptionsTest {

    private static final String MAP = "configmaps/default/a";

    private final TestApi api = new TestApi();

    @BeforeEach
    void fill() {
        api.create("configmaps/default", "{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}");
    }

    @AfterEach
    void close() {
        api.close();
    }

    private static Body body(String json) {
        return new Body.Text("application/json", json.getBytes(StandardCharsets.UTF_8));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "DeleteOptions | v1",
                "DeleteOptions | meta.k8s.io/v1",
                "DeleteOptions | apps/v1",
                "DeleteOptions | ''",
                "''            | v1"
            })
    void aDryRunInTheBodyDeletesNothing(String kind, String version) {
        var options = yaml("{kind: '%s', apiVersion: '%s', dryRun: [All]}".formatted(kind, version));
        var answer = api.one(Verb.DELETE, MAP, "", options);
        assertThat(answer.object().tree().string("status")).isEqualTo("Success");
        assertThat(api.exists(MAP)).isTrue();
    }

    @Test
    void aDryRunOfACollectionDeletesNothing() {
        api.call(Verb.DELETECOLLECTION, "configmaps/default", "", yaml("dryRun: [All]"));
        assertThat(api.exists(MAP)).isTrue();
    }

    @Test
    void aDryRunOfANamespaceDeletesNothing() {
        api.create("namespaces", "{apiVersion: v1, kind: Namespace, metadata: {name: team}}");
        api.call(Verb.DELETE, "namespaces//team", "", yaml("dryRun: [All]"));
        assertThat(api.get("namespaces//team").object("metadata").has("deletionTimestamp"))
                .isFalse();
    }

    @Test
    void aDryRunInTheQueryHoldsWhateverTheBodySays() {
        api.call(Verb.DELETE, MAP, "dryRun=All", yaml("{}"));
        assertThat(api.exists(MAP)).isTrue();
    }

    @Test
    void theQueryIsForDeletionsWithoutABody() {
        api.create("pods/default", """
                apiVersion: v1
                kind: Pod
                metadata: {name: web}
                spec: {nodeName: here, containers: [{name: main, image: 'nginx:1'}]}
                """);
        api.call(Verb.DELETE, "pods/default/web", "gracePeriodSeconds=5", yaml("gracePeriodSeconds: 9"));
        assertThat(api.get("pods/default/web").integer("metadata", "deletionGracePeriodSeconds"))
                .isEqualTo(9);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"dryRun\":[\"Some\"]} | dryRun: Unsupported value: [\"Some\"]: supported values: \"All\"",
                "{\"dryRun\":[\"All\",\"x\"]} | dryRun: Unsupported value: [\"All\",\"x\"]: supported values: \"All\"",
                "{\"propagationPolicy\":\"x\"} | propagationPolicy: Unsupported value: \"x\": supported values:"
                        + " \"Foreground\", \"Background\", \"Orphan\", \"nil\""
            })
    void optionsThatCannotBeDeleteNothing(String options, String why) {
        var error = refused(() -> api.call(Verb.DELETE, MAP, "", body(options)));
        assertThat(error.reason()).isEqualTo(StatusError.Reason.INVALID);
        assertThat(error.text()).isEqualTo("DeleteOptions.meta.k8s.io \"\" is invalid: " + why);
        assertThat(api.exists(MAP)).isTrue();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"dryRun\":\"All\"} | json: cannot unmarshal string into Go struct field DeleteOptions.dryRun of type"
                        + " []string",
                "{\"gracePeriodSeconds\":\"x\"} | json: cannot unmarshal string into Go struct field"
                        + " DeleteOptions.gracePeriodSeconds of type int64",
                "{\"kind\":\"ConfigMap\",\"apiVersion\":\"v1\"} | no kind \"ConfigMap\" is registered for version \"v1\"",
                "[] | couldn't get version/kind; json parse error: json: cannot unmarshal array into Go value of type",
                "x | couldn't get version/kind; json parse error:"
            })
    void whatAreNoOptionsDeletesNothing(String options, String why) {
        for (var path : new String[] {MAP, "configmaps/default"}) {
            var verb = path.equals(MAP) ? Verb.DELETE : Verb.DELETECOLLECTION;
            var error = refused(() -> api.call(verb, path, "", body(options)));
            assertThat(error.reason()).isEqualTo(StatusError.Reason.BAD_REQUEST);
            assertThat(error.text()).startsWith(why);
            assertThat(api.exists(MAP)).isTrue();
        }
    }

    @Test
    void aCollectionIsOfOneNamespace() {
        var error = refused(() -> api.call(Verb.DELETECOLLECTION, "configmaps", "", Body.None.NONE));
        assertThat(error.reason()).isEqualTo(StatusError.Reason.METHOD_NOT_ALLOWED);
        assertThat(api.exists(MAP)).isTrue();
    }
}

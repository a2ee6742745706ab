package dev.towtank.apiserver.registry;

import static dev.towtank.apiserver.registry.TestApi.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.apiserver.Body;
import dev.towtank.apiserver.Verb;
import dev.towtank.model.StatusError;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Fields that are there twice or unknown, in every way to write: what a client is warned of, and in which words a
/// strict request is refused.
class FieldValidationTest {

    private static final String JSON = "application/json";
    private static final String YAML = "application/yaml";
    private static final String APPLY = "application/apply-patch+yaml";
    private static final String MERGE = "application/merge-patch+json";
    private static final String STRATEGIC = "application/strategic-merge-patch+json";
    private static final String OPERATIONS = "application/json-patch+json";
    private static final String PATCHED = ": strict decoding error: ";
    private static final String DECODING =
            "ConfigMap in version \"v1\" cannot be handled as a ConfigMap: strict decoding error: ";

    private static final String TWICE_IN_JSON = """
            {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a", "name": "a", "nane": "x"},
             "data": {"a": "1", "a": "2"}}""";
    private static final String TWICE_IN_YAML = """
            apiVersion: v1
            kind: ConfigMap
            metadata:
              name: a
              name: a
              nane: x
            data:
              a: "1"
              a: "2"
            """;
    private static final String APPLIED_TWICE = """
            apiVersion: v1
            kind: ConfigMap
            metadata: {name: a}
            data: {a: "1"}
            data:
              a: "2"
            """;

    private final TestApi api = new TestApi();

    @BeforeEach
    void start() {
        api.create("configmaps/default", "{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}");
    }

    @AfterEach
    void close() {
        api.close();
    }

    static List<Arguments> bodies() {
        return List.of(
                Arguments.of(
                        Verb.UPDATE,
                        JSON,
                        TWICE_IN_JSON,
                        List.of(
                                "duplicate field \"metadata.name\"",
                                "duplicate field \"data.a\"",
                                "unknown field \"metadata.nane\""),
                        DECODING + "duplicate field \"metadata.name\", duplicate field \"data.a\","
                                + " unknown field \"metadata.nane\""),
                Arguments.of(
                        Verb.UPDATE,
                        YAML,
                        TWICE_IN_YAML,
                        List.of(
                                "line 5: key \"name\" already set in map",
                                "line 9: key \"a\" already set in map",
                                "unknown field \"metadata.nane\""),
                        DECODING + "yaml: unmarshal errors:\n  line 5: key \"name\" already set in map\n"
                                + "  line 9: key \"a\" already set in map, unknown field \"metadata.nane\""),
                Arguments.of(
                        Verb.PATCH,
                        APPLY,
                        APPLIED_TWICE,
                        List.of("line 6: key \"data\" already set in map"),
                        "error strict decoding patch: error converting YAML to JSON: yaml: unmarshal errors:\n"
                                + "  line 6: key \"data\" already set in map"),
                Arguments.of(
                        Verb.PATCH,
                        APPLY,
                        "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"data\":{\"a\":\"1\",\n\"a\":\"2\"}}",
                        List.of("line 2: key \"a\" already set in map"),
                        "error strict decoding patch: error converting YAML to JSON: yaml: unmarshal errors:\n"
                                + "  line 2: key \"a\" already set in map"),
                Arguments.of(
                        Verb.PATCH,
                        MERGE,
                        "{\"data\": {\"a\": \"1\", \"a\": \"2\"}, \"one\": 1, \"two\": 2}",
                        List.of("duplicate field \"data.a\"", "unknown field \"one\"", "unknown field \"two\""),
                        PATCHED + "duplicate field \"data.a\", unknown field \"one\", unknown field \"two\""),
                Arguments.of(
                        Verb.PATCH,
                        STRATEGIC,
                        "{\"data\": {\"a\": \"1\", \"a\": \"2\"}}",
                        List.of("duplicate field \"data.a\""),
                        PATCHED + "duplicate field \"data.a\""),
                Arguments.of(
                        Verb.PATCH,
                        OPERATIONS,
                        """
                        [{"op": "add", "op": "add", "path": "/data", "value": {}, "why": "so"}]""",
                        List.of("json patch duplicate field \"[0].op\"", "json patch unknown field \"[0].why\""),
                        PATCHED + "json patch duplicate field \"[0].op\", json patch unknown field \"[0].why\""));
    }

    @ParameterizedTest
    @MethodSource("bodies")
    void warnsOrRefusesOrIgnores(Verb verb, String type, String text, List<String> warnings, String refusal) {
        var body = new Body.Text(type, text.getBytes(StandardCharsets.UTF_8));
        var manager = type.equals(APPLY) ? "fieldManager=me&" : "";
        var path = "configmaps/default/a";
        var error = refused(() -> api.call(verb, path, manager + "fieldValidation=Strict", body));
        // What a patch makes of an object is an object that is not valid; what else is sent was never one.
        boolean patched = verb == Verb.PATCH && !type.equals(APPLY);
        assertThat(error.reason()).isEqualTo(patched ? StatusError.Reason.INVALID : StatusError.Reason.BAD_REQUEST);
        assertThat(error.text()).endsWith(refusal);
        assertThat(api.one(verb, path, manager + "fieldValidation=Ignore&dryRun=All", body)
                        .warnings())
                .isEmpty();
        assertThat(api.one(verb, path, manager + "fieldValidation=Warn", body).warnings())
                .isEqualTo(warnings);
        assertThat(api.one(verb, path, manager + "dryRun=All", body).warnings()).isEqualTo(warnings);
    }
}

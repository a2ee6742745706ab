package dev.towtank.model.crd;

import static dev.towtank.model.crd.SchemaTrial.yaml;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.towtank.model.Json;
import dev.towtank.model.StatusError;
import dev.towtank.model.YamlText;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PruneAndDefaultTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {type: object, properties: {a: {type: string}}}     | {a: 1, b: 2}              | {a: 1}
            {type: object}                                      | {a: 1}                    | {}
            {type: object, additionalProperties: {type: string}} | {a: 1}                   | {a: 1}
            {type: object, additionalProperties: {type: object, properties: {a: {type: string}}}} | {k: {a: 1, b: 2}} | {k: {a: 1}}
            {type: object, x-kubernetes-preserve-unknown-fields: true} | {a: {b: 1}}        | {a: {b: 1}}
            {type: object, x-kubernetes-preserve-unknown-fields: true, properties: {a: {type: object}}} | {a: {b: 1}, c: {d: 1}} | {a: {}, c: {d: 1}}
            {type: array, items: {type: object, properties: {a: {type: string}}}} | [{a: 1, b: 2}] | [{a: 1}]
            {type: array, items: {type: object, x-kubernetes-preserve-unknown-fields: true}} | [{a: 1}] | [{a: 1}]
            {type: object, x-kubernetes-embedded-resource: true, properties: {spec: {type: object}}} | {apiVersion: v1, kind: A, metadata: {name: thing}, spec: {}, b: 1} | {apiVersion: v1, kind: A, metadata: {name: thing}, spec: {}}
            """)
    void prunesWhatTheSchemaDoesNotHave(String schema, String value, String expected) {
        var trial = SchemaTrial.of(schema);

        var pruned = trial.pruned(value);

        assertThat(pruned).isEqualTo(YamlText.parse(expected));
        var object = Json.Obj.of("spec", Json.Obj.of("x", pruned));
        assertThat(trial.schema().prune(object, _ -> {})).as("pruned twice").isSameAs(object);
    }

    @Test
    void reportsUnknownFieldsByTheirPaths() {
        var trial = SchemaTrial.root("""
                type: object
                properties:
                  spec:
                    type: object
                    properties:
                      list: {type: array, items: {type: object, properties: {a: {type: string}}}}
                """);

        assertThat(trial.unknown(yaml("""
                apiVersion: a/v1
                kind: A
                metadata: {name: thing, colour: red}
                spec: {foo: 1, list: [{a: x}, {b: y}]}
                bar: {}
                """)))
                .containsExactlyInAnyOrder("metadata.colour", "spec.foo", "spec.list[1].b", "bar");
    }

    @Test
    void refusesMetadataOfTheWrongType() {
        var schema = SchemaTrial.root("{type: object}").schema();

        assertThatThrownBy(
                        () -> schema.prune(yaml("{apiVersion: a.b/v1, kind: A, metadata: {labels: {a: 1}}}"), _ -> {}))
                .isInstanceOf(StatusError.class)
                .hasMessageContaining("A in version \"v1\" cannot be handled as a A: json: cannot unmarshal number");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {type: object, properties: {a: {type: string, default: d}}}  | {}          | {a: d}
            {type: object, properties: {a: {type: string, default: d}}}  | {a: x}      | {a: x}
            {type: object, properties: {a: {type: string, default: d}}}  | {a: null}   | {a: d}
            {type: object, properties: {a: {type: string, default: d, nullable: true}}} | {a: null} | {a: null}
            {type: object, properties: {a: {type: string}}}              | {a: null}   | {}
            {type: object, properties: {a: {type: string, nullable: true}}} | {a: null} | {a: null}
            {type: object, properties: {a: {type: object, default: {}, properties: {b: {type: integer, default: 1}}}}} | {} | {a: {b: 1}}
            {type: object, properties: {a: {type: object, properties: {b: {type: integer, default: 1}}}}} | {} | {}
            {type: object, properties: {a: {type: object, properties: {b: {type: integer, default: 1}}}}} | {a: {}} | {a: {b: 1}}
            {type: array, items: {type: object, properties: {a: {type: integer, default: 1}}}} | [{}, {a: 2}] | [{a: 1}, {a: 2}]
            {type: array, items: {type: integer, default: 7}}            | [1, null]   | [1, 7]
            {type: object, additionalProperties: {type: object, properties: {a: {type: integer, default: 1}}}} | {k: {}} | {k: {a: 1}}
            """)
    void fillsInDefaults(String schema, String value, String expected) {
        var trial = SchemaTrial.of(schema);

        var filled = trial.defaulted(value);

        assertThat(filled).isEqualTo(YamlText.parse(expected));
        var object = Json.Obj.of("spec", Json.Obj.of("x", filled));
        assertThat(trial.schema().defaults(object)).as("filled twice").isSameAs(object);
    }
}

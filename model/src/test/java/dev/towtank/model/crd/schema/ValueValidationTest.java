package dev.towtank.model.crd.schema;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.model.crd.SchemaTrial;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ValueValidationTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {type: integer}                                 | a         | spec.x: Invalid value: "string": spec.x in body must be of type integer: "string"
            {type: string}                                  | 1         | spec.x: Invalid value: "integer": spec.x in body must be of type string: "integer"
            {type: string}                                  | null      | spec.x: Invalid value: "null": spec.x in body must be of type string: "null"
            {type: object}                                  | [1]       | spec.x: Invalid value: "array": spec.x in body must be of type object: "array"
            {type: array, items: {type: string}}            | [a, 1]    | spec.x[1]: Invalid value: "integer": spec.x[1] in body must be of type string: "integer"
            {x-kubernetes-int-or-string: true}              | true      | spec.x: Invalid value: "boolean": spec.x in body must be of type integer,string: "boolean"
            {type: integer, minimum: 1}                     | 0         | spec.x: Invalid value: 0: spec.x in body should be greater than or equal to 1
            {type: integer, minimum: 1, exclusiveMinimum: true} | 1     | spec.x: Invalid value: 1: spec.x in body should be greater than 1
            {type: integer, maximum: 5}                     | 6         | spec.x: Invalid value: 6: spec.x in body should be less than or equal to 5
            {type: number, maximum: 0.5, exclusiveMaximum: true} | 0.5  | spec.x: Invalid value: 0.5: spec.x in body should be less than 0.5
            {type: number, minimum: 1000000}                | 1.5       | spec.x: Invalid value: 1.5: spec.x in body should be greater than or equal to 1e+06
            {type: integer, multipleOf: 3}                  | 4         | spec.x: Invalid value: 4: spec.x in body should be a multiple of 3
            {type: string, minLength: 2}                    | a         | spec.x: Invalid value: "a": spec.x in body should be at least 2 chars long
            {type: string, maxLength: 2}                    | abc       | spec.x: Too long: may not be more than 2 bytes
            {type: string, pattern: '^a+$'}                 | ab        | spec.x: Invalid value: "ab": spec.x in body should match '^a+$'
            {type: string, enum: [a, b]}                    | c         | spec.x: Unsupported value: "c": supported values: "a", "b"
            {type: integer, enum: [1, 2]}                   | 3         | spec.x: Unsupported value: 3: supported values: "1", "2"
            {type: string, format: date-time}               | now       | spec.x: Invalid value: "now": spec.x in body must be of type date-time: "now"
            {type: string, format: date-time}               | 5         | spec.x: Invalid value: "int64": spec.x in body must be of type date-time: "int64"
            {type: array, items: {type: string}, minItems: 1} | []      | spec.x: Invalid value: 0: spec.x in body should have at least 1 items
            {type: array, items: {type: string}, maxItems: 1} | [a, b]  | spec.x: Too many: 2: must have at most 1 item
            {type: object, minProperties: 1}                | {}        | spec.x: Invalid value: 0: spec.x in body should have at least 1 properties
            {type: object, maxProperties: 1}                | {a: 1, b: 2} | spec.x: Too many: 2: must have at most 1 item
            {type: object, required: [a]}                   | {}        | spec.x.a: Required value
            {type: object, additionalProperties: {type: string}} | {k: 1} | spec.x.k: Invalid value: "integer": spec.x.k in body must be of type string: "integer"
            {type: array, x-kubernetes-list-type: set, items: {type: string}} | [a, b, a, a] | spec.x[2]: Duplicate value: "a"
            {type: integer, not: {enum: [3]}}               | 3         | <nil>: Invalid value: "": "spec.x" must not validate the schema (not)
            """)
    void saysWhatIsWrongInKubernetesWords(String schema, String value, String message) {
        assertThat(SchemaTrial.of(schema).errors(value)).containsExactly(message);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {type: integer}                     | 1.0
            {type: integer, format: int32}      | 3000000000
            {type: number}                      | 1
            {type: string, nullable: true}      | null
            {x-kubernetes-int-or-string: true}  | 80
            {x-kubernetes-int-or-string: true}  | http
            {type: string, maxLength: 1}        | é
            {type: string, pattern: 'a'}        | bab
            {type: string, format: made-up}     | anything
            {type: integer, enum: [1]}          | 1.0
            {type: integer, anyOf: [{minimum: 5}, {maximum: 1}]} | 0
            {type: integer, oneOf: [{minimum: 5}, {maximum: 1}]} | 7
            {type: integer, allOf: [{minimum: 5}, {maximum: 8}]} | 7
            """)
    void acceptsWhatFits(String schema, String value) {
        assertThat(SchemaTrial.of(schema).errors(value)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "date, 2024-02-29, 2023-02-29",
        "date-time, 2024-01-01T00:00:00Z, 2024-01-01",
        "duration, 1h30m, soon",
        "duration, 3 days, 3 moons",
        "byte, YQ==, a",
        "email, a@b.c, a.b.c",
        "ipv4, 10.0.0.1, 10.0.0.256",
        "ipv6, ::1, 10.0.0.1",
        "cidr, 10.0.0.0/8, 10.0.0.0/33",
        "uri, https://example.com/x, example",
        "uuid, 123e4567-e89b-12d3-a456-426614174000, 123",
        "uuid4, 123e4567-e89b-42d3-a456-426614174000, 123e4567-e89b-12d3-a456-426614174000",
        "mac, 00:1b:63:84:45:e6, 00:1b",
        "hostname, a.example, -a.example",
        "isbn, 978-0321751041, 978-0321751042",
        "isbn10, 0321751043, 0321751044",
        "creditcard, 4111111111111111, 4111111111111112",
        "ssn, 111-22-3333, 11-22",
        "hexcolor, '#FFFFFF', red",
        "'rgbcolor', 'rgb(1,2,3)', 'rgb(1,2)'",
        "k8s-short-name, abc, a.b",
        "k8s-long-name, a.b, A.b",
        "password, anything, ''"
    })
    void knowsFormats(String format, String good, String bad) {
        var trial = SchemaTrial.of("{type: string, format: " + format + "}");

        assertThat(trial.errors("'" + good + "'")).isEmpty();
        if (!bad.isEmpty()) {
            assertThat(trial.errors("'" + bad + "'"))
                    .containsExactly("spec.x: Invalid value: \"" + bad + "\": spec.x in body must be of type " + format
                            + ": \"" + bad + "\"");
        }
    }

    @Test
    void reportsTheAlternativeThatCameFurthest() {
        var trial = SchemaTrial.of("""
                type: object
                properties: {a: {type: string}, b: {type: string}}
                anyOf:
                - required: [a]
                - required: [b]
                """);

        assertThat(trial.errors("{c: 1}"))
                .containsExactly(
                        "<nil>: Invalid value: \"\": \"spec.x\" must validate at least one schema (anyOf)",
                        "spec.x.a: Required value");
    }

    @Test
    void countsTheAlternativesOfOneOf() {
        var trial = SchemaTrial.of("{type: integer, oneOf: [{minimum: 1}, {minimum: 2}, {minimum: 9}]}");

        assertThat(trial.errors("5"))
                .containsExactly("<nil>: Invalid value: \"\": \"spec.x\" must validate one and only one schema (oneOf)."
                        + " Found 2 valid alternatives");
        assertThat(trial.errors("0"))
                .containsExactly(
                        "<nil>: Invalid value: \"\": \"spec.x\" must validate one and only one schema (oneOf). Found none"
                                + " valid",
                        "spec.x: Invalid value: 0: spec.x in body should be greater than or equal to 1");
    }

    @Test
    void namesTheSchemasOfAllOfThatFail() {
        assertThat(SchemaTrial.of("{type: integer, allOf: [{minimum: 5}, {maximum: 8}]}")
                        .errors("9"))
                .containsExactly(
                        "spec.x: Invalid value: 9: spec.x in body should be less than or equal to 8",
                        "<nil>: Invalid value: \"\": \"spec.x\" must validate all the schemas (allOf)");
    }

    @Test
    void refusesFractionsTwice() {
        assertThat(SchemaTrial.of("{type: integer}").errors("1.5"))
                .containsExactly(
                        "spec.x: Invalid value: \"number\": spec.x in body must be of type integer: \"number\"",
                        "<nil>: Invalid value: \"\": Checked value must be of type integer (default format) in spec.x");
    }

    @Test
    void survivesPatternsThatExplodeElsewhere() {
        var trial = SchemaTrial.of("{type: string, pattern: '^(a+)+$'}");

        assertThat(trial.errors("a".repeat(50_000) + "b")).hasSize(1);
    }

    @Test
    void tellsItemsOfMapListsApartByTheirKeys() {
        var trial = SchemaTrial.of("""
                type: array
                x-kubernetes-list-type: map
                x-kubernetes-list-map-keys: [port, protocol]
                items:
                  type: object
                  required: [port]
                  properties: {port: {type: integer}, protocol: {type: string, default: TCP}, v: {type: integer}}
                """);

        assertThat(trial.errors("[{port: 1, protocol: A, v: 1}, {port: 1, protocol: B}, {port: 1, protocol: A, v: 2}]"))
                .containsExactly("spec.x[2]: Duplicate value: {\"port\":1,\"protocol\":\"A\"}");
    }

    @Test
    void letsUnchangedMistakesThroughOnUpdate() {
        var trial = SchemaTrial.of("""
                type: object
                properties:
                  a: {type: integer, minimum: 5}
                  b: {type: integer, minimum: 5}
                  list: {type: array, items: {type: integer, minimum: 5}}
                  map:
                    type: array
                    x-kubernetes-list-type: map
                    x-kubernetes-list-map-keys: [k]
                    items:
                      type: object
                      required: [k]
                      properties: {k: {type: string}, v: {type: integer, minimum: 5}}
                """);

        assertThat(trial.updateErrors("{a: 1, b: 9}", "{a: 1, b: 10}")).isEmpty();
        assertThat(trial.updateErrors("{a: 1}", "{a: 2}"))
                .containsExactly("spec.x.a: Invalid value: 2: spec.x.a in body should be greater than or equal to 5");
        assertThat(trial.updateErrors("{map: [{k: a, v: 1}]}", "{map: [{k: b, v: 7}, {k: a, v: 1}]}"))
                .isEmpty();
        assertThat(trial.updateErrors("{list: [1]}", "{list: [1, 7]}"))
                .as("items of other lists have nothing to be compared with")
                .containsExactly(
                        "spec.x.list[0]: Invalid value: 1: spec.x.list[0] in body should be greater than or equal to 5");
    }

    @Test
    void letsOldDuplicatesStay() {
        var trial = SchemaTrial.of("{type: array, x-kubernetes-list-type: set, items: {type: string}}");

        assertThat(trial.updateErrors("[a, a]", "[a, a, b]")).isEmpty();
        assertThat(trial.updateErrors("[a]", "[a, a]")).containsExactly("spec.x[1]: Duplicate value: \"a\"");
    }

    @Test
    void checksEmbeddedObjects() {
        var trial = SchemaTrial.of("""
                type: object
                x-kubernetes-embedded-resource: true
                x-kubernetes-preserve-unknown-fields: true
                """);

        assertThat(trial.errors("{kind: Pod}")).containsExactly("spec.x.apiVersion: Required value");
        assertThat(trial.errors("{apiVersion: a/b/c, kind: '', metadata: {name: a/b}}"))
                .containsExactly(
                        "spec.x.apiVersion: Invalid value: \"a/b/c\": unexpected GroupVersion string: a/b/c",
                        "spec.x.kind: Invalid value: \"\": must not be empty",
                        "spec.x.metadata.name: Invalid value: \"a/b\": may not contain '/'");
        assertThat(trial.errors("{apiVersion: v1, kind: Pod, metadata: {labels: {a: b}}}"))
                .isEmpty();
    }

    @Test
    void validatesTheStatusAlone() {
        var schema = SchemaTrial.root("""
                type: object
                properties:
                  spec: {type: object, required: [a]}
                  status: {type: object, properties: {phase: {type: string}}}
                """).schema();
        var errors = new dev.towtank.model.FieldError.Collector();

        schema.validateStatus(
                SchemaTrial.yaml("{spec: {}, status: {phase: 1}}"), SchemaTrial.yaml("{spec: {}}"), errors);

        assertThat(SchemaTrial.messages(errors))
                .isEqualTo(List.of(
                        "status.phase: Invalid value: \"integer\": phase in body must be of type string: \"integer\""));
    }
}

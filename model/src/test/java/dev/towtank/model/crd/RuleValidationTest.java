package dev.towtank.model.crd;

import static dev.towtank.model.crd.SchemaTrial.yaml;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RuleValidationTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {rule: self.min <= self.max}                                        | spec.x: Invalid value: failed rule: self.min <= self.max
            {rule: self.min <= self.max, message: min is too much}              | spec.x: Invalid value: min is too much
            {rule: self.min <= self.max, messageExpression: "'%d > %d'.format([self.min, self.max])"} | spec.x: Invalid value: 5 > 3
            {rule: self.min <= self.max, messageExpression: "''", message: m}   | spec.x: Invalid value: m
            {rule: self.min <= self.max, fieldPath: .min}                       | spec.x.min: Invalid value: failed rule: self.min <= self.max
            {rule: self.min <= self.max, reason: FieldValueForbidden, message: m} | spec.x: Forbidden: m
            {rule: self.min <= self.max, reason: FieldValueRequired, message: m}  | spec.x: Required value: m
            {rule: self.min <= self.max, reason: FieldValueDuplicate}           | spec.x: Duplicate value
            {rule: "self.labels['nope'] == 'x'"}                                | spec.x: Invalid value: "object": no such key: nope evaluating rule: self.labels['nope'] == 'x'
            {rule: self.min / 0 == 1}                                           | spec.x: Invalid value: "object": division by zero evaluating rule: self.min / 0 == 1
            {rule: self.port.startsWith('a')}                                   | `spec.x: Invalid value: "object": 'no such overload': call arguments did not match a supported operator, function or macro signature for rule: self.port.startsWith('a')`
            """)
    void reportsBrokenRules(String rule, String message) {
        assertThat(ranges(rule).errors("{min: 5, max: 3, port: 80, labels: {a: b}}"))
                .containsExactly(message);
    }

    private static SchemaTrial ranges(String rule) {
        return SchemaTrial.of("""
                type: object
                properties:
                  min: {type: integer}
                  max: {type: integer}
                  port: {x-kubernetes-int-or-string: true}
                  labels: {type: object, additionalProperties: {type: string}}
                x-kubernetes-validations:
                - %s
                """.formatted(rule));
    }

    @Test
    void showsTheValuesOfScalars() {
        var trial = SchemaTrial.of("{type: string, x-kubernetes-validations: [{rule: \"self != 'bad'\"}]}");

        assertThat(trial.errors("bad")).containsExactly("spec.x: Invalid value: \"bad\": failed rule: self != 'bad'");
        assertThat(trial.errors("good")).isEmpty();
    }

    @Test
    void evaluatesRulesOfItemsAndEntries() {
        var trial = SchemaTrial.of("""
                type: object
                properties:
                  list: {type: array, items: {type: integer, x-kubernetes-validations: [{rule: self > 0}]}}
                  map: {type: object, additionalProperties: {type: integer, x-kubernetes-validations: [{rule: self > 0}]}}
                """);

        assertThat(trial.errors("{list: [1, -1], map: {a: -2}}"))
                .containsExactly(
                        "spec.x.list[1]: Invalid value: -1: failed rule: self > 0",
                        "spec.x.map[a]: Invalid value: -2: failed rule: self > 0");
    }

    @Test
    void comparesWithTheOldObjectOnUpdateOnly() {
        var trial =
                SchemaTrial.of("{type: string, x-kubernetes-validations: [{rule: self == oldSelf, message: fixed}]}");

        assertThat(trial.errors("a")).isEmpty();
        assertThat(trial.updateErrors("a", "a")).isEmpty();
        assertThat(trial.updateErrors("a", "b")).containsExactly("spec.x: Invalid value: \"b\": fixed");
        assertThat(trial.updateErrors(yaml("{spec: {}}"), SchemaTrial.object("b")))
                .isEmpty();
    }

    @Test
    void mayAskWhetherThereWasAnOldObject() {
        var trial = SchemaTrial.of("""
                type: string
                x-kubernetes-validations:
                - {rule: "oldSelf.hasValue() || self == 'first'", optionalOldSelf: true}
                """);

        assertThat(trial.errors("first")).isEmpty();
        assertThat(trial.errors("other")).hasSize(1);
        assertThat(trial.updateErrors("first", "other")).isEmpty();
    }

    @Test
    void letsUnchangedMistakesThroughOnUpdate() {
        var trial = SchemaTrial.of("""
                type: object
                properties:
                  a: {type: integer, x-kubernetes-validations: [{rule: self > 5}]}
                  b: {type: integer}
                """);

        assertThat(trial.updateErrors("{a: 1, b: 1}", "{a: 1, b: 2}")).isEmpty();
        assertThat(trial.updateErrors("{a: 1}", "{a: 2}")).hasSize(1);
    }

    @Test
    void comparesItemsOfMapListsByKey() {
        var trial = SchemaTrial.of("""
                type: array
                x-kubernetes-list-type: map
                x-kubernetes-list-map-keys: [k]
                items:
                  type: object
                  required: [k]
                  properties: {k: {type: string}, v: {type: integer}}
                  x-kubernetes-validations: [{rule: self.v >= oldSelf.v, message: must not shrink}]
                """);

        assertThat(trial.updateErrors("[{k: a, v: 1}, {k: b, v: 5}]", "[{k: b, v: 4}, {k: c, v: 0}, {k: a, v: 2}]"))
                .containsExactly("spec.x[0]: Invalid value: must not shrink");
    }

    @Test
    void knowsNamesAndEscapesFields() {
        var trial = SchemaTrial.root("""
                type: object
                properties:
                  spec:
                    type: object
                    properties: {namespace: {type: string}, my-field: {type: string}, a.b: {type: string}, a__b: {type: string}}
                x-kubernetes-validations:
                - rule: >-
                    self.metadata.name == 'thing' && self.spec.__namespace__ == '1' && self.spec.my__dash__field == '2'
                    && self.spec.a__dot__b == '3' && self.spec.a__underscores__b == '4'
                """);
        var object = yaml("{metadata: {name: thing}, spec: {namespace: '1', my-field: '2', a.b: '3', a__b: '4'}}");

        assertThat(trial.errors(object)).isEmpty();
    }

    @Test
    void readsTimesDurationsAndBytes() {
        var trial = SchemaTrial.of("""
                type: object
                properties:
                  at: {type: string, format: date-time}
                  wait: {type: string, format: duration}
                  data: {type: string, format: byte}
                x-kubernetes-validations:
                - rule: self.at > timestamp('2020-01-01T00:00:00Z')
                - rule: self.wait < duration('1h')
                - rule: size(self.data) == 3
                """);

        assertThat(trial.errors("{at: '2024-01-01T00:00:00Z', wait: 30m, data: YWJj}"))
                .isEmpty();
        assertThat(trial.errors("{at: '2019-01-01T00:00:00Z', wait: 2h, data: YWI=}"))
                .hasSize(3);
    }

    @Test
    void skipsRulesWhereTypesAreWrong() {
        var trial = SchemaTrial.of(
                "{type: object, properties: {a: {type: integer}}, x-kubernetes-validations: [{rule: self.a > 1}]}");

        assertThat(trial.errors("{a: text}"))
                .containsExactly(
                        "spec.x.a: Invalid value: \"string\": spec.x.a in body must be of type integer: \"string\"",
                        "<nil>: Invalid value: null: some validation rules were not checked because the object was"
                                + " invalid; correct the existing errors to complete validation");
    }

    @Test
    void givesUpOnRulesThatCostTooMuch() {
        var trial = SchemaTrial.of("""
                type: array
                items: {type: integer}
                x-kubernetes-validations:
                - rule: self.all(a, self.all(b, self.all(c, a + b + c >= 0)))
                - rule: self.size() == 0
                """);
        var many = new StringBuilder("[0");
        for (int i = 1; i < 120; i++) {
            many.append(", ").append(i);
        }

        assertThat(trial.errors(many + "]"))
                .containsExactly(
                        "spec.x: Invalid value: \"array\": 'operation cancelled: actual cost limit exceeded': no"
                                + " further validation rules will be run due to call cost exceeds limit for rule:"
                                + " self.all(a, self.all(b, self.all(c, a + b + c >= 0)))");
    }

    @Test
    void runsOutOfBudgetForOneObject() {
        var trial = SchemaTrial.of("""
                type: array
                items:
                  type: array
                  items: {type: integer}
                  x-kubernetes-validations:
                  - rule: self.all(a, self.all(b, a + b >= 0))
                """);
        var row = "[" + "1, ".repeat(250) + "1]";

        assertThat(trial.errors("[" + (row + ", ").repeat(40) + row + "]"))
                .singleElement()
                .asString()
                .contains("running out of cost budget, no further validation rules will be run");
    }

    @Test
    void givesUpOnMessagesThatCostTooMuch() {
        var trial = SchemaTrial.of("""
                type: array
                items: {type: integer}
                x-kubernetes-validations:
                - rule: self.size() == 0
                  messageExpression: "self.all(a, self.all(b, self.all(c, a + b + c >= 0))) ? 'yes' : 'no'"
                - rule: self.size() == 1
                """);
        var many = "[" + "1, ".repeat(120) + "1]";

        assertThat(trial.errors(many))
                .containsExactly(
                        "spec.x: Invalid value: \"array\": no further validation rules will be run due to call cost"
                                + " exceeds limit for messageExpression: \"self.all(a, self.all(b, self.all(c, a + b"
                                + " + c >= 0))) ? 'yes' : 'no'\"");
    }
}

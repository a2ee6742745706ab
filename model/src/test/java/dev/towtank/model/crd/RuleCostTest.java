package dev.towtank.model.crd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.model.FieldError;
import dev.towtank.model.Json;
import dev.towtank.model.Path;
import dev.towtank.model.YamlText;
import dev.towtank.model.crd.schema.StructuralSchema;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What rules may cost, by the sizes that schemas allow. The numbers are those of Kubernetes: they decide which
/// definitions it takes.
class RuleCostTest {

    private static final Map<String, String> TYPES = Map.of(
            "int-or-string", "{x-kubernetes-int-or-string: true}",
            "duration", "{type: string, format: duration}",
            "date", "{type: string, format: date}",
            "date-time", "{type: string, format: date-time}",
            "object",
                    "{type: object, required: [required], properties: {required: {type: string},"
                            + " optional: {type: string}}}",
            "numbers", "{type: array, items: {type: number}}",
            "numberMap", "{type: object, additionalProperties: {type: number}}",
            "enum", "{type: string, enum: [A, B, C, LongValue] LENGTH}",
            "bytes", "{type: string, format: byte LENGTH}",
            "text", "{type: string LENGTH}");

    /// A schema in few words: `array of T`, `map of T`, or T itself. `LENGTH` stands where a bound may stand.
    private static Json.Obj schema(String words, String max) {
        return (Json.Obj) YamlText.parse(text(words)
                .replaceAll("ITEMS", bound("maxItems", max))
                .replaceAll("ENTRIES", bound("maxProperties", max))
                .replaceAll("LENGTH", bound("maxLength", max)));
    }

    private static String bound(String field, String max) {
        return max.isEmpty() ? "" : ", " + field + ": " + max;
    }

    private static String text(String words) {
        if (words.startsWith("array of ")) {
            return "{type: array ITEMS, items: " + text(words.substring(9)) + "}";
        }
        if (words.startsWith("map of ")) {
            return "{type: object ENTRIES, additionalProperties: " + text(words.substring(7)) + "}";
        }
        return words.startsWith("{") ? words : TYPES.getOrDefault(words, "{type: " + words + "}");
    }

    private static long cost(Json.Obj schema, String rule) {
        var ruled = schema.with("x-kubernetes-validations", Json.Arr.of(Json.Obj.of("rule", Json.of(rule))));
        var parsed = StructuralSchema.parse(ruled);
        var compiled = RuleTree.compile(parsed, false).orElseThrow().rules().getFirst();
        assertThat(compiled.problem()).isEmpty();
        var program = compiled.program();
        assertThat(program).isNotNull();
        return program.mostCost(
                new SchemaSizes().of(parsed, false).orElseThrow().sizes());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            array of number          | self.all(x, true)                        | 4718591 | 10   | 32
            array of string          | self.all(x, true)                        | 3145727 | 20   | 62
            array of boolean         | self.all(x, true)                        | 1887437 | 5    | 17
            array of numbers         | self.all(x, true)                        | 3145727 | 100  | 302
            array of object          | self.all(x, true)                        | 555128  | 50   | 152
            map of number            | self.all(x, true)                        | 1348169 | 10   | 32
            map of string            | self.all(x, true)                        | 1179647 | 3    | 11
            map of boolean           | self.all(x, true)                        | 943718  | 100  | 302
            text                     | self.contains('test')                    | 314574  | 10   | 5
            text                     | self.startsWith('test')                  | 2       | 15   | 2
            text                     | self.endsWith('test')                    | 2       | 30   | 2
            text                     | size(self + "hello") > size("hello")     | 314578  | 4    | 7
            array of number          | self[1] == 0.0                           | 2       | 5000 | 2
            array of string          | self[1] == self[1]                       | 314577  | 8    | 314577
            text                     | self.matches("x")                        | 314574  | 50   | 22
            text                     | "".matches("(((((((((())))))))))[0-9]")  | 7       | 10   | 7
            text                     | self.matches("")                         | 1       | 100  | 1
            map of text              | self.all(x, x.contains(self[x]))         | 2752507 | 10   | 72
            array of number          | self[3] == 0.0                           | 2       | 0    | 2
            map of number            | self["x"] == 0.0                         | 2       | 0    | 2
            text                     | self == "x"                              | 2       | 0    | 1
            bytes                    | self == b"x"                             | 2       | 0    | 1
            array of number          | self.all(x, x == 0.0)                    | 6291454 | 6291456 | 25165826
            array of map of object   | self.all(x, x["y"].required == "z")      | 7340027 | 10   | 72
            array of int-or-string   | self.all(x, true)                        | 4718591 | 10   | 32
            array of int-or-string   | self[0] == 5                             | 3       | 10   | 3
            array of boolean         | self[0] == false                         | 2       | 25   | 2
            array of object          | self[0] == null                          | 2       | 422  | 2
            array of numbers         | self[0][0] == -1.0                       | 3       | 51   | 3
            array of numberMap       | self.all(x, x.y == 25.2)                 | 6291452 | 12   | 74
            array of numberMap       | self[0].x > 2.0                          | 4       | 3000 | 4
            array of duration        | self.all(x, true)                        | 2359295 | 5    | 17
            array of duration        | self[0].getHours() == 2                  | 4       | 525  | 4
            array of date            | self.all(x, true)                        | 725936  | 15   | 47
            array of date            | self[2].getDayOfMonth() == 13            | 4       | 42   | 4
            array of date-time       | self.all(x, true)                        | 428963  | 25   | 77
            map of int-or-string     | self.all(x, true)                        | 1348169 | 15   | 47
            map of object            | self.all(x, true)                        | 428963  | 20   | 62
            map of numberMap         | self.all(x, true)                        | 1179647 | 10   | 32
            map of numbers           | self.all(x, true)                        | 1179647 | 25   | 77
            map of duration          | self.all(x, true)                        | 1048577 | 5    | 17
            map of date              | self.all(x, true)                        | 524288  | 10   | 32
            map of date-time         | self.all(x, true)                        | 349526  | 25   | 77
            text                     | self.find('[0-9]+') == ''                | 629147  | 10   | 11
            array of text            | self.join(' ') == 'aa bb'                | 329853068905 | 10 | 43
            array of text            | self.isSorted() == true                  | 329854432052 | 10 | 52
            text                     | self.lowerAscii() == 'lower!'            | 314575  | 10   | 6
            map of integer           | oldSelf.size() == self.size()            | 5       | 10   | 5
            map of date-time         | self["a"] == self["b"]                   | 8       | 7    | 8
            map of duration          | self["c"] == self["d"]                   | 8       | 42   | 8
            enum                     | self.contains('A')                       | 2       | 1000 | 401
            {x-kubernetes-int-or-string: true LENGTH} | isQuantity(self)        | 314574  | 20   | 9
            {type: object, properties: {str: {type: string LENGTH}, separator: {type: string LENGTH}}} \
                                     | self.str.split(self.separator) == []     | 629160  | 10   | 22
            {type: object, properties: {str: {type: string LENGTH}, before: {type: string, maxLength: 2}, \
              after: {type: string, maxLength: 4}}} \
                      | self.str.replace(self.before, self.after) == 'does not matter' | 629154 | 4 | 12
            """)
    void estimatesWhatARuleMayCost(String schema, String rule, long free, String max, long bounded) {
        assertThat(cost(schema(schema, ""), rule)).as("without bounds").isEqualTo(free);
        assertThat(cost(schema(schema, max), rule)).as("bounded by " + max).isEqualTo(bounded);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            self.all(x, self.all(y, true))                  | 352
            self.all(x, self.all(y, self.all(z, true)))     | 3552
            """)
    void loopsInLoopsMultiply(String rule, long bounded) {
        assertThat(cost(schema("array of number", ""), rule)).isGreaterThan(10_000_000);
        assertThat(cost(schema("array of number", "10"), rule)).isEqualTo(bounded);
    }

    private static List<String> problems(String yaml) {
        var parsed = StructuralSchema.parse((Json.Obj) YamlText.parse(yaml));
        var errors = new FieldError.Collector();
        RuleChecks.check(
                RuleTree.compile(parsed, true).orElseThrow(), Path.of("spec", "validation", "openAPIV3Schema"), errors);
        return errors.errors().stream().map(FieldError::message).toList();
    }

    @Test
    void refusesARuleThatMayCostTooMuch() {
        assertThat(problems("""
                        type: object
                        properties:
                          list:
                            type: array
                            maxItems: 100000
                            items: {type: string, x-kubernetes-validations: [{rule: "self.contains('a')"}]}
                        """))
                .containsExactly(
                        "spec.validation.openAPIV3Schema.properties[list].items.x-kubernetes-validations[0].rule:"
                                + " Forbidden: estimated rule cost exceeds budget by factor of more than 100x (try"
                                + " simplifying the rule, or adding maxItems, maxProperties, and maxLength where"
                                + " arrays, maps, and strings are declared)",
                        "spec.validation.openAPIV3Schema.properties[list].items.x-kubernetes-validations[0].rule:"
                                + " Forbidden: contributed to estimated rule cost total exceeding cost limit for"
                                + " entire OpenAPIv3 schema",
                        "spec.validation.openAPIV3Schema: Forbidden: x-kubernetes-validations estimated rule cost"
                                + " total for entire OpenAPIv3 schema exceeds budget by factor of more than 100x (try"
                                + " simplifying the rule, or adding maxItems, maxProperties, and maxLength where"
                                + " arrays, maps, and strings are declared)");
    }

    @Test
    void tellsByHowMuch() {
        assertThat(problems("""
                        type: object
                        properties:
                          list:
                            type: array
                            maxItems: 60
                            items: {type: string, x-kubernetes-validations: [{rule: "self.contains('a')"}]}
                        """))
                .singleElement()
                .asString()
                .contains("estimated rule cost exceeds budget by factor of 1.9x");
    }

    @Test
    void allowsWhatIsBounded() {
        assertThat(problems("""
                        type: object
                        properties:
                          list:
                            type: array
                            maxItems: 100
                            items: {type: string, maxLength: 1000,
                              x-kubernetes-validations: [{rule: "self.contains('a')"}]}
                        """)).isEmpty();
    }

    @Test
    void namesOfObjectsAreShort() {
        assertThat(problems("""
                        type: object
                        x-kubernetes-validations: [{rule: "self.metadata.name.contains('x') && self.kind != ''"}]
                        """)).isEmpty();
    }

    @Test
    void aMessageMayCostTooMuchAsWell() {
        assertThat(problems("""
                        type: object
                        properties:
                          list: {type: array, items: {type: string}}
                        x-kubernetes-validations:
                          - rule: "true"
                            messageExpression: "self.list.join(',')"
                        """))
                .element(0)
                .asString()
                .contains("x-kubernetes-validations[0].messageExpression: Forbidden: estimated messageExpression cost"
                        + " exceeds budget by factor of more than 100x");
    }
}

package dev.towtank.model.cel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ExpressionsTest {

    private static final Shape.ObjectOf SELF = new Shape.ObjectOf(
            "self",
            Map.of(
                    "count", new Shape.Field("count", Shape.Scalar.INT),
                    "names", new Shape.Field("names", new Shape.ListOf(Shape.Scalar.STRING)),
                    "labels", new Shape.Field("labels", new Shape.MapOf(Shape.Scalar.STRING)),
                    "port", new Shape.Field("port", Shape.Scalar.ANY),
                    "missing", new Shape.Field("missing", Shape.Scalar.STRING)));

    private static final Json.Obj VALUE =
            JsonText.parseObject("{\"count\":3,\"names\":[\"a\",\"b\"],\"labels\":{\"x\":\"1\"},\"port\":80}");

    private static Expression.Outcome evaluate(String text) {
        try {
            return Expressions.kubernetes()
                    .compile(text, Map.of("self", SELF), Shape.Scalar.ANY)
                    .evaluate(Map.of("self", VALUE), Expressions.PER_CALL_LIMIT);
        } catch (Expressions.Malformed e) {
            throw new AssertionError(e.text(), e);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "self.count > 2 && has(self.names) && !has(self.missing)",
                "self.names.all(n, n.size() == 1) && self.names.exists(n, n == 'b') && self.names.exists_one(n, n == 'a')",
                "self.labels.all(k, self.labels[k] == '1') && 'x' in self.labels",
                "type(self.port) == int ? self.port < 100 : false",
                "self.?missing.orValue('none') == 'none'",
                "self.names.map(n, n + '!').join(',') == 'a!,b!'",
                "self.names.isSorted() && ['a', 'b', 'a'].lastIndexOf('a') == 2 && self.names.indexOf('b') == 1",
                "[1, 2, 3].sum() == 6 && [1, 5, 3].max() == 5 && [4, 2].min() == 2 && ![2, 1].isSorted()",
                "'a,b'.split(',') == ['a', 'b'] && 'AbC'.lowerAscii() == 'abc' && ' x '.trim() == 'x'",
                "'hello'.substring(1, 3) == 'el' && 'hello'.charAt(1) == 'e' && 'hello'.replace('l', 'L') == 'heLLo'",
                "'hello'.indexOf('l') == 2 && 'a'.upperAscii() == 'A' && 'abc'.startsWith('a') && 'abc'.endsWith('c')",
                "'%s has %d of %.1f %x %b %%'.format(['a', 3, 2.55, 255, true]) == 'a has 3 of 2.5 ff 1 %'"
                        + " || '%.1f'.format([2.55]) == '2.6'",
                "'%s'.format([['a', 1]]) == '[a, 1]' && '%e'.format([1000.0]) == '1.000000e+03'",
                "'abc 123 45'.find('[0-9]+') == '123' && 'a1b2'.findAll('[0-9]') == ['1', '2']",
                "'a1b2'.findAll('[0-9]', 1) == ['1'] && 'abc'.matches('^a.c$')",
                "quantity('1Gi').isGreaterThan(quantity('500Mi')) && quantity('1.5').add(1).compareTo(quantity('2500m')) == 0",
                "isQuantity('1k') && !isQuantity('x') && quantity('2').asInteger() == 2 && quantity('1').sign() == 1",
                "url('https://a.b:80/x?y=1&y=2').getHost() == 'a.b:80' && url('https://a.b/x').getScheme() == 'https'",
                "url('https://[::1]:80/x').getHostname() == '::1' && url('https://a/?y=1&y=2').getQuery()['y'] == ['1', '2']",
                "isURL('https://a') && !isURL('a b') && url('https://a/?q=%C3%A9+%2B').getQuery()['q'] == ['é +']",
                "string(cidr('2001:db8:ffff::1/32').masked()) == '2001:db8::/32' && string(cidr('10.9.9.9/8').masked()) == '10.0.0.0/8'",
                "isIP('1.2.3.4') && !isIP('1.2.3') && ip('::1').isLoopback() && ip('10.0.0.1').family() == 4",
                "ip.isCanonical('2001:db8::1') && !ip.isCanonical('2001:DB8::1') && string(ip('2001:DB8:0:0::1')) == '2001:db8::1'",
                "cidr('10.0.0.0/8').containsIP('10.1.2.3') && cidr('10.0.0.0/8').containsCIDR('10.1.0.0/16')",
                "cidr('10.1.2.3/8').masked() == cidr('10.0.0.0/8') && cidr('10.0.0.0/8').prefixLength() == 8 && isCIDR('::/0')",
                "semver('1.2.3').isLessThan(semver('1.10.0')) && semver('1.0.0-a').compareTo(semver('1.0.0')) == -1",
                "isSemver('1.2.3') && !isSemver('v1.2') && isSemver('v1.2', true) && semver('v1.2', true).minor() == 2",
                "sets.contains([1, 2], [1]) && [3, 1].sort() == [1, 3] && lists.range(2) == [0, 1]",
                "{'a': 1}.transformMap(k, v, v + 1) == {'a': 2}",
                "timestamp('2024-01-01T00:00:00Z') + duration('1h') == timestamp('2024-01-01T01:00:00Z')",
                "1 < 1.5 && self == self"
            })
    void knowsTheFunctionsOfKubernetes(String text) {
        assertThat(evaluate(text))
                .isInstanceOfSatisfying(
                        Expression.Outcome.Value.class,
                        value -> assertThat(value.json()).isEqualTo(Json.of(true)));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            self.missing == 'x'        | no such key: missing
            self.labels['q'] == 'x'    | no such key: q
            1 / (self.count - 3) == 1  | division by zero
            self.names[7] == 'x'       | index out of bounds: 7
            self.port.startsWith('a')  | no such overload
            quantity('x').sign() == 1  | quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'
            lists.range(100001)        | lists.range: 100001 is more than 100000
            [].min() == 1              | min called on empty list
            """)
    void saysWhatWentWrong(String text, String message) {
        assertThat(evaluate(text))
                .isInstanceOfSatisfying(
                        Expression.Outcome.Failed.class,
                        failed -> assertThat(failed.message()).isEqualTo(message));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            self.foo == 1       | undefined field 'foo'
            self.count == 'a'   | found no matching overload for '_==_'
            self.names.all(     | mismatched input
            other == 1          | undeclared reference to 'other'
            """)
    void refusesTextsThatDoNotFitTheData(String text, String message) {
        assertThatThrownBy(() -> Expressions.kubernetes().compile(text, Map.of("self", SELF), Shape.Scalar.BOOL))
                .isInstanceOf(Expressions.Malformed.class)
                .hasMessageStartingWith("compilation failed: ERROR: <input>:1:")
                .hasMessageContaining(message);
    }

    @Test
    void refusesOtherResults() {
        assertThatThrownBy(() -> Expressions.kubernetes().compile("1", Map.of(), Shape.Scalar.BOOL))
                .hasMessage("must evaluate to a bool");
        assertThatThrownBy(() -> Expressions.kubernetes().compile("1", Map.of(), Shape.Scalar.STRING))
                .hasMessage("must evaluate to a string");
    }

    @Test
    void givesResultsAsJson() {
        assertThat(evaluate("{'a': [1, 2.5, 'x', null, true], 'd': duration('90s')}"))
                .isInstanceOfSatisfying(
                        Expression.Outcome.Value.class,
                        value -> assertThat(value.json())
                                .isEqualTo(JsonText.parse("{\"a\":[1,2.5,\"x\",null,true],\"d\":\"90s\"}")));
    }

    /// Each of them is a few hundred bytes that would become terabytes.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "['0123456789']MANY.map(a, a + a)END[0] == ''",
                "[[1, 2, 3]]MANY.map(a, a + a)END[0] == []",
                "['0123456789']MANY.map(a, '%s%s'.format([a, a]))END[0] == ''",
                "['aaaaaaaaaa']MANY.map(a, a.replace('a', a))END[0] == ''",
                "['0123456789']MANY.map(a, [a, a, a, a].join(a))END[0] == ''",
            })
    void stopsWhatMultipliesItself(String text) throws Expressions.Malformed {
        var step = text.substring(text.indexOf("MANY") + 4, text.indexOf("END"));
        var whole = text.replace("MANY" + step + "END", step.repeat(40));
        var expression = Expressions.kubernetes().compile(whole, Map.of(), Shape.Scalar.BOOL);

        assertThat(expression.evaluate(Map.of(), Expressions.PER_CALL_LIMIT))
                .isNotInstanceOf(Expression.Outcome.Value.class);
    }

    @Test
    void stopsWhenTheLimitIsReached() throws Expressions.Malformed {
        var ten = List.of(1, 2, 3, 4, 5, 6, 7, 8, 9, 10).toString();
        var expression = Expressions.kubernetes()
                .compile(
                        ten + ".all(a, " + ten + ".all(b, " + ten + ".all(c, a + b + c > 0)))",
                        Map.of(),
                        Shape.Scalar.BOOL);

        assertThat(expression.evaluate(Map.of(), 1000)).isInstanceOf(Expression.Outcome.TooExpensive.class);
        assertThat(expression.evaluate(Map.of(), 100_000)).isInstanceOf(Expression.Outcome.Value.class);
    }

    @ParameterizedTest
    @CsvSource({
        "a, a",
        "my-field, my__dash__field",
        "a.b, a__dot__b",
        "a/b, a__slash__b",
        "a__b, a__underscores__b",
        "namespace, __namespace__",
        "_a_, _a_"
    })
    void escapesFieldNames(String key, String escaped) {
        assertThat(Shape.escape(key)).contains(escaped);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "1a", "a b", "é", "$ref"})
    void hidesFieldsThatNoNameFits(String key) {
        assertThat(Shape.escape(key)).isEmpty();
    }
}

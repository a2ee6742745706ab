package dev.towtank.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LabelSelectorTest {

    private static final Json.Obj OBJECT = JsonText.parseObject("""
            {"metadata": {"labels": {"app": "web", "tier": "front", "empty": "", "weight": "10", "in": "notin"}}}""");

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            ''                              | true
            app=web                         | true
            app==web                        | true
            app = web , tier= front         | true
            app=db                          | false
            app!=db                         | true
            app!=web                        | false
            absent!=x                       | true
            app in (web,db)                 | true
            app in (db)                     | false
            app notin (db)                  | true
            absent notin (db)               | true
            app notin (web)                 | false
            app                             | true
            absent                          | false
            !absent                         | true
            !app                            | false
            weight>9                        | true
            weight>10                       | false
            weight<11                       | true
            app>1                           | false
            app<1                           | false
            absent<1                        | false
            empty=                          | true
            empty in ()                     | true
            app in (,web)                   | true
            in in (in,notin)                | true
            in=notin                        | true
            app=web,!absent,tier in (front) | true
            app=web,tier=back               | false
            """)
    void matchesAsKubernetesDoes(String selector, boolean expected) {
        assertThat(LabelSelector.parse(selector).matches(OBJECT)).isEqualTo(expected);
        assertThat(LabelSelector.parse(selector).matches(OBJECT.stringMap("metadata", "labels")))
                .isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            x in (c, a,b ,a) , a=1          | a=1,x in (a,b,c)
            !z , y                          | y,!z
            k notin (,)                     | k notin ()
            a==1,b>2,c<3,d!=4               | a==1,b>2,c<3,d!=4
            """)
    void isWrittenInOneSpelling(String text, String canonical) {
        assertThat(LabelSelector.parse(text)).hasToString(canonical);
        assertThat(LabelSelector.parse(canonical)).isEqualTo(LabelSelector.parse(text));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            a=b,           | found '', expected: identifier after ','
            ,a             | found ',', expected: !, identifier, or 'end of string'
            a b            | unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt
            a=b c          | found 'c', expected: ',' or 'end of string'
            a=(            | unable to parse requirement: found '(', expected: identifier
            a in b         | unable to parse requirement: found 'b' expected: '('
            a in (b        | unable to parse requirement: found '', expected: ',' or ')'
            a in (b,       | unable to parse requirement: found '', expected: ',', or identifier
            a in (=        | unable to parse requirement: found '=', expected: ',', ')' or identifier
            !              | unable to parse requirement: found '', expected: identifier
            !a=b           | found '=', expected: ',' or 'end of string'
            a>b            | unable to parse requirement: values[0]: Invalid value: "b": for 'Gt', 'Lt' operators, the value must be an integer
            """)
    void saysWhatIsWrong(String selector, String message) {
        assertThatThrownBy(() -> LabelSelector.parse(selector))
                .isInstanceOf(StatusError.class)
                .hasMessage(message);
    }

    @Test
    void namesTheKeyOrValueThatIsNoLabel() {
        assertThatThrownBy(() -> LabelSelector.parse("a/b/c=d"))
                .hasMessageStartingWith(
                        "unable to parse requirement: <nil>: Invalid value: \"a/b/c\": a valid label key");
        assertThatThrownBy(() -> LabelSelector.parse("a=-"))
                .hasMessageStartingWith(
                        "unable to parse requirement: values[0][a]: Invalid value: \"-\": a valid label");
    }

    @Test
    void readsTheObjectForm() {
        var selector = LabelSelector.of(JsonText.parseObject("""
                {"matchLabels": {"app": "web"}, "matchExpressions": [
                  {"key": "tier", "operator": "In", "values": ["front", "back"]},
                  {"key": "app", "operator": "Exists"},
                  {"key": "gone", "operator": "DoesNotExist"},
                  {"key": "x", "operator": "NotIn", "values": ["y"]}]}"""));

        assertThat(selector).hasToString("app=web,app,!gone,tier in (back,front),x notin (y)");
        assertThat(selector.matches(OBJECT)).isTrue();
    }

    @Test
    void anAbsentSelectorSelectsNothingAndAnEmptyOneEverything() {
        assertThat(LabelSelector.of((Json.Obj) null).matches(OBJECT)).isFalse();
        assertThat(LabelSelector.of((Json.Obj) null).matches(Map.of())).isFalse();
        assertThat(LabelSelector.of(Json.Obj.EMPTY).matches(OBJECT)).isTrue();
        assertThat(LabelSelector.of(Map.of()).matchesEverything()).isTrue();
    }

    @Test
    void refusesAnUnknownOperator() {
        assertThatThrownBy(() -> LabelSelector.of(JsonText.parseObject("""
                        {"matchExpressions": [{"key": "a", "operator": "Near"}]}""")))
                .hasMessage("\"Near\" is not a valid label selector operator");
        assertThatThrownBy(() -> LabelSelector.of(JsonText.parseObject("""
                        {"matchExpressions": [{"key": "a", "operator": "In"}]}""")))
                .hasMessage("values: Invalid value: []: for 'in', 'notin' operators, values set can't be empty");
    }

    @Test
    void knowsTheOnlyValueALabelMayHave() {
        assertThat(LabelSelector.parse("a=b,c in (d),e!=f").exact("a")).contains("b");
        assertThat(LabelSelector.parse("a=b,c in (d),e!=f").exact("c")).contains("d");
        assertThat(LabelSelector.parse("a=b,c in (d),e!=f").exact("e")).isEmpty();
    }
}

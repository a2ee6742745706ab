package dev.towtank.model.patch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.model.JsonText;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MergePatchTest {

    /// The table of RFC 7386, appendix A.
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {"a":"b"}           | {"a":"c"}               | {"a":"c"}
            {"a":"b"}           | {"b":"c"}               | {"a":"b","b":"c"}
            {"a":"b"}           | {"a":null}              | {}
            {"a":"b","b":"c"}   | {"a":null}              | {"b":"c"}
            {"a":["b"]}         | {"a":"c"}               | {"a":"c"}
            {"a":"c"}           | {"a":["b"]}             | {"a":["b"]}
            {"a":{"b":"c"}}     | {"a":{"b":"d","c":null}}| {"a":{"b":"d"}}
            {"a":[{"b":"c"}]}   | {"a":[1]}               | {"a":[1]}
            ["a","b"]           | ["c","d"]               | ["c","d"]
            {"a":"b"}           | ["c"]                   | ["c"]
            {"a":"foo"}         | null                    | null
            {"a":"foo"}         | "bar"                   | "bar"
            {"e":null}          | {"a":1}                 | {"e":null,"a":1}
            [1,2]               | {"a":"b","c":null}      | {"a":"b"}
            {}                  | {"a":{"bb":{"ccc":null}}} | {"a":{"bb":{}}}
            """)
    void mergesAsTheRfcSays(String target, String patch, String expected) {
        assertThat(MergePatch.apply(JsonText.parse(target), JsonText.parse(patch)))
                .isEqualTo(JsonText.parse(expected));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {"a":1,"b":{"c":1,"d":2}}  | {"a":1,"b":{"c":2,"d":2}}  | {"b":{"c":2}}
            {"a":1,"b":2}              | {"b":2}                    | {"a":null}
            {"a":1}                    | {"a":1,"b":{"c":[]}}       | {"b":{"c":[]}}
            {"a":[1,2]}                | {"a":[1]}                  | {"a":[1]}
            {"a":{"b":1}}              | {"a":"x"}                  | {"a":"x"}
            {"a":1}                    | {"a":1}                    | {}
            """)
    void theDifferenceLeadsFromOneToTheOther(String from, String to, String expected) {
        var before = JsonText.parseObject(from);
        var after = JsonText.parseObject(to);
        var patch = MergePatch.diff(before, after);
        assertThat(patch).isEqualTo(JsonText.parse(expected));
        assertThat(MergePatch.apply(before, patch)).isEqualTo(after);
    }
}

package dev.towtank.model.wording;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GoJsonTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            x                  | invalid character 'x' looking for beginning of value
            {                  | unexpected end of JSON input
            {"a":              | unexpected end of JSON input
            {"a" 1}            | invalid character '1' after object key
            {"a":1 "b":2}      | invalid character '"' after object key:value pair
            {a:1}              | invalid character 'a' looking for beginning of object key string
            {"a":1,}           | invalid character '}' looking for beginning of object key string
            [1 2]              | invalid character '2' after array element
            [1,]               | invalid character ']' looking for beginning of value
            {} {}              | invalid character '{' after top-level value
            tru1               | invalid character '1' in literal true (expecting 'e')
            -x                 | invalid character 'x' in numeric literal
            1.x                | invalid character 'x' after decimal point in numeric literal
            1ex                | invalid character 'x' in exponent of numeric literal
            01                 | invalid character '1' after top-level value
            "\\q"              | invalid character 'q' in string escape code
            "\\u00g0"          | invalid character 'g' in \\u hexadecimal character escape
            '                  | invalid character '\\'' looking for beginning of value
            """)
    void saysWhatGoSays(String text, String problem) {
        assertThat(GoJson.problem(text.getBytes(StandardCharsets.UTF_8))).contains(problem);
    }

    @Test
    void saysItOfNothingAndOfLineBreaksInStrings() {
        assertThat(GoJson.problem(new byte[0])).contains("unexpected end of JSON input");
        assertThat(GoJson.problem("\"a\nb\"".getBytes(StandardCharsets.UTF_8)))
                .contains("invalid character '\\n' in string literal");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "[]", " {\"a\": [1, -2.5e+7, true, null, \"\\u00e4\"], \"b\": {}} ", "7", "\"x\""})
    void hasNothingToSayAboutJson(String text) {
        assertThat(GoJson.problem(text.getBytes(StandardCharsets.UTF_8))).isEmpty();
    }

    @Test
    void isNotImpressedByDepth() {
        assertThat(GoJson.problem("[".repeat(1_000_000).getBytes(StandardCharsets.UTF_8)))
                .contains("unexpected end of JSON input");
    }
}

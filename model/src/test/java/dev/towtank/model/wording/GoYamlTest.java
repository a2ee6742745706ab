package dev.towtank.model.wording;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.towtank.model.JsonText;
import dev.towtank.model.YamlText;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GoYamlTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            a: b: c               | yaml: mapping values are not allowed in this context
            x: 1;a: b: c          | yaml: line 2: mapping values are not allowed in this context
            a: [1, 2;b: 3         | yaml: line 1: did not find expected ',' or ']'
            a: {b: 1;c: 3         | yaml: line 1: did not find expected ',' or '}'
            a: 1; b: 2            | yaml: line 2: mapping values are not allowed in this context
            a:;  b: 1; c: 2       | yaml: line 2: did not find expected key
            a: @b                 | yaml: found character that cannot start any token
            a: 1;b: "\\q"         | yaml: line 2: found unknown escape character
            a: *none              | yaml: unknown anchor 'none' referenced
            """)
    void saysWhatGoSays(String yaml, String problem) {
        var text = yaml.replace(";", "\n").getBytes(StandardCharsets.UTF_8);
        var malformed = catchThrowableOfType(JsonText.Malformed.class, () -> YamlText.parse(text));
        assertThat(GoYaml.problem(malformed)).hasValue(problem);
    }
}

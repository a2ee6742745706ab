package dev.towtank.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FieldSelectorTest {

    private static final Map<String, String> FIELDS =
            Map.of("metadata.name", "web", "status.phase", "Running", "odd", "a,b=c\\d");

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            ''                                    | true
            metadata.name=web                     | true
            metadata.name==web                    | true
            metadata.name!=web                    | false
            metadata.name=db                      | false
            metadata.name=web,status.phase!=Done  | true
            absent=                               | true
            absent!=x                             | true
            ,metadata.name=web,                   | true
            odd=a\\,b\\=c\\\\d                    | true
            """)
    void matchesAsKubernetesDoes(String selector, boolean expected) {
        assertThat(FieldSelector.parse(selector).matches(field -> FIELDS.getOrDefault(field, "")))
                .isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            x              | invalid selector: 'x'; can't understand 'x'
            a=b,x          | invalid selector: 'a=b,x'; can't understand 'x'
            a=b=c          | invalid field selector: unescaped character in value: 61
            a=b\\q         | invalid field selector: invalid escape sequence: \\q
            a=b\\          | invalid field selector: invalid escape sequence: \\
            """)
    void saysWhatIsWrong(String selector, String message) {
        assertThatThrownBy(() -> FieldSelector.parse(selector))
                .isInstanceOf(StatusError.class)
                .hasMessage(message);
    }

    @Test
    void isSortedAndKeepsItsEscapes() {
        assertThat(FieldSelector.parse("b!=1\\,2,a==x")).hasToString("a=x,b!=1\\,2");
    }

    @Test
    void knowsTheOnlyValueAFieldMayHave() {
        var selector = FieldSelector.parse("metadata.name=web,status.phase!=Done");

        assertThat(selector.exact("metadata.name")).contains("web");
        assertThat(selector.exact("status.phase")).isEmpty();
        assertThat(selector.exact("other")).isEmpty();
    }
}

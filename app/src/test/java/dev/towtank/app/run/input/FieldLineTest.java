package dev.towtank.app.run.input;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FieldLineTest {
    private static final String TEXT = """
            kind: Other
            ---
            kind: Task
            metadata:
              name: Bad_Name
            spec:
              steps:
                - name: a
                  image: busybox
                - name: b
                  script: echo
            """;

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            metadata.name: Invalid value                      | 5
            missing field(s): spec.steps[1].Image             | 10
            invalid value: x: spec.steps[b].script            | 11
            unknown field "spec.steps[7].name"                | 7
            spec.nothing.at.all: Required value               | 6
            """)
    void theLineIsThatOfTheFieldOrOfWhereItIsMissing(String message, int line) {
        assertThat(FieldLine.find(TEXT, 3, message)).hasValue(line);
    }

    @Test
    void aKeyThatResemblesWhatIsMissingIsASlip() {
        var text = TEXT.replace("script:", "scirpt:").replace("  steps:", "  stepz:");

        assertThat(FieldLine.slip(text, 3, "validation failed: missing field(s): spec.steps"))
                .hasValue(new FieldLine.Slip(7, "stepz", "steps"));
        assertThat(FieldLine.slip(TEXT.replace("script:", "scirpt:"), 3, "missing field(s): spec.steps[1].script"))
                .hasValue(new FieldLine.Slip(11, "scirpt", "script"));
        assertThat(FieldLine.slip(TEXT, 3, "missing field(s): spec.params")).isEmpty();
        assertThat(FieldLine.slip("a: [", 1, "missing field(s): spec.steps")).isEmpty();
    }

    @Test
    void anItemOfAListHasFieldsOfItsOwn() {
        var list = """
                apiVersion: v1
                kind: List
                items:
                - kind: ConfigMap
                  metadata: {name: a}
                - kind: Task
                  spec:
                    steps:
                    - image: busybox
                      script: echo
                """;

        assertThat(FieldLine.find(list, 6, "spec.steps[0].script: bad")).hasValue(10);
        assertThat(FieldLine.find(list, 4, "metadata.name: bad")).hasValue(5);
        assertThat(FieldLine.slip(list.replace("steps:", "stepz:"), 6, "missing field(s): spec.steps"))
                .hasValue(new FieldLine.Slip(8, "stepz", "steps"));
    }

    @Test
    void theFirstItemIsMeantWhereAListBeginsInItsLine() {
        var list = """
                {"kind": "List", "items": [{
                  "metadata": {"name": "a"}
                }]}
                """;

        assertThat(FieldLine.find(list, 1, "metadata.name: bad")).hasValue(2);
    }

    @Test
    void aMessageWithoutAFieldHasNoLine() {
        assertThat(FieldLine.find(TEXT, 3, "no")).isEqualTo(OptionalInt.empty());
        assertThat(FieldLine.find("a: [", 1, "spec.x")).isEmpty();
    }
}

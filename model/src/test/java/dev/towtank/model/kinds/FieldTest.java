package dev.towtank.model.kinds;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FieldTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            {a: 1}                        | {a: 1}                  | true
            {a: 1}                        | {a: 2}                  | false
            {a: {}, b: [], c: null}       | {}                      | true
            {a: {b: false, c: 1}}         | {a: {c: 1}}             | true
            {a: [{b: {}, c: x}]}          | {a: [{c: x}]}           | true
            {a: [1, 2]}                   | {a: [2, 1]}             | false
            {a: [1]}                      | {a: [1, 2]}             | false
            {data: {key: ""}}             | {data: {}}              | false
            """)
    void comparesAsKubernetesDoes(String one, String other, boolean same) {
        assertThat(Field.same(KindTrial.yaml(one), KindTrial.yaml(other))).isEqualTo(same);
        assertThat(Field.same(KindTrial.yaml(other), KindTrial.yaml(one))).isEqualTo(same);
    }
}

package dev.towtank.controllers.notebooks.source;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.model.JsonText;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Whether a model answered as expected.
class ModelCheckTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {"predictions": [1, -1]}  | {"predictions": [1, -1]}             | true
            {"predictions": [1, -1]}  | {"predictions": [1.005, -1], "x": 1} | true
            {"predictions": [1, -1]}  | {"predictions": [1.02, -1]}          | false
            {"predictions": [1, -1]}  | {"predictions": [1]}                 | false
            {"predictions": [1]}      | {"outputs": [1]}                     | false
            [1]                       | {"predictions": [1]}                 | false
            {"predictions": ["a"]}    | {"predictions": ["a"]}               | true
            {"predictions": ["1"]}    | {"predictions": [1]}                 | false
            """)
    void numbersMayDifferALittle(String expected, String found, boolean isAlike) {
        assertThat(ModelCheck.alike(JsonText.parse(expected), JsonText.parse(found), 0.01))
                .isEqualTo(isAlike);
    }
}

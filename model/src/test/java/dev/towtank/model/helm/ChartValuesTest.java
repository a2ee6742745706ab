package dev.towtank.model.helm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

/// What a chart has against parameters before it is rendered.
class ChartValuesTest {

    private static final String SCHEMA = """
            {"additionalProperties": false, "required": ["name"], "properties": {
              "name": {"type": "string"},
              "replicas": {"type": "integer", "maximum": 10},
              "version": {"type": "string"},
              "size": {"type": "string", "x-towtank-ignored": "there are no machines"}}}
            """;

    private static final ChartValues CHART = ChartValues.of("name: a\nreplicas: 2\n", SCHEMA);

    private static List<String> problems(String name, String value) {
        return CHART.problems(List.of(new ChartValues.Parameter(name, value)));
    }

    @Test
    void numbersAreNumbersAndTextsAreTexts() {
        assertThat(problems("replicas", "3")).isEmpty();
        assertThat(problems("version", "4")).isEmpty();
        assertThat(problems("replicas", "99")).singleElement().asString().contains("at '/replicas'");
        assertThat(problems("replicas", "many")).containsExactly("at '/replicas': got string, want integer");
    }

    @Test
    void whatTheChartDoesNotKnowIsToldByItsName() {
        assertThat(problems("replica", "3")).containsExactly("at '': additional properties 'replica' not allowed");
        assertThat(CHART.knows("replica")).isFalse();
        assertThat(CHART.knows("size.of.it")).isTrue();
    }

    @Test
    void aDefaultThatIsTakenAwayIsMissing() {
        assertThat(ChartValues.of("", SCHEMA).problems(List.of())).containsExactly("at '': missing property 'name'");
        assertThat(ChartValues.of("", SCHEMA).over("values", "name: b").problems(List.of()))
                .isEmpty();
    }

    @Test
    void whatHasNoEffectSaysWhy() {
        assertThat(CHART.ignored("size")).isEqualTo("there are no machines");
        assertThat(CHART.ignored("name")).isEmpty();
    }

    @Test
    void whatCannotBeReadIsNoChart() {
        assertThatThrownBy(() -> ChartValues.of("a: [", "")).isInstanceOf(HelmError.class);
        assertThatThrownBy(() -> ChartValues.of("", "{")).hasMessageContaining("values.schema.json cannot be read");
    }
}

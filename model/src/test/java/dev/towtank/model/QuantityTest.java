package dev.towtank.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class QuantityTest {

    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "0Ki, 0",
        "0m, 0",
        "1Ki, 1Ki",
        "1024Mi, 1Gi",
        "1000M, 1G",
        ".001Ki, 1024m",
        ".000001Ki, 1024u",
        ".000000001Ki, 1024n",
        ".000000000001Ki, 2n",
        "1.5Gi, 1536Mi",
        "0.5, 500m",
        "1000m, 1",
        "1500m, 1500m",
        "0.1, 100m",
        "2048Mi, 2Gi",
        "1025Mi, 1025Mi",
        "1e3, 1e3",
        "1E6, 1E6",
        "1e4, 10e3",
        "1.2e3, 1200",
        "100.035k, 100.035k",
        "100.0350k, 100035",
        "3.001n, 4n",
        "0.0000000001, 1n",
        "9Ei, 9223372036854775807",
        "12E, 12E",
        "0.5Mi, 512Ki",
        "0.05Gi, 53687091200m",
        "512, 512",
        "-1Ki, -1Ki",
        "-1000m, -1",
        "1.100, 1.100",
        "5.000, 5",
        "100Ki, 100Ki",
        "1023, 1023",
        "0.001Gi, 1073741824m",
        "007, 007",
        "1., 1.",
        "50k, 50k",
        "1e21, 1e21"
    })
    void hasACanonicalForm(String text, String canonical) {
        assertThat(Quantity.parse(text).text()).isEqualTo(canonical);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", "1x", "1.1.1", "1 Gi", "1+-1", "10 ", "Gi", "-"})
    void refusesWhatIsNoQuantity(String text) {
        assertThatThrownBy(() -> Quantity.parse(text)).isInstanceOf(Quantity.Malformed.class);
        assertThat(Quantity.isValid(text)).isFalse();
    }

    @Test
    void refusesInKubernetesWords() {
        assertThatThrownBy(() -> Quantity.parse("lots"))
                .hasMessage("quantities must match the regular expression"
                        + " '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'");
        assertThatThrownBy(() -> Quantity.parse("1Mu")).hasMessage("unable to parse quantity's suffix");
        assertThatThrownBy(() -> Quantity.parse("1e999999999")).hasMessage("unable to parse quantity's suffix");
        assertThatThrownBy(() -> Quantity.parse(".")).hasMessage("unable to parse numeric part of quantity");
    }

    @Test
    void addsAndCompares() {
        assertThat(Quantity.parse("100m").plus(Quantity.parse("1"))).hasToString("1100m");
        assertThat(Quantity.ZERO.plus(Quantity.parse("1Gi"))).hasToString("1Gi");
        assertThat(Quantity.parse("1Gi").minus(Quantity.parse("512Mi"))).hasToString("512Mi");
        assertThat(Quantity.parse("1Gi").times(3)).hasToString("3Gi");
        assertThat(Quantity.parse("1000m")).isEqualByComparingTo(Quantity.parse("1"));
        assertThat(Quantity.parse("10000T")).isGreaterThan(Quantity.parse("100Gi"));
        assertThat(Quantity.parse("1e1000").value()).isEqualTo(Long.MAX_VALUE);
        assertThat(Quantity.parse("1500m").value()).isEqualTo(2);
        assertThat(Quantity.parse("0.0001").milliValue()).isEqualTo(1);
        assertThat(Quantity.ofMilli(2500)).hasToString("2500m");
    }
}

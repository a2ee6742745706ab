package dev.towtank.controllers.pipelines.runs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClusterLookupTest {

    private static ClusterLookup lookup(Map<String, String> params, Map<String, String> settings) {
        return ClusterLookup.of(name -> params.getOrDefault(name, ""), settings, true);
    }

    @Test
    void asksForATaskUnlessToldOtherwise() {
        assertThat(lookup(Map.of("name", "a", "namespace", "n"), Map.of()))
                .isEqualTo(new ClusterLookup.Wanted("task", "a", "n"));
        assertThat(lookup(Map.of("name", "a"), Map.of("default-kind", "pipeline", "default-namespace", "d")))
                .isEqualTo(new ClusterLookup.Wanted("pipeline", "a", "d"));
    }

    @Test
    void refusesWhatIsMissing() {
        assertThat(lookup(Map.of(), Map.of()))
                .isEqualTo(new ClusterLookup.Refused("missing required cluster resolver params: name, namespace"));
        assertThat(lookup(Map.of("name", "a"), Map.of()))
                .isEqualTo(new ClusterLookup.Refused("missing required cluster resolver params: namespace"));
        assertThat(lookup(Map.of("kind", "pod"), Map.of()))
                .isEqualTo(new ClusterLookup.Refused("unknown or unsupported resource kind 'pod'"));
        assertThat(ClusterLookup.of(_ -> "", Map.of(), false))
                .isEqualTo(new ClusterLookup.Refused(
                        "cannot handle resolution request, enable-cluster-resolver feature flag not true"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', emptyValue = "", textBlock = """
                    ''    | ''   | ''
                    n     | ''   | ''
                    'a,n' | '*'  | ''
                    a     | ''   | access to specified namespace n is not allowed
                    ''    | n    | access to specified namespace n is blocked
                    n     | n    | access to specified namespace n is blocked
                    ''    | '*'  | only explicit allowed access to namespaces is allowed
                    """)
    void looksOnlyWhereItMay(String allowed, String blocked, String why) {
        var found = lookup(
                Map.of("name", "x", "namespace", "n"),
                Map.of("allowed-namespaces", allowed, "blocked-namespaces", blocked));

        assertThat(found)
                .isEqualTo(why.isEmpty() ? new ClusterLookup.Wanted("task", "x", "n") : new ClusterLookup.Refused(why));
    }
}

package dev.towtank.node.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NamedNodeTest {

    @Test
    void isANameWithLabels() {
        assertThat(NamedNode.parse("worker-1")).isEqualTo(new NamedNode("worker-1", Map.of()));
        assertThat(NamedNode.parse("worker-1:node-type=worker-1,example.com/disk=,zone=a"))
                .isEqualTo(new NamedNode(
                        "worker-1", Map.of("node-type", "worker-1", "example.com/disk", "", "zone", "a")));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            ''            | "" is no name of a node: a lowercase RFC 1123 subdomain
            Worker        | "Worker" is no name of a node: a lowercase RFC 1123 subdomain
            w:            | "" is no label: write LABEL=VALUE
            w:a=1,b       | "b" is no label: write LABEL=VALUE
            w:=1          | "=1" is no label: name part must be non-empty
            w:a=-         | "a=-" is no label: a valid label must be
            """)
    void saysWhatIsWrong(String text, String message) {
        assertThatThrownBy(() -> NamedNode.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(message);
    }
}

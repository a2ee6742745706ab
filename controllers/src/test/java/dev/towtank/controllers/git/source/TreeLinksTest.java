package dev.towtank.controllers.git.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TreeLinksTest {
    private static final SortedMap<String, byte[]> FILES =
            new TreeMap<>(Map.of("a/x.yaml", bytes("x"), "a/b/y.yaml", bytes("y"), "z.yaml", bytes("z")));

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static Map<String, byte[]> followed(Map<String, String> links) throws IOException {
        return TreeLinks.followed(FILES, links, 100);
    }

    @ParameterizedTest
    @CsvSource({
        "a/l.yaml, ../z.yaml, a/l.yaml",
        "l, a, l/b/y.yaml",
        "l, ./a/../a/b, l/y.yaml",
        "a/b/up, .., a/b/up/x.yaml",
        "a/all, .., a/all/z.yaml"
    })
    void areWhatTheyLeadTo(String link, String target, String file) throws IOException {
        assertThat(followed(Map.of(link, target))).containsKey(file).containsKeys("a/x.yaml", "z.yaml");
    }

    @Test
    void leadOverOthers() throws IOException {
        assertThat(followed(Map.of("one", "two", "two", "three", "three", "z.yaml")))
                .containsEntry("one", FILES.get("z.yaml"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/etc/passwd", "../x", "a/../../x", "nowhere", "l", "a/x.yaml/more"})
    void thatLeadOutOrToNothingAreLeftOut(String target) throws IOException {
        assertThat(followed(Map.of("l", target))).isEqualTo(FILES);
    }

    @Test
    void makeNoMoreFilesThanThereMayBe() {
        var links = new TreeMap<>(Map.of("a/1", "..", "a/2", "..", "a/3", ".."));

        assertThatThrownBy(() -> TreeLinks.followed(FILES, links, 8))
                .hasMessage("the link a/2 makes more than 8 files");
    }
}

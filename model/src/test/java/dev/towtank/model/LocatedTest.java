package dev.towtank.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

final class LocatedTest {

    private static List<Located.Document> read(String text) {
        var found = new ArrayList<Located.Document>();
        YamlText.locate(text, 1, found::add);
        return found;
    }

    private static Located root(String text) {
        return read(text).getFirst().root();
    }

    @Test
    void tellsWhereKeysAndValuesStand() {
        var root = root("""
                kind: Task
                spec:
                  steps:
                  - name: "one"
                """);

        var name = Objects.requireNonNull(root.list("spec", "steps").getFirst().field("name"));
        assertThat(name.start()).isEqualTo(new Located.Mark(4, 5));
        assertThat(name.end()).isEqualTo(new Located.Mark(4, 9));
        assertThat(name.value().start()).isEqualTo(new Located.Mark(4, 11));
        assertThat(name.value().end()).isEqualTo(new Located.Mark(4, 16));
        assertThat(name.value().style()).isEqualTo(Located.Style.DOUBLE_QUOTED);
        assertThat(root.text("kind")).isEqualTo("Task");
    }

    @Test
    void startsBlocksOfTextAtTheirIndicator() {
        var script = Objects.requireNonNull(root("script: |\n  one\n  two\n").at("script"));

        assertThat(script.style()).isEqualTo(Located.Style.LITERAL);
        assertThat(script.start()).isEqualTo(new Located.Mark(1, 9));
        assertThat(script.json()).isEqualTo(Json.of("one\ntwo\n"));
    }

    @Test
    void countsLinesAcrossDocumentsAndWindowsLineEnds() {
        var documents = read("---\r\na: 1\r\n---\r\n---\r\nb: 2\r\n");

        assertThat(documents).hasSize(2);
        assertThat(documents.getLast().root().start().line()).isEqualTo(5);
    }

    @Test
    void beginsAtTheLineItIsTold() {
        var found = new ArrayList<Located.Document>();
        YamlText.locate("a: 1", 40, found::add);

        assertThat(found.getFirst().root().start()).isEqualTo(new Located.Mark(40, 1));
    }

    @Test
    void findsMergedFieldsWhereTheirAnchorIs() {
        var root = root("""
                base: &base {a: 1, b: 2}
                more: &more {c: 3}
                both:
                  <<: [*base, *more]
                  b: 4
                """);

        var both = Objects.requireNonNull(root.at("both"));
        assertThat(both.json()).isEqualTo(JsonText.parse("{\"b\": 4, \"a\": 1, \"c\": 3}"));
        assertThat(both.fields().keySet()).containsExactlyInAnyOrder("a", "b", "c");
        assertThat(Objects.requireNonNull(both.field("a")).start().line()).isEqualTo(1);
        assertThat(Objects.requireNonNull(both.field("b")).start().line()).isEqualTo(5);
    }

    @Test
    void tellsEveryKeyThatStandsTwice() {
        var document = read("a: 1\nb: {c: 1, c: 2}\na: 3\n").getFirst();

        assertThat(document.duplicates())
                .containsExactlyInAnyOrder(
                        new Located.Duplicate("c", new Located.Mark(2, 5), new Located.Mark(2, 11)),
                        new Located.Duplicate("a", new Located.Mark(1, 1), new Located.Mark(3, 1)));
        assertThat(document.root().json()).isEqualTo(JsonText.parse("{\"a\": 3, \"b\": {\"c\": 2}}"));
    }

    @Test
    void givesWhatCameBeforeAMistake() {
        var found = new ArrayList<Located.Document>();

        assertThatThrownBy(() -> YamlText.locate("a: 1\n---\nb: [\n", 1, found::add))
                .isInstanceOf(JsonText.Malformed.class);
        assertThat(found).hasSize(1);
    }

    @Test
    void readsJsonWithTabs() {
        assertThat(root("{\n\t\"a\": [1, 2]\n}").list("a")).hasSize(2);
    }
}

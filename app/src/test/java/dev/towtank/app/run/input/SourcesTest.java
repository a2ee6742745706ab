package dev.towtank.app.run.input;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SourcesTest {
    @TempDir
    Path temp;

    private Path file(String text) throws IOException {
        return Files.writeString(temp.resolve("file.yaml"), text);
    }

    private static String problem(Path... paths) {
        try {
            Sources.read(List.of(paths));
        } catch (BadInput e) {
            return String.valueOf(e.getMessage());
        }
        throw new AssertionError("no problem was found");
    }

    @Test
    void severalDocumentsKnowTheirLines() throws IOException {
        var documents = Sources.read(List.of(file("""
                # a comment
                ---
                apiVersion: v1
                kind: ConfigMap
                metadata: {name: one}
                ---
                ---
                # another

                apiVersion: v1
                kind: ConfigMap
                metadata: {name: two}
                """)));

        assertThat(documents)
                .extracting(Document::name, Document::line)
                .containsExactly(tuple("one", 3), tuple("two", 10));
    }

    @Test
    void theItemsOfAListKnowTheirLines() throws IOException {
        var list = """
                kind: Other
                apiVersion: v1
                metadata: {name: before}
                ---
                apiVersion: v1
                kind: List
                items:
                - apiVersion: v1
                  kind: ConfigMap
                  metadata: {name: one}
                - apiVersion: v1
                  kind: List
                  items:
                  - {apiVersion: v1, kind: ConfigMap, metadata: {name: two}}
                -
                  apiVersion: v1
                  kind: ConfigMap
                  metadata: {name: three}
                """;

        assertThat(Sources.read(List.of(file(list))))
                .extracting(Document::name, Document::line)
                .containsExactly(tuple("before", 1), tuple("one", 8), tuple("two", 14), tuple("three", 16));
        assertThat(problem(file(list.replace("metadata: {name: three}", ""))))
                .endsWith("file.yaml:16: the ConfigMap has no metadata.name");
    }

    @Test
    void aListInJsonKnowsTheLinesOfItsItems() throws IOException {
        var list = """
                {"kind": "List", "apiVersion": "v1", "items": [
                	{"kind": "ConfigMap", "apiVersion": "v1",
                	 "metadata": {"name": "one"}},
                	{"kind": "ConfigMap", "apiVersion": "v1", "metadata": {"name": "two"}}
                ]}
                """;

        assertThat(Sources.read(List.of(file(list))))
                .extracting(Document::name, Document::line)
                .containsExactly(tuple("one", 2), tuple("two", 4));
    }

    @Test
    void aMarkInsideOfATextIsNoNewDocument() throws IOException {
        var documents = Sources.read(List.of(file("""
                apiVersion: v1
                kind: ConfigMap
                metadata: {name: one}
                data:
                  text: |
                    ---
                    still the text
                """)));

        assertThat(documents).hasSize(1);
        assertThat(documents.getFirst().json().string("data", "text")).isEqualTo("---\nstill the text\n");
    }

    @Test
    void windowsLineEndsAndAByteOrderMarkAreFine() throws IOException {
        var text = "\uFEFF" + """
                apiVersion: v1
                kind: ConfigMap
                metadata:
                  name: one
                ---
                apiVersion: v1
                kind: ConfigMap
                metadata:
                  name: two
                """.replace("\n", "\r\n");

        assertThat(Sources.read(List.of(file(text)))).extracting(Document::name).containsExactly("one", "two");
    }

    @Test
    void anchorsAndMergeKeysAreRead() throws IOException {
        var documents = Sources.read(List.of(file("""
                apiVersion: v1
                kind: ConfigMap
                metadata: {name: one}
                data: &data {a: "1"}
                more:
                  <<: *data
                  b: "2"
                """)));

        assertThat(documents.getFirst().json().string("more", "a")).isEqualTo("1");
    }

    @Test
    void olderVersionsOfTektonBecomeTheNewest() throws IOException {
        var documents = Sources.read(List.of(file("""
                apiVersion: tekton.dev/v1beta1
                kind: Task
                metadata: {name: one}
                spec: {steps: [{name: a, image: busybox}]}
                """)));

        assertThat(documents.getFirst().json().string("apiVersion")).isEqualTo("tekton.dev/v1");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            'a: 1\\n\\tb: 2'              | :2:1: found a tab: YAML wants spaces for indentation
            'a: {{ .Values.x }}-y'       | :1: this is a template, not YAML: render it first, as with 'helm template'
            'kind: A\\nmetadata: {name: x}' | :1: the object has no apiVersion
            'apiVersion: v1\\nmetadata: {name: x}' | :1: the object has no kind
            'apiVersion: v1\\nkind: A'    | :1: the A has no metadata.name
            'a: {{ revision }}-y'        | :1: {{ revision }} is for Pipelines-as-Code to fill in: 'towtank pac run' runs
            'apiVersion: v1\\nkind: A\\nmetadata: {name: n}' | :1: metadata.name of the A is read as false, which is no text: put it in quotes
            '- a'                        | :1: expected an object with apiVersion and kind
            'text'                       | :1: expected an object with apiVersion and kind
            '# nothing'                  | : the file has no object in it
            ''                           | : the file has no object in it
            '# x\\n---\\nb: [1, 2\\nc: 3' | :4:2:
            'a: 1\\nb: "never closed\\nc: 3' | :2:4: found unexpected end of stream while scanning a quoted scalar
            """)
    void whatCannotBeReadIsToldWithItsLine(String text, String problem) throws IOException {
        var file = file(text.replace("\\n", "\n").replace("\\t", "\t"));

        assertThat(problem(file)).startsWith(file + problem.replace("\\t", "\\t"));
    }

    @Test
    void tabsAreExplained() throws IOException {
        assertThat(problem(file("a:\n\tb: 1\n"))).endsWith("found a tab: YAML wants spaces for indentation");
    }

    @Test
    void lintShowsWhatThisOnlyTells() throws IOException {
        var file = file("a: [1, 2\nb: 3\n");

        assertThat(problem(file)).endsWith(". 'towtank lint " + file + "' shows the line");
    }

    @Test
    void aFileThatIsNotThereIsNamed() {
        assertThat(problem(temp.resolve("nope.yaml")))
                .isEqualTo(temp.resolve("nope.yaml") + ": there is no such file or directory");
    }

    @Test
    void textThatIsNotUnicodeIsRefused() throws IOException {
        var file = Files.write(temp.resolve("x.yaml"), "a: ä".getBytes(StandardCharsets.ISO_8859_1));

        assertThat(problem(file)).isEqualTo(file + ": the file is not UTF-8 text");
    }

    @Test
    void aDirectoryIsReadInTheOrderOfNamesWithoutWhatIsNoYaml() throws IOException {
        for (var name : List.of("b", "a")) {
            Files.writeString(
                    temp.resolve(name + ".yml"), "{apiVersion: v1, kind: ConfigMap, metadata: {name: " + name + "}}");
        }
        Files.writeString(temp.resolve("README.md"), "# not: [yaml");
        Files.writeString(temp.resolve("empty.yaml"), "");

        assertThat(Sources.read(List.of(temp))).extracting(Document::name).containsExactly("a", "b");
    }

    @Test
    void aDirectoryWithoutYamlIsRefused() {
        assertThat(problem(temp)).startsWith(temp + ": the directory has no .yaml");
    }

    @Test
    void aDirectoryWithTooManyFilesIsRefused() throws IOException {
        for (int i = 0; i <= 1000; i++) {
            Files.createFile(temp.resolve(i + ".yaml"));
        }

        assertThat(problem(temp))
                .isEqualTo(temp + ": the directory has more than 1000 YAML files: name those that belong to the run");
    }

    @Test
    void anObjectThatIsThereTwiceIsRefused() throws IOException {
        var file = file("""
                {apiVersion: v1, kind: ConfigMap, metadata: {name: one}}
                """.replace("{a", "a")
                .replace("one}}", "one}")
                .replace(", k", "\nk")
                .replace(", m", "\nm"));
        var other = Files.copy(file, temp.resolve("other.yaml"));

        assertThat(problem(file, other))
                .isEqualTo(other + ":1: ConfigMap one is also in " + file + ":1: leave one of them out");
    }

    @Test
    void allProblemsAreToldAtOnce() throws IOException {
        var bad = file("a: [");

        assertThatThrownBy(() -> Sources.read(List.of(bad, temp.resolve("nope"))))
                .isInstanceOfSatisfying(
                        BadInput.class,
                        problem -> assertThat(problem.problems()).hasSize(2));
    }
}

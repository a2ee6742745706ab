package dev.towtank.app.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.towtank.model.Json;
import dev.towtank.model.YamlText;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KubectlLineTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            get pods -n x -ojson              | get  | [pods]       | {--namespace=[x], --output=[json]}
            -n=x get pods                     | get  | [pods]       | {--namespace=[x]}
            logs -f web -c main               | logs | [web]        | {--container=[main], --follow=[true]}
            apply -f a.yaml --filename=b.yaml | apply | []          | {--filename=[a.yaml, b.yaml]}
            delete pod web --wait=false       | delete | [pod, web] | {--wait=[false]}
            label pod web a=b c- -- -x        | label | [pod, web, a=b, c-, -x] | {}
            """)
    void readsACommandLine(String line, String verb, String words, String flags) {
        var parsed = KubectlLine.parse(List.of(line.split(" ")));
        assertThat(parsed.verb()).isEqualTo(verb);
        assertThat(parsed.words()).hasToString(words);
        assertThat(new TreeMap<>(parsed.flags())).hasToString(flags);
    }

    @Test
    void refusesWhatItDoesNotKnow() {
        assertThatThrownBy(() -> KubectlLine.parse(List.of("get", "--watch")))
                .hasMessageContaining("unknown flag: --watch");
        assertThatThrownBy(() -> KubectlLine.parse(List.of("get", "-n")))
                .hasMessage("flag needs an argument: --namespace");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {.status.phase}                                        | Running
            phase={.status.phase}{"\\n"}                           | `phase=Running\n`
            {.status.conditions[?(@.type=="Ready")].status}        | True
            {.status.conditions[*].type}                           | Ready Other
            {.metadata.annotations.a\\.b/c}                        | d
            {status.phase} {.absent} {.spec}                       | Running  {"count":1}
            """, quoteCharacter = '`')
    void fillsTemplates(String template, String expected) {
        var object = (Json.Obj) YamlText.parse("""
                metadata: {annotations: {a.b/c: d}}
                spec: {count: 1}
                status: {phase: Running, conditions: [{type: Ready, status: "True"}, {type: Other, status: "False"}]}
                """);
        assertThat(JsonPathTemplate.parse(template).of(object)).isEqualTo(expected.replace("\\n", "\n"));
    }

    @Test
    void knowsWhatToWaitFor() {
        var ready = (Json.Obj) YamlText.parse("status: {phase: Up, conditions: [{type: Ready, status: \"True\"}]}");
        assertThat(KubectlWait.condition("condition=ready").test(ready)).isTrue();
        assertThat(KubectlWait.condition("condition=Ready=false").test(ready)).isFalse();
        assertThat(KubectlWait.condition("jsonpath={.status.phase}=Up").test(ready))
                .isTrue();
        assertThat(KubectlWait.condition("jsonpath={.status.none}").test(ready)).isFalse();
        assertThat(KubectlWait.condition("delete").test(ready)).isFalse();
        assertThatThrownBy(() -> KubectlWait.condition("luck")).hasMessageContaining("unrecognized condition");
        assertThatThrownBy(() -> JsonPathTemplate.parse("{range .items[*]}"))
                .hasMessageContaining("error parsing jsonpath");
    }
}

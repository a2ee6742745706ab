package dev.towtank.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class YamlTextTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            0644                 | 420
            0o644                | 420
            0x1F                 | 31
            0xffffffffffffffffff | "0xffffffffffffffffff"
            -0xffffffffffffffff  | "-0xffffffffffffffff"
            0o7777777777777777777777777 | "0o7777777777777777777777777"
            0b101                | 5
            1_000                | 1000
            -7                   | -7
            +7                   | 7
            089                  | 89
            1.0                  | 1
            1e3                  | 1000
            1.5                  | 1.5
            .5                   | 0.5
            18446744073709551616 | 18446744073709551616
            yes                  | true
            On                   | true
            n                    | false
            off                  | false
            ~                    | null
            `null`               | null
            2001-12-14           | "2001-12-14"
            2026-01-01T00:00:00Z | "2026-01-01T00:00:00Z"
            12:30:45             | "12:30:45"
            1.2.3                | "1.2.3"
            100m                 | "100m"
            "yes"                | "yes"
            '0644'               | "0644"
            !!str 12             | "12"
            !!string 12          | "12"
            !secret 12           | "12"
            !Ref {a: 1}          | {"a":1}
            !!int "12"           | 12
            !!binary aGVsbG8=    | "hello"
            -                    | [null]
            """)
    void scalarsMeanWhatTheyMeanToKubernetes(String yaml, String json) {
        assertThat(YamlText.parse(yaml)).isEqualTo(JsonText.parse(json));
    }

    @Test
    void readsAManifest() {
        var yaml = """
                apiVersion: v1
                kind: ConfigMap
                metadata: {name: web, labels: {on: "x", 1: y}}
                data:
                  script: |
                    #!/bin/sh
                    echo hi
                  folded: >-
                    one
                    two
                """;
        assertThat(YamlText.parse(yaml)).isEqualTo(JsonText.parse("""
                {"apiVersion":"v1","kind":"ConfigMap",
                 "metadata":{"name":"web","labels":{"true":"x","1":true}},
                 "data":{"script":"#!/bin/sh\\necho hi\\n","folded":"one two"}}"""));
    }

    /// Time differs from machine to machine, what is allocated does not: each way to write a long value in proportion.
    @ParameterizedTest
    @ValueSource(strings = {"%s", "'%s'", "\"%s\"", "|\n  %s", ">\n  %s", "b # %s", "&%s b"})
    void readsOneLongValueInProportionToItsLength(String style) {
        var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        var text = "a: " + style.formatted("x".repeat(2_900_000)) + "\n";
        long before = threads.getCurrentThreadAllocatedBytes();

        assertThat(YamlText.parse(text)).isInstanceOf(Json.Obj.class);

        assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(100L * text.length());
    }

    @Test
    void mergesKeysAndSharesAliases() {
        var yaml = """
                base: &base {a: 1, b: 2}
                more: &more {b: 3, c: 4}
                one: {<<: *base, b: 5}
                two: {<<: [*base, *more]}
                same: *base
                """;
        assertThat(YamlText.parse(yaml)).isEqualTo(JsonText.parse("""
                {"base":{"a":1,"b":2},"more":{"b":3,"c":4},"one":{"a":1,"b":5},"two":{"a":1,"b":2,"c":4},
                 "same":{"a":1,"b":2}}"""));
    }

    @Test
    void readsTheFirstOfManyAndLooksNoFurther() {
        var keys = new ArrayList<String>();

        assertThat(YamlText.first("a: 1\na: 2\n---\nb: [\n".getBytes(StandardCharsets.UTF_8), keys::add))
                .isEqualTo(Json.Obj.of("a", Json.of(2)));
        assertThat(keys).containsExactly("line 2: key \"a\" already set in map");
        assertThat(YamlText.first("# nothing".getBytes(StandardCharsets.UTF_8), keys::add))
                .isEqualTo(Json.Null.NULL);
    }

    @Test
    void readsManyDocumentsAndLeavesOutEmptyOnes() {
        assertThat(YamlText.parseAll("# nothing\n---\na: 1\n---\n---\nb: 2\n...\n---\n# end\n"))
                .isEqualTo(List.of(JsonText.parse("{\"a\":1}"), JsonText.parse("{\"b\":2}")));
        assertThat(YamlText.parseAll("")).isEmpty();
        assertThat(YamlText.parse("")).isEqualTo(Json.Null.NULL);
        assertThatThrownBy(() -> YamlText.parse("a: 1\n---\nb: 2\n")).hasMessageContaining("single document");
    }

    @Test
    void readsACommentRightBehindTheSignOfABlock() {
        assertThat(YamlText.parse("a: |# why\n  b # c\n  |#d\ne: >-#\n  f\n"))
                .isEqualTo(YamlText.parse("a: |\n  b # c\n  |#d\ne: >-\n  f\n"));
    }

    @Test
    void readsATabBehindAKey() {
        assertThat(YamlText.parse("a: \tb\nc:\td\ne: |\n  f:\tg\n"))
                .isEqualTo(YamlText.parse("a: b\nc: d\ne: \"f:\\tg\\n\"\n"));
        assertThatThrownBy(() -> YamlText.parse("a:\n\t- b\n")).hasMessageContaining("line 2");
    }

    @Test
    void readsJsonEvenWithTabs() {
        assertThat(YamlText.parse("{\n\t\"a\":\t[1]\n}")).isEqualTo(JsonText.parse("{\"a\":[1]}"));
        assertThat(YamlText.parse("{a: [b]}")).isEqualTo(JsonText.parse("{\"a\":[\"b\"]}"));
    }

    @Test
    void skipsAByteOrderMark() {
        assertThat(YamlText.parse("\uFEFFa: 1".getBytes(StandardCharsets.UTF_8)))
                .isEqualTo(JsonText.parse("{\"a\":1}"));
    }

    @Test
    void refusesOrTellsDuplicateKeys() {
        var yaml = "a: 1\nb:\n  c: 1\n  c: 2\n";
        assertThatThrownBy(() -> YamlText.parse(yaml)).hasMessage("yaml: line 4: key \"c\" already set in map");
        var told = new ArrayList<String>();
        assertThat(YamlText.parse(yaml.getBytes(StandardCharsets.UTF_8), told::add))
                .isEqualTo(JsonText.parse("{\"a\":1,\"b\":{\"c\":2}}"));
        assertThat(told).containsExactly("line 4: key \"c\" already set in map");
    }

    /// As `UnmarshalStrict` of sigs.k8s.io/yaml says it: the line is that of the value, inner keys come first.
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            a: 1;a: 2                     | line 2: key "a" already set in map
            a: {b: 1};a:;  b: 2           | line 3: key "a" already set in map
            a: 1;a:;b: 1                  | line 2: key "a" already set in map
            a: [{b: 1, b: 1}]             | line 1: key "b" already set in map
            1: x;1: y                     | line 2: key 1 already set in map
            true: x;true: y               | line 2: key true already set in map
            a: 1;a: {b: 1, b: 2}          | line 2: key "b" already set in map, line 2: key "a" already set in map
            a: 1;a: 2;a: 3                | line 2: key "a" already set in map, line 3: key "a" already set in map
            {"a": {"b": 1,;\t"b": 2}}     | line 2: key "b" already set in map
            {"a": 1, "a": 2}              | line 1: key "a" already set in map
            """)
    void tellsDuplicateKeysAsKubernetesDoes(String yaml, String expected) {
        var told = new ArrayList<String>();
        YamlText.parse(yaml.replace(';', '\n').replace("\\t", "\t").getBytes(StandardCharsets.UTF_8), told::add);
        assertThat(String.join(", ", told)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            a: b: c      | yaml: line 1, column 5: mapping values are not allowed here
            a: [1        | yaml: line 1, column
            a: .inf      | yaml: line 1, column 4: JSON has no number .inf
            a: *missing  | yaml: line 1, column
            ? [1]        | yaml: line 1, column 3: a key must be
            &a [*a]      | yaml: line 1, column 1: anchor contains itself
            {<<: 5}      | yaml: line 1, column 6: map merge requires
            """)
    void saysWhereAndWhatIsWrong(String yaml, String message) {
        assertThatThrownBy(() -> YamlText.parse(yaml))
                .isInstanceOf(JsonText.Malformed.class)
                .hasMessageStartingWith(message);
    }

    @Test
    void refusesEscapesWithoutDigits() {
        assertThatThrownBy(() -> YamlText.parse("a: \"\\x\"")).isInstanceOf(JsonText.Malformed.class);
    }

    @Test
    void refusesBombs() {
        var bomb = new StringBuilder("a0: &a0 [x]\n");
        for (int i = 1; i < 30; i++) {
            bomb.append("a%d: &a%d [*a%d, *a%d]\n".formatted(i, i, i - 1, i - 1));
        }
        assertThatThrownBy(() -> YamlText.parse(bomb.toString())).hasMessageContaining("more than 1000000 values");
        assertThatThrownBy(() -> YamlText.parse("[".repeat(100_000))).isInstanceOf(JsonText.Malformed.class);
        assertThatThrownBy(() -> YamlText.parse(new byte[] {(byte) 0xff})).hasMessageContaining("UTF-8");
    }

    @Test
    void writesAsKubectlShows() {
        var json = JsonText.parse("""
                {"apiVersion":"v1","metadata":{"labels":{},"name":"web","owners":[]},
                 "spec":{"containers":[{"name":"a","args":["--x","- y","a: b",""],"env":[{"name":"LOG","value":"1"}]}],
                 "text":"one\\ntwo\\n","strip":"one\\n  two","nested":[[1,2],[{"a":null}]],"flag":true,"answer":"yes",
                 "mode":420,"half":0.5,"tab":"a\\tb","date":"2026-01-01"}}""");
        assertThat(YamlText.write(json)).isEqualTo("""
                apiVersion: v1
                metadata:
                  labels: {}
                  name: web
                  owners: []
                spec:
                  containers:
                  - name: a
                    args:
                    - --x
                    - '- y'
                    - 'a: b'
                    - ""
                    env:
                    - name: LOG
                      value: "1"
                  text: |
                    one
                    two
                  strip: |-
                    one
                      two
                  nested:
                  - - 1
                    - 2
                  - - a: null
                  flag: true
                  answer: "yes"
                  mode: 420
                  half: 0.5
                  tab: "a\\tb"
                  date: "2026-01-01"
                """);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "a ",
                " a",
                "- a",
                "-",
                "?",
                ":",
                "a:",
                "a: b",
                "a #b",
                "#a",
                "'",
                "\"",
                "\\",
                "@a",
                "`",
                "%",
                "---",
                "--- a",
                "...",
                "<<",
                "=",
                "~",
                "null",
                "yes",
                "y",
                "0644",
                "1_0",
                "1e3",
                ".inf",
                ".nan",
                "0x1",
                "\n",
                "\n\n",
                "a\n",
                "a\n\n",
                "\na",
                " a\nb",
                "a \nb",
                "a\nb ",
                "a\tb\nc",
                "\u0007",
                "\u2028",
                "é",
                "😀",
                "12:30",
                "2001-01-01",
                "[a]",
                "{a}",
                "&a",
                "*a",
                "!a",
                "|",
                ">",
                "a,b",
                "a\r\nb",
                "\uFEFF",
                "true",
                "+"
            })
    void whatIsWrittenReadsBackTheSame(String text) {
        var json = Json.Obj.of("k", Json.of(text), "l", Json.Arr.of(Json.of(text), Json.of("end")));
        assertThat(YamlText.parse(YamlText.write(json))).isEqualTo(json);
        assertThat(YamlText.parse(YamlText.write(Json.of(text)))).isEqualTo(Json.of(text));
        var key = Json.Obj.of("a", Json.Obj.of(text, Json.of(1)), "b" + text.repeat(200), Json.of(true));
        assertThat(YamlText.parse(YamlText.write(key))).isEqualTo(key);
    }

    @Test
    void stopsWhereNobodyWaitsForTheText() {
        var text = ("a: [" + "x,".repeat(10_000) + "]").getBytes(StandardCharsets.UTF_8);
        var looks = new AtomicInteger();

        assertThatThrownBy(() -> YamlText.first(text, _ -> {}, () -> looks.incrementAndGet() > 2))
                .isInstanceOf(JsonText.Malformed.class)
                .hasMessageContaining("nobody waits");

        assertThat(looks).hasValue(3);
    }

    @Test
    void aSingleQuoteMayBeEscaped() {
        assertThat(YamlText.parse("it: \"isn\\'t\"")).isEqualTo(YamlText.parse("it: isn't"));
    }
}

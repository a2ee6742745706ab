package dev.towtank.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RecordsTest {

    enum Policy implements Records.Wire {
        UNSET(""),
        ALWAYS("Always"),
        IF_NOT_PRESENT("IfNotPresent");

        private final String wire;

        Policy(String wire) {
            this.wire = wire;
        }

        @Override
        public String wire() {
            return wire;
        }
    }

    enum Color {
        Red,
        Blue
    }

    record Port(String name, int port) {}

    record Template(List<Port> ports, Optional<Template> inner) {}

    record Spec(
            long replicas,
            Optional<Long> limit,
            double ratio,
            boolean paused,
            Policy policy,
            Optional<Color> color,
            List<String> args,
            Map<String, String> labels,
            Map<String, List<Long>> numbers,
            Template template,
            Json anything,
            Json.Obj raw,
            @Records.Field("default") String fallback,
            @Records.Field("class") Optional<String> type) {}

    record Times(Optional<Instant> at, @Records.Micro Optional<Instant> renewTime) {}

    record Whole(String apiVersion, Spec spec, Times status) {}

    private static final String FULL = """
            {"apiVersion":"v1","spec":{"replicas":3,"limit":0,"ratio":0.5,"paused":true,"policy":"IfNotPresent",
            "color":"Blue","args":["a","b"],"labels":{"z":"1","a":"2"},"numbers":{"n":[1,2]},
            "template":{"ports":[{"name":"http","port":80}],"inner":{"ports":[{"port":1}]}},
            "anything":[1,"x",null],"raw":{"k":{}},"default":"fall","class":""},
            "status":{"at":"2026-01-31T23:59:59Z","renewTime":"2026-01-31T23:59:59.123456Z"}}
            """;

    @Test
    void readsEveryKindOfComponent() {
        var whole = Records.read(Whole.class, JsonText.parse(FULL));

        assertThat(whole.spec().limit()).contains(0L);
        assertThat(whole.spec().policy()).isEqualTo(Policy.IF_NOT_PRESENT);
        assertThat(whole.spec().color()).contains(Color.Blue);
        assertThat(whole.spec().labels()).containsExactly(Map.entry("z", "1"), Map.entry("a", "2"));
        assertThat(whole.spec().numbers()).isEqualTo(Map.of("n", List.of(1L, 2L)));
        assertThat(whole.spec().template().inner().orElseThrow().ports()).containsExactly(new Port("", 1));
        assertThat(whole.spec().anything()).isEqualTo(JsonText.parse("[1,\"x\",null]"));
        assertThat(whole.spec().fallback()).isEqualTo("fall");
        assertThat(whole.spec().type()).contains("");
        assertThat(whole.status().at()).contains(Instant.parse("2026-01-31T23:59:59Z"));
    }

    @Test
    void writesWhatItRead() {
        var json = JsonText.parse(FULL);

        assertThat(Records.write(Records.read(Whole.class, json))).isEqualTo(json);
    }

    @Test
    void readsMissingFieldsAsZeroValuesAndWritesNoneOfThem() {
        var whole = Records.read(Whole.class, Json.Obj.EMPTY);

        assertThat(whole.spec().replicas()).isZero();
        assertThat(whole.spec().args()).isEmpty();
        assertThat(whole.spec().policy()).isEqualTo(Policy.UNSET);
        assertThat(whole.spec().template().inner()).isEmpty();
        assertThat(Records.write(whole)).isEqualTo(Json.Obj.EMPTY);
    }

    @Test
    void readsNullAsMissing() {
        var json = JsonText.parse("{\"spec\":{\"replicas\":null,\"args\":null,\"limit\":null,\"template\":null}}");

        assertThat(Records.read(Whole.class, json)).isEqualTo(Records.read(Whole.class, Json.Obj.EMPTY));
    }

    @Test
    void ignoresUnknownFields() {
        var json = JsonText.parse("{\"name\":\"web\",\"protocol\":\"TCP\"}");

        assertThat(Records.read(Port.class, json)).isEqualTo(new Port("web", 0));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {"spec":{"replicas":"three"}}                     | spec.replicas: expected a number, found "three"
            {"spec":{"replicas":1.5}}                         | spec.replicas: expected a number, found 1.5
            {"spec":{"args":["a",7]}}                         | spec.args[1]: expected a string, found 7
            {"spec":{"args":{}}}                              | spec.args: expected a list, found an object
            {"spec":{"args":[null]}}                          | spec.args[0]: expected a string, found nothing
            {"spec":{"labels":{"a.b/c":true}}}                | spec.labels[a.b/c]: expected a string, found true
            {"spec":{"numbers":{"n":[1,"x"]}}}                | spec.numbers[n][1]: expected a number, found "x"
            {"spec":{"template":{"ports":[{"port":5e9}]}}}    | spec.template.ports[0].port: expected a number of 32 bits, found 5000000000
            {"spec":{"template":[]}}                          | spec.template: expected an object, found a list
            {"spec":{"paused":"yes"}}                         | spec.paused: expected true or false, found "yes"
            {"spec":{"color":"Green"}}                        | spec.color: expected one of Blue, Red, found "Green"
            {"spec":{"raw":[]}}                               | spec.raw: expected an object, found a list
            {"spec":{"limit":[]}}                             | spec.limit: expected a number, found a list
            {"status":{"at":"yesterday"}}                     | status.at: expected a time such as 2026-01-31T23:59:59Z, found "yesterday"
            []                                                | expected an object, found a list
            """)
    void namesThePathOfWhatIsWrong(String json, String message) {
        assertThatThrownBy(() -> Records.read(Whole.class, JsonText.parse(json)))
                .isInstanceOf(Records.Mismatch.class)
                .hasMessage(message);
    }

    @Test
    void showsOnlyTheBeginningOfALongText() {
        var json = Json.Obj.of("port", Json.of("x".repeat(10_000)));

        assertThatThrownBy(() -> Records.read(Port.class, json)).hasMessageMatching(".{0,150}…\"");
    }

    @ParameterizedTest
    @CsvSource({
        "2026-01-31T23:59:59Z,        2026-01-31T23:59:59Z,  2026-01-31T23:59:59.000000Z",
        "2026-02-01T01:59:59.5+02:00, 2026-01-31T23:59:59Z,  2026-01-31T23:59:59.500000Z",
    })
    void writesInstantsInKubernetesPrecision(String text, String seconds, String micros) {
        var times = Records.read(Times.class, Json.Obj.of("at", Json.of(text), "renewTime", Json.of(text)));

        assertThat(Records.write(times)).isEqualTo(Json.Obj.of("at", Json.of(seconds), "renewTime", Json.of(micros)));
    }

    @Test
    void keepsWhatItReadImmutable() {
        var spec = Records.read(Whole.class, JsonText.parse(FULL)).spec();

        assertThatThrownBy(() -> spec.args().add("c")).isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> spec.labels().put("c", "d")).isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void passesATreeThroughAsItIs() {
        var json = JsonText.parseObject(FULL);

        assertThat(Records.read(Json.Obj.class, json)).isSameAs(json);
    }

    record NoZero(Instant at) {}

    record NoZeroEnum(Color color) {}

    record Unreadable(Thread thread) {}

    @Test
    void refusesRecordsThatCannotBeRead() {
        assertThatThrownBy(() -> Records.read(NoZero.class, Json.Obj.EMPTY))
                .hasMessageContaining("NoZero.at has no value for a missing field: declare it as Optional<Instant>");
        assertThatThrownBy(() -> Records.read(NoZeroEnum.class, Json.Obj.EMPTY))
                .hasMessageContaining("declare it as Optional<Color>");
        assertThatThrownBy(() -> Records.read(Unreadable.class, Json.Obj.EMPTY))
                .hasMessageContaining("Unreadable.thread cannot be read from JSON: java.lang.Thread");
        assertThatThrownBy(() -> Records.read(String.class, Json.Obj.EMPTY))
                .hasMessageContaining("java.lang.String is not a record");
    }
}

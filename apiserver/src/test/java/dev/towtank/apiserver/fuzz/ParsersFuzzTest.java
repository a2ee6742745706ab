package dev.towtank.apiserver.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.model.FieldSelector;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.LabelSelector;
import dev.towtank.model.Quantity;
import dev.towtank.model.Schemas;
import dev.towtank.model.StatusError;
import dev.towtank.model.YamlText;
import dev.towtank.model.cel.Expressions;
import dev.towtank.model.cel.Shape;
import dev.towtank.model.patch.JsonPatch;
import dev.towtank.model.patch.MergePatch;
import dev.towtank.model.patch.StrategicMergePatch;
import dev.towtank.model.protobuf.ProtobufReader;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Every parser, with input that is nearly right: it reads it or says what is wrong, and nothing else happens.
class ParsersFuzzTest {

    private static final String POD = """
            {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "web", "labels": {"app": "web", "tier": "a"}},
             "spec": {"containers": [{"name": "main", "image": "nginx:1", "ports": [{"containerPort": 80}],
               "env": [{"name": "A", "value": "x\\u00e9\\n"}], "resources": {"limits": {"cpu": "500m"}}}],
             "volumes": [{"name": "v", "emptyDir": {}}], "terminationGracePeriodSeconds": 1.5e1}}""";

    private static final List<String> JSON = List.of(
            POD,
            "[1, -2.5e-3, true, null, \"\\ud83d\\ude80\"]",
            "{}",
            "[[[[[[[[[[]]]]]]]]]]",
            "{\"a\":{\"a\":{\"a\":1}}}");
    private static final List<String> YAML = List.of(
            "a: &x {b: 1}\nc: *x\nd: |\n  text\n  more\ne: >-\n  folded\n  text\n",
            "---\n- 1\n- 0o17\n- 0x1f\n- 1_000\n- ~\n- 'it''s'\n- \"a\\tb\"\n- !!str 5\n",
            "base: &base {a: 1, b: 2}\nchild:\n  <<: *base\n  b: 3\n",
            "? complex\n: value\nlist:\n- a: 1\n  b: [x, {y: z}]\n# comment\n...\n",
            POD);
    private static final List<String> LABELS = List.of(
            "a=b,c!=d,e in (f,g),h notin (i),j,!k",
            "app.kubernetes.io/name==web",
            "a in (),b",
            "x in (a,b,,c),y=",
            "a>1,b<2");
    private static final List<String> FIELDS =
            List.of("metadata.name=web,status.phase!=Running", "a==b\\,c,d=\\\\", "spec.nodeName=");
    private static final List<String> QUANTITIES =
            List.of("1Gi", "1.5e3", "-100m", "12345678901234567890", "1E", "0.5Ki", "1e-9");
    private static final List<String> CEL = List.of(
            "self.names.all(n, n.size() < 10 && n.matches('^[a-z]+$'))",
            "self.count > 2 ? self.labels['x'] == '1' : has(self.missing)",
            "self.names.map(n, n + '!').filter(n, n != 'a!').join(',').split(',').size() <= 3",
            "duration('5m') < duration('1h') && timestamp('2026-01-01T00:00:00Z').getFullYear() == 2026",
            "quantity('1Gi').isGreaterThan(quantity('1Mi')) && ip('10.0.0.1').family() == 4 && cidr('10.0.0.0/8').containsIP('10.1.1.1')",
            "'%s %d %.2f %x'.format([self.names[0], 3, 2.5, 255]) == 'a' || url('https://a/b').getHost() == 'a'",
            "{'a': [1, 2, 3].sum()}.a == 6 && [1, 2].exists_one(x, x == 1) && type(self.port) == int",
            "self.?missing.orValue('none') == optional.none().orValue('x') || semver('1.2.3').major() == 1");

    private static final Shape.ObjectOf SELF = new Shape.ObjectOf(
            "self",
            Map.of(
                    "count", new Shape.Field("count", Shape.Scalar.INT),
                    "names", new Shape.Field("names", new Shape.ListOf(Shape.Scalar.STRING)),
                    "labels", new Shape.Field("labels", new Shape.MapOf(Shape.Scalar.STRING)),
                    "port", new Shape.Field("port", Shape.Scalar.ANY),
                    "missing", new Shape.Field("missing", Shape.Scalar.STRING)));
    private static final Expressions.Scope SCOPE = Expressions.kubernetes().scope(Map.of("self", SELF));
    private static final Json.Obj VALUE =
            JsonText.parseObject("{\"count\":3,\"names\":[\"a\",\"b\"],\"labels\":{\"x\":\"1\"},\"port\":80}");

    enum Parser {
        JSON_TEXT(20, mutator -> {
            var json = JsonText.parse(mutator.bytes(bytes(mutator.any(JSON)), JSON));
            // 1.5e1 is written as 15, and is a whole number from then on.
            var again = JsonText.parse(JsonText.bytes(json));
            assertThat(JsonText.parse(JsonText.bytes(again))).isEqualTo(again);
            JsonText.pretty(json);
        }),
        /// Parts of texts that are stored, and so were read as a whole before; of others nothing but an end is asked.
        JSON_PARTS(20, mutator -> {
            var text = mutator.bytes(bytes(mutator.any(JSON)), JSON);
            try {
                JsonText.field(text, "spec");
                JsonText.parseWithout(text, "a");
            } catch (JsonText.Malformed e) {
                assertThat(e.getMessage()).isNotEmpty();
            }
            if (JsonText.parse(text) instanceof Json.Obj whole) {
                var stored = JsonText.bytes(whole);
                for (var name : whole.keys()) {
                    assertThat(JsonText.field(stored, name))
                            .contains(JsonText.parseObject(stored).at(name));
                    assertThat(JsonText.parseWithout(stored, name).has(name)).isFalse();
                }
            }
        }),
        YAML_TEXT(4, mutator -> {
            var json = YamlText.parse(mutator.bytes(bytes(mutator.any(YAML)), YAML));
            var again = YamlText.parse(YamlText.write(json));
            assertThat(YamlText.parse(YamlText.write(again))).isEqualTo(again);
        }),
        PROTOBUF(20, mutator -> ProtobufReader.read(mutator.bytes(PROTOBUF_POD, JSON), Schemas.builtin())),
        LABEL_SELECTOR(20, mutator -> {
            var selector = LabelSelector.parse(mutator.text(LABELS));
            assertThat(LabelSelector.parse(selector.toString())).isEqualTo(selector);
            selector.matches(Map.of("a", "b"));
        }),
        FIELD_SELECTOR(20, mutator -> {
            var selector = FieldSelector.parse(mutator.text(FIELDS));
            assertThat(FieldSelector.parse(selector.toString()).requirements())
                    .containsExactlyInAnyOrderElementsOf(selector.requirements());
        }),
        QUANTITY(20, mutator -> {
            try {
                var quantity = Quantity.parse(mutator.text(QUANTITIES));
                assertThat(Quantity.parse(quantity.plus(Quantity.ZERO).toString()))
                        .isEqualByComparingTo(quantity);
            } catch (Quantity.Malformed e) {
                assertThat(e.getMessage()).isNotEmpty();
            }
        }),
        MERGE_PATCH(10, mutator -> {
            var document = (Json.Obj) JsonText.parse(POD);
            if (mutator.changed(document) instanceof Json.Obj patch) {
                var patched = MergePatch.apply(document, patch);
                assertThat(MergePatch.apply(patched, patch)).isEqualTo(patched);
            }
        }),
        JSON_PATCH(10, mutator -> {
            var operations = JsonText.parse("""
                    [{"op": "add", "path": "/spec/containers/-", "value": {"name": "b"}},
                     {"op": "move", "from": "/metadata/labels", "path": "/spec/volumes/0"},
                     {"op": "copy", "from": "/spec", "path": "/spec/a~1b"},
                     {"op": "replace", "path": "/spec/containers/0/image", "value": "x"},
                     {"op": "remove", "path": "/metadata/name"}, {"op": "test", "path": "/kind", "value": "Pod"}]""");
            if (mutator.changed(mutator.changed(operations)) instanceof Json.Arr patch) {
                JsonPatch.apply(JsonText.parse(POD), patch);
            }
        }),
        STRATEGIC_PATCH(10, mutator -> {
            var type = Schemas.builtin().find("v1", "Pod").orElseThrow();
            var document = JsonText.parseObject(POD);
            var patch = JsonText.parseObject("""
                    {"metadata": {"labels": {"$patch": "replace", "x": "y"}},
                     "spec": {"$setElementOrder/containers": [{"name": "b"}, {"name": "main"}],
                       "containers": [{"name": "main", "image": null, "$patch": "delete"}, {"name": "b"}],
                       "$retainKeys": ["containers"], "volumes": [{"$patch": "replace"}, {"name": "w"}]}}""");
            if (mutator.changed(mutator.changed(patch)) instanceof Json.Obj changed) {
                StrategicMergePatch.apply(document, changed, type);
            }
        }),
        EXPRESSION(1, mutator -> {
            try {
                SCOPE.compile(mutator.text(CEL), Shape.Scalar.ANY)
                        .evaluate(Map.of("self", VALUE), Expressions.PER_CALL_LIMIT);
            } catch (Expressions.Malformed e) {
                assertThat(e.text()).isNotEmpty();
            }
        });

        private final int weight;

        @SuppressWarnings("ImmutableEnumChecker") // a function without state
        private final Consumer<Mutator> trial;

        /// @param weight how many times as fast as the slowest it is
        Parser(int weight, Consumer<Mutator> trial) {
            this.weight = weight;
            this.trial = trial;
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /// A Pod with a name, labels and a container.
    private static final byte[] PROTOBUF_POD = Base64.getDecoder()
            .decode(
                    "azhzAAoJCgJ2MRIDUG9kEkAKHAoDd2ViEgAaACIHZGVmYXVsdFoKCgNhcHASA3dlYhIeEhwKBG1haW4SB25naW54OjEaABoAMgQQUBgA"
                            + "QgBqABoAIgA=");

    private static void run(Parser parser, long from, int count) {
        var findings = new Findings();
        boolean enough = false;
        for (long seed = from; seed < from + count && !enough; seed++) {
            try {
                parser.trial.accept(new Mutator(seed));
            } catch (JsonText.Malformed | StatusError e) {
                assertThat(e.getMessage()).isNotEmpty();
            } catch (Throwable e) {
                enough = findings.add(seed, e);
            }
        }
        findings.report();
    }

    @ParameterizedTest
    @EnumSource
    @Timeout(120)
    void readsOrRefuses(Parser parser) {
        run(parser, 0, 100 * parser.weight);
    }

    @ParameterizedTest
    @EnumSource
    @Tag("deep")
    @Timeout(3600)
    void readsOrRefusesForLong(Parser parser) {
        run(parser, Long.getLong("fuzz.from", 1_000_000), Integer.getInteger("fuzz.texts", 50_000) * parser.weight);
    }
}

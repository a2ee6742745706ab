package dev.towtank.model.apply;

import static dev.towtank.model.apply.Scene.yaml;
import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.model.Json;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OwnershipApplyTest {

    @Test
    void creates() {
        var scene = Scene.small().apply("a", """
                apiVersion: example.org/v1
                kind: Thing
                metadata: {name: x, labels: {l: "1"}}
                spec: {size: 1, nested: {a: x}, args: [p, q], whole: {k: v}, tags: [t]}
                """);
        assertThat(scene.live.array("metadata", "managedFields")).isEqualTo(new Json.Arr(List.of(yaml("""
                manager: a
                operation: Apply
                apiVersion: example.org/v1
                time: "2023-11-14T22:13:20Z"
                fieldsType: FieldsV1
                fieldsV1:
                  "f:metadata": {"f:labels": {"f:l": {}}}
                  "f:spec":
                    "f:size": {}
                    "f:nested": {"f:a": {}}
                    "f:args": {}
                    "f:whole": {}
                    "f:tags": {'v:"t"': {}}
                """))));
        assertThat(scene.live.string("metadata", "name")).isEqualTo("x");
    }

    @Test
    void removesWhatIsNoLongerApplied() {
        var scene = Scene.small()
                .apply("a", "spec: {size: 1, nested: {a: x, b: y}, labels: {p: q, r: s}, whole: {k: v}}")
                .apply("a", "spec: {nested: {b: y}, labels: {r: s}}");
        assertThat(scene.spec()).isEqualTo(yaml("{nested: {b: y}, labels: {r: s}}"));
    }

    @Test
    void removesStructsThatBecomeEmpty() {
        var scene = Scene.small()
                .apply("a", "{metadata: {name: x, labels: {l: m}}, spec: {size: 1, nested: {a: x}}}")
                .apply("a", "{metadata: {name: x}, spec: {size: 1}}");
        assertThat(scene.object()).isEqualTo(yaml("{metadata: {name: x}, spec: {size: 1}}"));
    }

    @Test
    void keepsTheSystemsMetadataWhenTheApplierLeavesMetadata() {
        var scene = Scene.small().apply("a", "{metadata: {labels: {l: m}}, spec: {size: 1}}");
        scene.live = scene.live.with(List.of("metadata", "uid"), Json.of("u"));
        scene.apply("a", "spec: {size: 1}");
        assertThat(scene.object()).isEqualTo(yaml("{metadata: {uid: u}, spec: {size: 1}}"));
    }

    @Test
    void keepsWhatAnotherApplierSharesUntilBothLetGo() {
        var scene = Scene.small().apply("a", "spec: {size: 1, name: n}").apply("b", "spec: {size: 1}");
        assertThat(scene.apply("a", "spec: {name: n}").spec()).isEqualTo(yaml("{size: 1, name: n}"));
        assertThat(scene.fields("a")).isEqualTo("""
                {"f:spec":{"f:name":{}}}""");
        assertThat(scene.apply("b", "{}").spec()).isEqualTo(yaml("{name: n}"));
        assertThat(scene.fields("b")).isEmpty();
    }

    @Test
    void keepsWhatAnUpdaterOwns() {
        var scene = Scene.small()
                .apply("a", "spec: {nested: {a: x}}")
                .patch("u", "spec: {nested: {b: y}}")
                .apply("a", "spec: {}");
        assertThat(scene.spec()).isEqualTo(yaml("{nested: {b: y}}"));
    }

    @Test
    void keepsWhatNobodyOwnsInAnItemThatStays() {
        var scene = Scene.small().apply("a", "spec: {items: [{port: 1, value: x}, {port: 2}]}");
        scene.live = OwnedTrees.merge(scene.live, yaml("spec: {items: [{port: 2, extra: e}]}"), scene.shape);
        scene.apply("a", "spec: {items: [{port: 1, value: x}, {port: 2, value: y}]}");
        assertThat(scene.spec()).isEqualTo(yaml("items: [{port: 1, value: x}, {port: 2, extra: e, value: y}]"));
    }

    @Test
    void removesAnItemWithWhatNobodyOwnsInIt() {
        var scene = Scene.small().apply("a", "spec: {items: [{port: 1}, {port: 2}]}");
        scene.live = OwnedTrees.merge(scene.live, yaml("spec: {items: [{port: 2, value: defaulted}]}"), scene.shape);
        scene.apply("a", "spec: {items: [{port: 1}]}");
        assertThat(scene.spec()).isEqualTo(yaml("items: [{port: 1}]"));
    }

    @Test
    void keepsAnItemThatAnotherApplierSharesAndItsFields() {
        var scene = Scene.small()
                .apply("a", "spec: {items: [{port: 1}, {port: 2, value: v}]}")
                .apply("b", "spec: {items: [{port: 2}]}")
                .apply("a", "spec: {items: [{port: 1}]}");
        assertThat(scene.spec()).isEqualTo(yaml("items: [{port: 1}, {port: 2}]"));
    }

    @Test
    void removesAnItemOfWhichAnUpdaterOwnsOnlyAField() {
        var scene = Scene.small()
                .apply("a", "spec: {items: [{port: 1}, {port: 2}]}")
                .patch("u", "spec: {items: [{port: 2, value: mine}]}");
        assertThat(scene.fields("u")).isEqualTo("""
                {"f:spec":{"f:items":{"k:{\\"port\\":2,\\"protocol\\":\\"TCP\\"}":{"f:value":{}}}}}""");
        scene.apply("a", "spec: {items: [{port: 1}]}");
        assertThat(scene.spec()).isEqualTo(yaml("items: [{port: 1}]"));
        assertThat(scene.fields("u")).isEmpty();
    }

    @Test
    void knowsItemsByTheirKeysWithDefaults() {
        var scene = Scene.small()
                .apply("a", "spec: {items: [{port: 80}]}")
                .apply("b", "spec: {items: [{port: 80, protocol: TCP, value: v}, {port: 80, protocol: UDP}]}");
        assertThat(scene.spec())
                .isEqualTo(yaml("items: [{port: 80, protocol: TCP, value: v}, {port: 80, protocol: UDP}]"));
        assertThat(scene.fields("a")).isEqualTo("""
                {"f:spec":{"f:items":{"k:{\\"port\\":80,\\"protocol\\":\\"TCP\\"}":{".":{},"f:port":{}}}}}""");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            a b c   | b a     | b c a
            a b c   | c       | a b c
            a b c   | c b a   | c b a
            a b c d | d a     | b c d a
            a b     | x a     | x a b
            a b     | a x b   | a x b
            a b c   | x c z   | a b x c z
            a c     | c b a   | c b a
            ''      | b a     | b a
            """)
    void ordersMergedLists(String live, String applied, String merged) {
        var scene = Scene.small().update("u", "spec: {tags: [" + live.replace(" ", ",") + "], size: 1}");
        scene.apply("a", "spec: {tags: [" + applied.replace(" ", ",") + "]}");
        assertThat(String.join(" ", scene.spec().array("tags").strings())).isEqualTo(merged);
    }

    @Test
    void removesMembersOfSetsThatOnlyTheApplierHad() {
        var scene = Scene.small()
                .apply("a", "spec: {tags: [p, q, r]}")
                .apply("b", "spec: {tags: [q]}")
                .apply("a", "spec: {tags: [r]}");
        assertThat(scene.spec()).isEqualTo(yaml("tags: [q, r]"));
    }

    @Test
    void replacesAtomicValuesAsAWhole() {
        var scene = Scene.small()
                .apply("a", "spec: {args: [p, q], whole: {k: v, l: w}}")
                .apply("a", "spec: {args: [q], whole: {m: x}}");
        assertThat(scene.spec()).isEqualTo(yaml("{args: [q], whole: {m: x}}"));
        var error = scene.refused("b", "spec: {args: [q, r], whole: {m: x, n: y}}");
        assertThat(error.text()).isEqualTo("""
                Apply failed with 2 conflicts: conflicts with "a":
                - .spec.args
                - .spec.whole""");
    }

    @Test
    void sharesWhatIsAppliedWithTheSameValue() {
        var scene = Scene.small().apply("a", "spec: {size: 1}").apply("b", "spec: {size: 1}");
        assertThat(scene.fields("a")).isEqualTo(scene.fields("b"));
        assertThat(scene.refused("b", "spec: {size: 2}").text())
                .isEqualTo("Apply failed with 1 conflict: conflict with \"a\": .spec.size");
    }

    @Test
    void takesWhatIsForced() {
        var scene = Scene.small().apply("a", "spec: {size: 1, name: n}").force("b", "spec: {size: 2}");
        assertThat(scene.spec()).isEqualTo(yaml("{size: 2, name: n}"));
        assertThat(scene.fields("a")).isEqualTo("""
                {"f:spec":{"f:name":{}}}""");
    }

    @Test
    void takesTheValueOfAnUpdateThatItAgreesWith() {
        var scene = Scene.small()
                .apply("a", "spec: {size: 1}")
                .patch("u", "spec: {size: 5}")
                .apply("a", "spec: {size: 5}");
        assertThat(scene.fields("u")).isEqualTo(scene.fields("a"));
    }

    @Test
    void conflictsWithUpdatersAndSaysWhere() {
        var scene = Scene.small()
                .update("u", "spec: {size: 1, items: [{port: 443, value: v}, {port: 80, value: w}]}")
                .apply("a", "spec: {name: n}");
        var error =
                scene.refused("b", "spec: {size: 2, name: m, items: [{port: 443, value: x}, {port: 80, value: y}]}");
        assertThat(error.text()).isEqualTo("""
                Apply failed with 4 conflicts: conflicts with "a":
                - .spec.name
                conflicts with "u" using example.org/v1:
                - .spec.size
                - .spec.items[port=80,protocol="TCP"].value
                - .spec.items[port=443,protocol="TCP"].value""");
        assertThat(error.code()).isEqualTo(409);
        assertThat(error.details().objects("causes").getFirst()).isEqualTo(yaml("""
                {reason: FieldManagerConflict, message: 'conflict with "a"', field: .spec.name}
                """));
    }

    @Test
    void givesObjectsWithoutOwnersToTheTimeBefore() {
        var scene = Scene.small();
        scene.live = yaml("{metadata: {name: x, uid: u}, spec: {size: 1}}");
        assertThat(scene.refused("a", "spec: {size: 2}").text())
                .isEqualTo("Apply failed with 1 conflict: conflict with \"before-first-apply\" using example.org/v1:"
                        + " .spec.size");
        scene.apply("a", "spec: {size: 1}");
        assertThat(scene.fields("before-first-apply")).contains("f:size");
    }

    @Test
    void keepsTheTimeOfAnApplyThatChangesNothing() {
        var scene = Scene.small().apply("a", "spec: {size: 1}");
        var before = scene.live;
        assertThat(scene.apply("a", "spec: {size: 1}").live).isEqualTo(before);
        assertThat(scene.apply("a", "spec: {size: 2}").times("a")).isEqualTo("2023-11-14T22:13:22Z");
        scene.apply("b", "spec: {name: n}");
        assertThat(scene.times("a")).isEqualTo("2023-11-14T22:13:22Z");
    }

    @Test
    void refusesWhatCannotBeApplied() {
        var scene = Scene.small();
        assertThat(scene.refused("a", "{metadata: {managedFields: []}}").text())
                .isEqualTo("metadata.managedFields must be nil");
        assertThat(scene.refused("a", "apiVersion: example.org/v2").text())
                .isEqualTo("Incorrect version specified in apply patch. Specified patch version: example.org/v2,"
                        + " expected: example.org/v1");
        var error = scene.refused("a", """
                kind: Thing
                metadata: {namespace: d, name: x}
                spec: {colour: red, tags: [a, a], items: [{value: x, protocol: UDP}, {port: 1}, {port: 1}]}
                """);
        assertThat(error.text()).isEqualTo("""
                failed to create typed patch object (d/x; example.org/v1, Kind=Thing): errors:
                  .spec.colour: field not declared in schema
                  .spec.tags: duplicate entries for key [="a"]
                  .spec.items: duplicate entries for key [port=1,protocol="TCP"]""");
    }

    /// As Tekton's kinds have them: lists of objects that nothing is said about, and values of any form.
    @Test
    void openTypesInsideOfListsTakeAnythingAndListsDoNot() {
        var shape = CustomShapes.of(yaml("""
                type: object
                properties:
                  spec:
                    type: object
                    properties:
                      params:
                        type: array
                        items:
                          type: object
                          properties: {name: {type: string}, value: {x-kubernetes-preserve-unknown-fields: true}}
                      open: {x-kubernetes-preserve-unknown-fields: true}
                      whole:
                        type: object
                        x-kubernetes-map-type: atomic
                        properties: {a: {type: string}}
                """));
        var scene = new Scene(shape, "example.org/v1").apply("a", """
                spec:
                  params: [{name: n, value: {any: {thing: 1}}}]
                  open: {deep: {er: 1}, list: [{of: anything}]}
                  whole: {a: b}
                """);
        assertThat(scene.fields("a")).isEqualTo("""
                {"f:spec":{"f:open":{"f:deep":{".":{},"f:er":{}},"f:list":{}},"f:params":{},"f:whole":{}}}""");
        assertThat(scene.refused("a", """
                        kind: Thing
                        metadata: {name: x}
                        spec: {params: [{name: n}, {nam: n, value: {nam: n}}], whole: {b: c}}
                        """).text()).isEqualTo("""
                failed to create typed patch object (/x; example.org/v1, Kind=Thing): errors:
                  .spec.params[1].nam: field not declared in schema
                  .spec.whole.b: field not declared in schema""");
    }

    @Test
    void doesNotConflictWithKubectlsFormerSelf() {
        var annotation = "kubectl.kubernetes.io/last-applied-configuration";
        var scene = Scene.small();
        scene.update(
                "kubectl-client-side-apply",
                yaml("""
                {apiVersion: example.org/v1, kind: Thing, metadata: {name: x}, spec: {size: 1, name: n}}
                """).with(List.of("metadata", "annotations", annotation), Json.of("""
                        {"apiVersion":"example.org/v1","kind":"Thing","metadata":{"name":"x"},"spec":{"size":1}}""")));
        assertThat(scene.refused("other", "spec: {size: 2}").text()).contains("kubectl-client-side-apply");
        assertThat(scene.refused("kubectl", "spec: {size: 2, name: m}").text())
                .isEqualTo("Apply failed with 1 conflict: conflict with \"kubectl-client-side-apply\" using"
                        + " example.org/v1: .spec.name");
        scene.apply("kubectl", "{kind: Thing, apiVersion: example.org/v1, metadata: {name: x}, spec: {size: 2}}");
        assertThat(scene.spec()).isEqualTo(yaml("{size: 2, name: n}"));
        assertThat(scene.live.string("metadata", "annotations", annotation)).isEqualTo("""
                {"apiVersion":"example.org/v1","kind":"Thing","metadata":{"name":"x"},"spec":{"size":2}}
                """);
    }

    @Test
    void ownsNothingThatTheEndpointResets() {
        var main = new Ownership(Versions.only("example.org/v1", () -> Scene.SMALL), FieldSet.ofFields("status"));
        var now = Instant.EPOCH;
        var writer = new Writer("a", "example.org/v1", "");
        var live = main.apply(Json.Obj.EMPTY, yaml("{spec: {size: 1}, status: {phase: x}}"), writer, false, now);
        assertThat(Owners.of(live).entry(writer.applier()).fields().paths()).containsExactly(".spec.size");
    }

    @Test
    void treatsAMergedFieldThatBecameAtomicAsOneField() {
        var before = CustomShapes.of(yaml("""
                {type: object, properties: {m: {type: object, additionalProperties: {type: string}}}}"""));
        var after = CustomShapes.of(yaml("""
                {type: object, properties: {m: {type: object, x-kubernetes-map-type: atomic}}}"""));
        var writer = new Writer("a", "example.org/v1", "");
        var now = Instant.EPOCH;
        var live = new Ownership(Versions.only("example.org/v1", () -> before))
                .apply(Json.Obj.EMPTY, yaml("m: {k: v}"), writer, false, now);
        live = new Ownership(Versions.only("example.org/v1", () -> after))
                .update(live, live.with("n", Json.of(1)), writer.named("u"), now);
        assertThat(Owners.of(live).entry(writer.applier()).fields().paths()).containsExactly(".m");
    }
}

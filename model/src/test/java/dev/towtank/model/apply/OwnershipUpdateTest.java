package dev.towtank.model.apply;

import static dev.towtank.model.apply.Scene.yaml;
import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.model.Json;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OwnershipUpdateTest {

    @Test
    void ownsWhatItCreatesWithTheParentsOfIt() {
        var scene = Scene.small().update("u", """
                apiVersion: example.org/v1
                kind: Thing
                metadata: {name: x, uid: u, generation: 1, labels: {l: m}}
                spec: {items: [{port: 80, protocol: TCP}], nested: {a: x}}
                """);
        assertThat(scene.fields("u")).isEqualTo("""
                {"f:metadata":{"f:labels":{".":{},"f:l":{}}},"f:spec":{".":{},"f:items":{".":{},\
                "k:{\\"port\\":80,\\"protocol\\":\\"TCP\\"}":{".":{},"f:port":{},"f:protocol":{}}},\
                "f:nested":{".":{},"f:a":{}}}}""");
    }

    @Test
    void takesWhatItChangesAndForgetsWhatIsGone() {
        var scene =
                Scene.small().apply("a", "spec: {size: 1, name: n, args: [x]}").update("u", "spec: {size: 2, name: n}");
        assertThat(scene.fields("a")).isEqualTo("""
                {"f:spec":{"f:name":{}}}""");
        assertThat(scene.fields("u")).isEqualTo("""
                {"f:spec":{"f:size":{}}}""");
    }

    @Test
    void changesNobodysTimeWhenNothingChanges() {
        var scene = Scene.small().update("u", "spec: {size: 1}");
        var before = scene.live;
        assertThat(scene.update("v", scene.object()).live).isEqualTo(before);
        assertThat(scene.patch("u", "spec: {size: 2}").times("u")).isEqualTo("2023-11-14T22:13:22Z");
    }

    @Test
    void removesAnUpdaterThatOwnsNothing() {
        var scene = Scene.small()
                .update("u", "{spec: {size: 1}}")
                .patch("v", "{spec: {name: n}}")
                .update("w", "{spec: {size: 1}}");
        assertThat(scene.fields("v")).isEmpty();
        assertThat(scene.fields("w")).isEmpty();
    }

    @Test
    void keepsWritersOfTheStatusApart() {
        var scene = Scene.small().update("u", "spec: {size: 1}");
        var status = new Ownership(Versions.only("example.org/v1", () -> Scene.SMALL), FieldSet.ofFields("spec"));
        var written = scene.live.with(List.of("status", "phase"), Json.of("Ready"));
        var live = status.update(
                scene.live, written, new Writer("u", "example.org/v1", "status"), Instant.ofEpochSecond(1_800_000_000));
        var entries = live.objects("metadata", "managedFields");
        assertThat(entries).hasSize(2);
        assertThat(entries.get(1)).isEqualTo(yaml("""
                manager: u
                operation: Update
                apiVersion: example.org/v1
                time: "2027-01-15T08:00:00Z"
                fieldsType: FieldsV1
                fieldsV1: {"f:status": {".": {}, "f:phase": {}}}
                subresource: status
                """));
    }

    @ParameterizedTest
    @ValueSource(strings = {"[]", "[{}]"})
    void forgetsOwnersWhenAskedTo(String reset) {
        var scene = Scene.small().update("u", "{metadata: {uid: u}, spec: {size: 1}}");
        scene.update("v", "{metadata: {uid: u, managedFields: " + reset + "}, spec: {size: 1}}");
        assertThat(scene.live).isEqualTo(yaml("{metadata: {uid: u}, spec: {size: 1}}"));
        assertThat(scene.patch("v", "spec: {size: 2}").live.object("metadata").has("managedFields"))
                .isFalse();
    }

    @Test
    void acceptsOwnersThatAClientWrites() {
        var scene = Scene.small().update("u", "spec: {size: 1, name: n}");
        scene.update("v", OwnedTrees.merge(scene.object(), yaml("""
                metadata:
                  managedFields:
                  - {manager: z, operation: Update, apiVersion: example.org/v1, fieldsType: FieldsV1,
                     fieldsV1: {"f:spec": {"f:size": {}}}}
                """), scene.shape));
        assertThat(scene.fields("z")).isEqualTo("""
                {"f:spec":{"f:size":{}}}""");
        assertThat(scene.fields("u")).isEmpty();
    }

    @Test
    void mergesTheOldestUpdaters() {
        var scene = Scene.small().apply("a", "spec: {name: n}");
        for (int i = 0; i < 13; i++) {
            scene.patch("u" + i, "spec: {labels: {l" + i + ": x}}");
        }
        var names = scene.live.objects("metadata", "managedFields").stream()
                .map(entry -> entry.string("manager"))
                .toList();
        assertThat(names)
                .containsExactly("a", "ancient-changes", "u4", "u5", "u6", "u7", "u8", "u9", "u10", "u11", "u12");
        assertThat(scene.fields("ancient-changes")).isEqualTo("""
                {"f:spec":{"f:labels":{".":{},"f:l0":{},"f:l1":{},"f:l2":{},"f:l3":{}}}}""");
    }

    @Test
    void ownsTwinsTogether() {
        var scene = Scene.small()
                .update("u", "spec: {items: [{port: 1, value: a}, {port: 1, value: b}]}")
                .patch("v", "spec: {size: 1}");
        assertThat(scene.fields("u")).isEqualTo("""
                {"f:spec":{".":{},"f:items":{".":{},"k:{\\"port\\":1,\\"protocol\\":\\"TCP\\"}":{}}}}""");
    }

    @Test
    void forgetsWhatWasInAValueThatIsAnotherKindNow() {
        var scene = Scene.small().update("u", "spec: {free: {x: {y: 1}}}").update("v", "spec: {free: {x: 7}}");
        assertThat(scene.fields("v")).isEqualTo("""
                {"f:spec":{"f:free":{"f:x":{}}}}""");
        assertThat(scene.fields("u")).isEqualTo("""
                {"f:spec":{".":{},"f:free":{}}}""");
    }
}

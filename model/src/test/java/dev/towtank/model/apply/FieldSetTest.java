package dev.towtank.model.apply;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FieldSetTest {

    private static FieldSet set(String json) {
        return FieldSet.read(JsonText.parseObject(json));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                """
        {"f:a":{}}""",
                """
        {"f:a":{".":{},"f:b":{}},"f:c":{"f:d":{"f:e":{}}}}""",
                """
        {"f:a":{"k:{\\"name\\":\\"x\\",\\"port\\":80}":{".":{},"f:v":{}},"k:{\\"name\\":\\"x\\",\\"port\\":443}":{}}}""",
                """
        {"f:a":{"v:1":{},"v:\\"b\\"":{},"v:true":{},"i:3":{}}}""",
            })
    void readsWhatItWrites(String json) {
        assertThat(set(json).json().toString()).isEqualTo(json);
    }

    @Test
    void sortsFieldsAndKeys() {
        assertThat(set("""
                {"f:b":{},"f:a":{"k:{\\"z\\":1,\\"a\\":2}":{}}}""").json().toString()).isEqualTo("""
                {"f:a":{"k:{\\"a\\":2,\\"z\\":1}":{}},"f:b":{}}""");
    }

    @Test
    void passesOverStepsOfTheFuture() {
        assertThat(set("""
                {"x:b":{},"f:a":{}}""")).isEqualTo(FieldSet.ofFields("a"));
        assertThatThrownBy(() -> set("""
                {"nonsense":{}}""")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void countsMembersOnlyInDifferences() {
        var left = set("""
                {"f:a":{".":{},"f:b":{}},"f:c":{}}""");
        assertThat(left.difference(FieldSet.ofFields("a")).paths()).containsExactly(".c", ".a.b");
        assertThat(left.recursiveDifference(FieldSet.ofFields("a")).paths()).containsExactly(".c");
        assertThat(left.intersection(FieldSet.ofFields("a", "b")).paths()).containsExactly(".a.b");
        assertThat(left.union(FieldSet.of(new PathStep.Field("a"), new PathStep.Value(Json.of("x"))))
                        .paths())
                .containsExactly(".a", ".c", ".a.b", ".a[=\"x\"]");
    }
}

package dev.towtank.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ZerosTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            apps/v1 | Deployment | {status: {}} | strategy: {}
            apps/v1 | Deployment | {} | status: {}
            apps/v1 | ReplicaSet | {} | status: {replicas: 0}
            apps/v1 | StatefulSet | {} | status: {replicas: 0, availableReplicas: 0}
            rbac.authorization.k8s.io/v1 | Role | {} | rules: null
            rbac.authorization.k8s.io/v1 | Role | {rules: []} | rules: null
            v1 | LimitRange | {spec: {limits: []}} | limits: null
            v1 | Event | {} | eventTime: null
            v1 | Event | {} | reportingComponent: ''
            v1 | Pod | {status: {conditions: [{type: Ready}]}} | lastProbeTime: null
            v1 | PodTemplate | {template: {spec: {}}} | metadata: {}
            policy/v1 | PodDisruptionBudget | {} | disruptionsAllowed: 0
            """)
    void areWhatGoWrites(String version, String kind, String object, String expected) {
        var filled = fill(version, kind, object);
        var field = JsonText.write(parse("{" + expected + "}"));
        assertThat(JsonText.write(filled)).contains(field.substring(1, field.length() - 1));
        assertThat(Zeros.fill(filled, type(version, kind))).isSameAs(filled);
    }

    @Test
    void leaveOutWhatMayBeLeftOut() {
        var filled = fill("v1", "Pod", "{metadata: {name: a}, spec: {containers: [{name: c}]}}");
        assertThat(filled)
                .isEqualTo(parse("{metadata: {name: a}, spec: {containers: [{name: c, resources: {}}]}, status: {}}"));
    }

    @Test
    void leaveAnObjectThatHasThemAlone() {
        var object = parse("{metadata: {name: a}, data: {a: ''}}");
        assertThat(Zeros.fill(object, type("v1", "ConfigMap"))).isSameAs(object);
    }

    private static Json.Obj fill(String version, String kind, String yaml) {
        return Zeros.fill(parse(yaml), type(version, kind));
    }

    private static Json.Obj parse(String yaml) {
        return (Json.Obj) YamlText.parse(yaml.getBytes(StandardCharsets.UTF_8));
    }

    private static Schema.Type type(String version, String kind) {
        return Schemas.builtin().find(version, kind).orElseThrow();
    }
}

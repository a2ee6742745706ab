package dev.towtank.node.pods;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.towtank.model.Json;
import dev.towtank.model.Quantity;
import dev.towtank.model.Resource;
import dev.towtank.model.YamlText;
import dev.towtank.node.volumes.NodeValues;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EnvironmentTest {

    private static final NodeValues NODE =
            new NodeValues("10.0.0.1", "10.0.0.1", Map.of("cpu", Quantity.of(4), "memory", Quantity.parse("8Gi")));

    private static final Environment.Sources SOURCES = new Environment.Sources() {
        @Override
        public Optional<Json.Obj> configMap(String name) {
            return name.equals("settings") ? Optional.of(yaml("{data: {color: red, size: big}}")) : Optional.empty();
        }

        @Override
        public Optional<Json.Obj> secret(String name) {
            return name.equals("login") ? Optional.of(yaml("{data: {password: aHVudGVyMg==}}")) : Optional.empty();
        }
    };

    private static Json.Obj yaml(String text) {
        return (Json.Obj) YamlText.parse(text);
    }

    private static Map<String, String> of(String container) {
        var pod = Resource.of(yaml("""
                metadata: {name: web, namespace: shop, uid: u1, labels: {b: "2", a: "1"}, annotations: {note: 'say "hi"'}}
                spec: {nodeName: n1, serviceAccountName: robot, containers: [{name: other, resources: {limits: {cpu: 1500m}}}]}
                """));
        return Environment.of(
                pod, yaml(container), SOURCES, Map.of("DB_SERVICE_HOST", "127.64.0.9"), NODE, new Expansion());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            plain          | plain
            $(A)           | 1
            x$(A)y$(B)z    | x1y2z
            $$(A)          | $(A)
            $$$(A)         | $1
            $(MISSING)     | $(MISSING)
            $(A            | $(A
            $A             | $A
            50$            | 50$
            $()            | $()
            """)
    void expandsVariables(String text, String expected) {
        assertThat(new Expansion().expand(text, Map.of("A", "1", "B", "2")::get))
                .isEqualTo(expected);
    }

    @Test
    void endsAnExpansionThatDoublesItselfBeforeItIsMade() {
        var variables = new StringBuilder("env: [{name: A0, value: seedling}");
        for (int i = 1; i < 40; i++) {
            variables.append(", {name: A%d, value: '$(A%d)$(A%d)'}".formatted(i, i - 1, i - 1));
        }
        assertThatThrownBy(() -> of(variables.append("]").toString()))
                .isInstanceOf(ConfigProblem.class)
                .hasMessageContaining("longer than 2097152 characters")
                .hasMessageNotContaining("seedling");
    }

    @Test
    void countsArgumentsTogetherWithTheEnvironment() {
        var environment = Map.of("A", "x".repeat(1024 * 1024));
        assertThat(Environment.expand(List.of("$(A)", "$(A)"), environment, new Expansion()))
                .hasSize(2);
        assertThatThrownBy(() -> Environment.expand(List.of("$(A)$(A)$(A)"), environment, new Expansion()))
                .isInstanceOf(ConfigProblem.class);
        assertThatThrownBy(() -> Environment.expand(List.of("$(A)", "$(A)", "$(A)"), environment, new Expansion()))
                .isInstanceOf(ConfigProblem.class);
    }

    @Test
    void takesLiteralsInTheirOrder() {
        assertThat(
                        of(
                                "{env: [{name: A, value: one}, {name: B, value: '$(A) $(C) $(DB_SERVICE_HOST)'}, {name: C, value: late}, {name: E}]}"))
                .containsEntry("B", "one $(C) 127.64.0.9")
                .containsEntry("C", "late")
                .containsEntry("E", "");
    }

    @Test
    void readsConfigMapsAndSecrets() {
        assertThat(of("""
                env:
                - {name: COLOR, valueFrom: {configMapKeyRef: {name: settings, key: color}}}
                - {name: PASSWORD, valueFrom: {secretKeyRef: {name: login, key: password}}}
                - {name: NONE, valueFrom: {configMapKeyRef: {name: missing, key: x, optional: true}}}
                - {name: NEITHER, valueFrom: {secretKeyRef: {name: login, key: x, optional: true}}}
                """))
                .containsEntry("COLOR", "red")
                .containsEntry("PASSWORD", "hunter2")
                .doesNotContainKeys("NONE", "NEITHER");
    }

    @Test
    void takesWholeObjectsWithAPrefixAndLetsVariablesWin() {
        assertThat(of("""
                envFrom: [{prefix: S_, configMapRef: {name: settings}}, {secretRef: {name: login}}, {configMapRef: {name: none, optional: true}}]
                env: [{name: S_size, value: small}]
                """))
                .containsEntry("S_color", "red")
                .containsEntry("S_size", "small")
                .containsEntry("password", "hunter2");
    }

    @Test
    void readsFieldsOfThePod() {
        assertThat(of("""
                env:
                - {name: NAME, valueFrom: {fieldRef: {fieldPath: metadata.name}}}
                - {name: LABELS, valueFrom: {fieldRef: {fieldPath: metadata.labels}}}
                - {name: LABEL, valueFrom: {fieldRef: {fieldPath: "metadata.labels['b']"}}}
                - {name: NOTE, valueFrom: {fieldRef: {fieldPath: metadata.annotations}}}
                - {name: IP, valueFrom: {fieldRef: {fieldPath: status.podIP}}}
                - {name: NODE, valueFrom: {fieldRef: {fieldPath: spec.nodeName}}}
                """))
                .containsEntry("NAME", "web")
                .containsEntry("LABELS", "a=\"1\"\nb=\"2\"")
                .containsEntry("LABEL", "2")
                .containsEntry("NOTE", "note=\"say \\\"hi\\\"\"")
                .containsEntry("IP", "10.0.0.1")
                .containsEntry("NODE", "n1");
    }

    @Test
    void readsResources() {
        assertThat(of("""
                resources: {limits: {memory: 64Mi}, requests: {cpu: 250m}}
                env:
                - {name: MEMORY, valueFrom: {resourceFieldRef: {resource: limits.memory, divisor: 1Mi}}}
                - {name: BYTES, valueFrom: {resourceFieldRef: {resource: limits.memory, divisor: "0"}}}
                - {name: CPU, valueFrom: {resourceFieldRef: {resource: requests.cpu}}}
                - {name: MILLIS, valueFrom: {resourceFieldRef: {resource: requests.cpu, divisor: 1m}}}
                - {name: ALL, valueFrom: {resourceFieldRef: {resource: limits.cpu}}}
                - {name: OTHER, valueFrom: {resourceFieldRef: {containerName: other, resource: limits.cpu}}}
                """))
                .containsEntry("MEMORY", "64")
                .containsEntry("BYTES", "67108864")
                .containsEntry("CPU", "1")
                .containsEntry("MILLIS", "250")
                .containsEntry("ALL", "4")
                .containsEntry("OTHER", "2");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {env: [{name: A, valueFrom: {configMapKeyRef: {name: settings, key: shape}}}]} | couldn't find key shape in ConfigMap shop/settings
            {env: [{name: A, valueFrom: {secretKeyRef: {name: login, key: user}}}]}        | couldn't find key user in Secret shop/login
            {env: [{name: A, valueFrom: {configMapKeyRef: {name: gone, key: x}}}]}         | configmap "gone" not found
            {envFrom: [{secretRef: {name: gone}}]}                                         | secret "gone" not found
            {env: [{name: A, valueFrom: {fieldRef: {fieldPath: spec.x}}}]}                 | unsupported fieldPath: spec.x
            """)
    void refusesWithTheWordsOfTheKubelet(String container, String message) {
        assertThatThrownBy(() -> of(container))
                .isInstanceOf(ConfigProblem.class)
                .hasMessage(message);
    }

    @Test
    void tellsWhereServicesAre() {
        var pod = Resource.of(yaml("{metadata: {name: web, namespace: shop}, spec: {enableServiceLinks: true}}"));
        var services = List.of(
                Resource.of(yaml("""
                        metadata: {name: my-db, namespace: shop}
                        spec: {clusterIP: 127.64.0.9, ports: [{name: sql, port: 5432, protocol: TCP}]}
                        """)),
                Resource.of(
                        yaml("{metadata: {name: bare, namespace: shop}, spec: {clusterIP: None, ports: [{port: 1}]}}")),
                Resource.of(
                        yaml(
                                "{metadata: {name: far, namespace: default}, spec: {clusterIP: 127.64.0.8, ports: [{port: 1}]}}")),
                Resource.of(yaml("""
                        metadata: {name: kubernetes, namespace: default}
                        spec: {clusterIP: 127.96.0.1, ports: [{name: https, port: 443}]}
                        """)));
        assertThat(ServiceVariables.of(pod, services))
                .containsEntry("MY_DB_SERVICE_HOST", "127.64.0.9")
                .containsEntry("MY_DB_SERVICE_PORT", "5432")
                .containsEntry("MY_DB_SERVICE_PORT_SQL", "5432")
                .containsEntry("MY_DB_PORT", "tcp://127.64.0.9:5432")
                .containsEntry("MY_DB_PORT_5432_TCP_ADDR", "127.64.0.9")
                .containsEntry("KUBERNETES_SERVICE_HOST", "127.96.0.1")
                .doesNotContainKeys("BARE_SERVICE_HOST", "FAR_SERVICE_HOST");
    }
}

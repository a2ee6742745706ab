package dev.towtank.model.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.Schemas;
import dev.towtank.model.YamlText;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DescriptionsTest {

    private static final Kind<?> POD = Kind.namespaced("", "v1", "Pod", "pods").withStatus();
    private static final Kind<?> TASK = Kind.namespaced("tekton.dev", "v1", "Task", "tasks");

    private static final OpenApi API = new OpenApi(
            List.of(POD, TASK),
            Schemas.builtin(),
            kind -> kind.equals(TASK) ? Optional.of((Json.Obj) YamlText.parse("""
                            type: object
                            properties:
                              spec:
                                type: object
                                properties:
                                  steps:
                                    type: array
                                    description: said by whoever defined it
                                    items: {type: object, properties: {image: {type: string}}}
                            """)) : Optional.empty());

    private static Json.Obj schema(String path, String name) {
        return API.v3(path).orElseThrow().object("components", "schemas", name);
    }

    @Test
    void everyFieldOfOursIsThere() {
        Descriptions.all().forEach((definition, fields) -> {
            if (definition.startsWith("io.k8s.")) {
                var type = Schemas.builtin().type(definition);
                assertThat(type).as(definition).isPresent();
                fields.keySet().stream()
                        .filter(field -> !field.equals("."))
                        .forEach(field -> assertThat(type.get().field(field))
                                .as(definition + " " + field)
                                .isNotNull());
            }
        });
    }

    /// Whoever asks about a field asks about those in it next.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "core.v1.EnvVarSource",
                "networking.v1.IngressRule",
                "networking.v1.HTTPIngressPath",
                "networking.v1.NetworkPolicyIngressRule",
                "networking.v1.NetworkPolicyEgressRule",
                "networking.v1.NetworkPolicyPeer",
                "networking.v1.NetworkPolicyPort",
                "autoscaling.v2.HorizontalPodAutoscalerSpec",
                "autoscaling.v2.MetricSpec",
                "autoscaling.v2.MetricTarget"
            })
    void everyFieldOfWhatIsDeepIsExplained(String name) {
        var definition = "io.k8s.api." + name;
        var fields = Schemas.builtin().type(definition).orElseThrow().jsonFields().stream()
                .map(field -> field.name());

        assertThat(Descriptions.all().getOrDefault(definition, Map.of())).containsKeys(fields.toArray(String[]::new));
    }

    @Test
    void kindsAndFieldsAreExplained() {
        assertThat(schema("api/v1", "io.k8s.api.core.v1.Pod").string("description"))
                .startsWith("One or more containers");
        assertThat(schema("api/v1", "io.k8s.api.core.v1.PodSpec").string("properties", "restartPolicy", "description"))
                .contains("Always", "OnFailure", "Never");
        assertThat(schema("api/v1", "io.k8s.api.core.v1.Pod").string("properties", "spec", "description"))
                .isEqualTo("What is to run.");
    }

    @Test
    void customKindsAreExplainedWhereTheySayNothing() {
        var steps =
                schema("apis/tekton.dev/v1", "dev.tekton.v1.Task").object("properties", "spec", "properties", "steps");
        assertThat(steps.string("description")).isEqualTo("said by whoever defined it");
        assertThat(steps.string("items", "properties", "image", "description")).isEqualTo("What the step runs in.");
    }
}

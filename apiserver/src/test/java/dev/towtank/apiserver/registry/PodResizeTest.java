package dev.towtank.apiserver.registry;

import static dev.towtank.apiserver.registry.TestApi.refused;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PodResizeTest {

    private static final String PART = "pods/default/web/resize";

    private final TestApi api = new TestApi();

    @BeforeEach
    void startPod() {
        api.create("pods/default", """
                apiVersion: v1
                kind: Pod
                metadata: {name: web, labels: {app: web}}
                spec:
                  initContainers: [{name: first, image: i, resources: {requests: {cpu: 100m}}}]
                  containers:
                    - {name: main, image: i, resources: {requests: {cpu: 100m, ephemeral-storage: 1Gi}, limits: {cpu: 200m}}}
                    - {name: beside, image: i}
                """);
    }

    @AfterEach
    void close() {
        api.close();
    }

    private static String container(String name, String fields) {
        return "{\"metadata\":{\"labels\":{\"app\":\"other\"}},\"spec\":{\"nodeName\":\"n\",\"containers\":[{\"name\":\""
                + name + "\"," + fields + "}]}}";
    }

    private String refusal(String patch) {
        return String.valueOf(
                refused(() -> api.patch(PART, "strategic-merge", patch)).getMessage());
    }

    @Test
    void changesWhatAContainerMayUseAndNothingElse() {
        var pod = api.patch(
                PART,
                "strategic-merge",
                container(
                        "main",
                        "\"image\":\"other\",\"resources\":{\"requests\":{\"cpu\":\"150m\"},\"limits\":{\"cpu\":\"300m\"}}"));

        var main = pod.objects("spec", "containers").getFirst();
        assertThat(main.string("resources", "limits", "cpu")).isEqualTo("300m");
        assertThat(main.string("resources", "requests", "ephemeral-storage")).isEqualTo("1Gi");
        assertThat(main.string("image")).isEqualTo("i");
        assertThat(pod.string("metadata", "labels", "app")).isEqualTo("web");
        assertThat(pod.object("spec").has("nodeName")).isFalse();
        assertThat(pod.integer("metadata", "generation")).isEqualTo(2);
    }

    @Test
    void isTheOnlyWayToDoSo() {
        assertThat(refused(() -> api.patch(
                                "pods/default/web",
                                "strategic-merge",
                                container("main", "\"resources\":{\"limits\":{\"cpu\":\"300m\"}}")))
                        .getMessage())
                .contains("pod updates may not change fields");
    }

    @Test
    void keepsTheClassOfThePod() {
        assertThat(refusal("""
                        {"spec":{"initContainers":[{"name":"first","resources":{"limits":{"cpu":"100m","memory":"1Mi"},"requests":{"memory":"1Mi"}}}]}}
                        """)).contains("resources for non-sidecar init containers are immutable");
        api.create("pods/default", """
                apiVersion: v1
                kind: Pod
                metadata: {name: none}
                spec: {containers: [{name: main, image: i}]}
                """);
        assertThat(refused(() -> api.patch(
                                "pods/default/none/resize",
                                "strategic-merge",
                                container("main", "\"resources\":{\"limits\":{\"cpu\":\"1\"}}")))
                        .getMessage())
                .contains("Pod QOS Class may not change as a result of resizing");
    }

    @Test
    void takesNothingAwayAndChangesNothingElse() {
        assertThat(refusal(container("main", "\"resources\":{\"limits\":{\"cpu\":null}}")))
                .contains("spec.containers[0].resources.limits: Forbidden: resource limits cannot be removed");
        assertThat(refusal(container("main", "\"resources\":{\"requests\":{\"ephemeral-storage\":\"2Gi\"}}")))
                .contains("spec: Forbidden: only cpu and memory resources are mutable");
        assertThat(refusal(container("third", "\"image\":\"i\"")))
                .contains("spec.containers: Forbidden: containers may not be added or removed on resize");
    }
}

package dev.towtank.apiserver.registry;

import static dev.towtank.apiserver.registry.TestApi.refused;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class EphemeralContainersTest {

    private static final String PART = "pods/default/web/ephemeralcontainers";

    private final TestApi api = new TestApi();

    @BeforeEach
    void startPod() {
        api.create("pods/default", """
                apiVersion: v1
                kind: Pod
                metadata: {name: web, labels: {app: web}}
                spec: {containers: [{name: main, image: 'nginx:1'}]}
                """);
    }

    @AfterEach
    void close() {
        api.close();
    }

    private static String adding(String container) {
        return "{\"metadata\":{\"labels\":{\"app\":\"other\"}},\"spec\":{\"nodeName\":\"n\",\"ephemeralContainers\":["
                + container + "]}}";
    }

    @Test
    void areAddedAndNothingElseChanges() {
        var pod = api.patch(PART, "strategic-merge", adding("{\"name\":\"look\",\"image\":\"busybox\"}"));

        var added = pod.objects("spec", "ephemeralContainers").getFirst();
        assertThat(added.string("image")).isEqualTo("busybox");
        assertThat(added.string("terminationMessagePolicy")).as("defaults").isEqualTo("File");
        assertThat(pod.string("metadata", "labels", "app")).isEqualTo("web");
        assertThat(pod.object("spec").has("nodeName")).isFalse();
        assertThat(pod.integer("metadata", "generation")).isEqualTo(2);
        var both = api.patch(PART, "strategic-merge", adding("{\"name\":\"again\",\"image\":\"busybox\"}"));
        assertThat(both.objects("spec", "ephemeralContainers")).hasSize(2);
    }

    @Test
    void stayAsTheyAre() {
        api.patch(PART, "strategic-merge", adding("{\"name\":\"look\",\"image\":\"busybox\"}"));

        assertThat(refused(() -> api.patch(PART, "merge", adding(""))).getMessage())
                .contains(
                        "spec.ephemeralContainers: Forbidden: existing ephemeral containers \"look\" may not be removed");
        assertThat(refused(() -> api.patch(PART, "strategic-merge", adding("{\"name\":\"look\",\"image\":\"other\"}")))
                        .getMessage())
                .contains("existing ephemeral containers \"look\" may not be changed");
        assertThat(refused(() -> api.patch("pods/default/web", "merge", adding("")))
                        .getMessage())
                .contains("pod updates may not change fields");
    }

    @Test
    void mayNotHaveWhatOthersHave() {
        assertThat(refused(() -> api.patch(
                                PART,
                                "strategic-merge",
                                adding("{\"name\":\"look\",\"image\":\"a\",\"ports\":[{\"containerPort\":1}]}")))
                        .getMessage())
                .contains("cannot be set for an Ephemeral Container");
        assertThat(refused(() -> api.patch(
                                PART,
                                "strategic-merge",
                                adding("{\"name\":\"look\",\"image\":\"a\",\"targetContainerName\":\"main\"}")))
                        .getMessage())
                .contains("kubectl debug without --target");
    }
}

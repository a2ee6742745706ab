package dev.towtank.apiserver.registry;

import static dev.towtank.apiserver.registry.TestApi.refused;
import static dev.towtank.apiserver.registry.TestApi.yaml;
import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.apiserver.Body;
import dev.towtank.apiserver.Verb;
import dev.towtank.model.Json;
import dev.towtank.model.StatusError;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BindingTest {

    private static final String PART = "pods/default/web/binding";
    private static final String BESIDE = "bindings/default";

    private final TestApi api = new TestApi();

    @AfterEach
    void close() {
        api.close();
    }

    private Json.Obj pod(String spec) {
        return api.create("pods/default", """
                apiVersion: v1
                kind: Pod
                metadata: {name: web, labels: {app: web, zone: none}}
                spec: {%s containers: [{name: main, image: 'nginx:1'}]}
                """.formatted(spec));
    }

    private void bind(String path, String metadata, String target) {
        api.call(
                Verb.CREATE,
                path,
                "",
                yaml("{apiVersion: v1, kind: Binding, metadata: {" + metadata + "}, target: {" + target + "}}"));
    }

    private StatusError refusal(String path, String metadata, String target) {
        return refused(() -> bind(path, metadata, target));
    }

    @ParameterizedTest
    @ValueSource(strings = {PART, BESIDE})
    void givesAPodItsNodeOnce(String path) {
        pod("");
        bind(path, "name: web", "kind: Node, name: n1");
        assertThat(api.get("pods/default/web").string("spec", "nodeName")).isEqualTo("n1");
        assertThat(refusal(path, "name: web", "name: n2").text())
                .isEqualTo("Operation cannot be fulfilled on pods/binding \"web\":"
                        + " pod web is already assigned to node \"n1\"");
        assertThat(api.get("pods/default/web").string("spec", "nodeName")).isEqualTo("n1");
    }

    @Test
    void itsLabelsAndAnnotationsGoOverToThePod() {
        pod("");
        bind(BESIDE, "name: web, labels: {zone: north}, annotations: {by: me}", "name: n1");
        var metadata = api.get("pods/default/web").object("metadata");
        assertThat(metadata.stringMap("labels")).containsEntry("app", "web").containsEntry("zone", "north");
        assertThat(metadata.string("annotations", "by")).isEqualTo("me");
    }

    @Test
    void mustNameItsPod() {
        pod("");
        assertThat(refusal(PART, "name: other", "name: n1").text())
                .isEqualTo("name in URL does not match name in Binding object");
        assertThat(refusal(BESIDE, "name: other", "name: n1").text()).isEqualTo("pods \"other\" not found");
        assertThat(refusal(BESIDE, "name: ''", "name: n1").text()).isEqualTo("Name parameter required.");
    }

    @Test
    void mustNameANode() {
        pod("");
        assertThat(refusal(BESIDE, "name: web", "kind: Pod").text())
                .isEqualTo("[target.kind: Unsupported value: \"Pod\": supported values: \"Node\", \"<empty>\","
                        + " target.name: Required value]");
    }

    @ParameterizedTest
    @CsvSource({"uid, UID", "resourceVersion, ResourceVersion"})
    void isForThePodItWasMadeFor(String field, String shown) {
        var there = pod("").string("metadata", field);
        assertThat(refusal(PART, "name: web, " + field + ": '7777'", "name: n1").text())
                .isEqualTo("Operation cannot be fulfilled on pods \"web\": Precondition failed: " + shown
                        + " in precondition: 7777, " + shown + " in object meta: " + there);
        bind(PART, "name: web, " + field + ": '" + there + "'", "name: n1");
        assertThat(api.get("pods/default/web").string("spec", "nodeName")).isEqualTo("n1");
    }

    @Test
    void aPodBehindAGateGetsNoNode() {
        pod("schedulingGates: [{name: example.com/wait}],");
        assertThat(refusal(PART, "name: web", "name: n1").text())
                .contains("pod web has non-empty .spec.schedulingGates");
        assertThat(api.get("pods/default/web").object("spec").has("nodeName")).isFalse();
    }

    @Test
    void aPodThatLeavesGetsNoNode() {
        pod("");
        api.patch("pods/default/web", "merge", "{\"metadata\":{\"finalizers\":[\"example.com/hold\"]}}");
        api.delete("pods/default/web", "");
        assertThat(refusal(PART, "name: web", "name: n1").text())
                .contains("pod web is being deleted, cannot be assigned to a host");
    }

    @Test
    void hasOneAddressAndIsPostedOnly() {
        assertThat(refused(() -> api.call(Verb.LIST, "bindings/default", "", Body.None.NONE))
                        .reason())
                .isEqualTo(StatusError.Reason.METHOD_NOT_ALLOWED);
        assertThat(refused(() -> api.call(Verb.LIST, "bindings", "", Body.None.NONE))
                        .reason())
                .isEqualTo(StatusError.Reason.NOT_FOUND);
    }
}

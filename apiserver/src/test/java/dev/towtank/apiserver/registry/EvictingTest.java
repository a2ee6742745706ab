package dev.towtank.apiserver.registry;

import static dev.towtank.apiserver.registry.TestApi.refused;
import static dev.towtank.apiserver.registry.TestApi.yaml;
import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.apiserver.Verb;
import dev.towtank.model.StatusError;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EvictingTest {

    private static final String EVICTION = "{apiVersion: policy/v1, kind: Eviction, metadata: {name: web}}";

    private final TestApi api = new TestApi();

    @BeforeEach
    void startPod() {
        api.create("pods/default", """
                apiVersion: v1
                kind: Pod
                metadata: {name: web, labels: {app: web}}
                spec: {nodeName: here, containers: [{name: main, image: 'nginx:1'}]}
                """);
        status("Running", "True");
    }

    @AfterEach
    void close() {
        api.close();
    }

    private void status(String phase, String ready) {
        api.patch(
                "pods/default/web/status",
                "merge",
                "{\"status\":{\"phase\":\"" + phase + "\",\"conditions\":[{\"type\":\"Ready\",\"status\":\"" + ready
                        + "\"}]}}");
    }

    private void budget(String spec, String status) {
        api.create(
                "poddisruptionbudgets.policy/default",
                "{apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {name: keep}, spec: {" + spec
                        + "minAvailable: 1, selector: {matchLabels: {app: web}}}}");
        api.patch(
                "poddisruptionbudgets.policy/default/keep/status",
                "merge",
                "{\"status\":{\"observedGeneration\":1,\"desiredHealthy\":1," + status + "}}");
    }

    private void evict(String eviction) {
        api.call(Verb.CREATE, "pods/default/web/eviction", "", yaml(eviction));
    }

    private boolean isLeaving() {
        return api.get("pods/default/web").object("metadata").has("deletionTimestamp");
    }

    @Test
    void aBudgetIsUsedUp() {
        budget("", "\"currentHealthy\":2,\"disruptionsAllowed\":1");
        evict(EVICTION);
        assertThat(isLeaving()).isTrue();
        assertThat(api.get("pods/default/web").objects("status", "conditions"))
                .anyMatch(condition -> condition.string("type").equals("DisruptionTarget")
                        && condition.string("reason").equals("EvictionByEvictionAPI"));
        var status = api.get("poddisruptionbudgets.policy/default/keep").object("status");
        assertThat(status.integer("disruptionsAllowed")).isZero();
        assertThat(status.object("disruptedPods").has("web")).isTrue();
    }

    @Test
    void aBudgetWithNothingLeftRefuses() {
        budget("", "\"currentHealthy\":1,\"disruptionsAllowed\":0");
        var error = refused(() -> evict(EVICTION));
        assertThat(error.reason()).isEqualTo(StatusError.Reason.TOO_MANY_REQUESTS);
        assertThat(error.text()).isEqualTo("Cannot evict pod as it would violate the pod's disruption budget.");
        assertThat(error.details().array("causes").toString())
                .contains("The disruption budget keep needs 1 healthy pods and has 1 currently");
        assertThat(isLeaving()).isFalse();
    }

    @Test
    void aBudgetThatNobodyHasLookedAtRefuses() {
        budget("", "\"observedGeneration\":0,\"disruptionsAllowed\":1");
        var error = refused(() -> evict(EVICTION));
        assertThat(error.details().array("causes").toString())
                .contains("The disruption budget keep is still being processed by the server.");
    }

    @ParameterizedTest
    @ValueSource(strings = {"Pending", "Succeeded", "Failed"})
    void aPodThatIsNotRunningIsMissedByNobody(String phase) {
        budget("", "\"currentHealthy\":0,\"disruptionsAllowed\":0");
        status(phase, "False");
        evict(EVICTION);
        assertThat(api.exists("pods/default/web") && !isLeaving()).isFalse();
    }

    @Test
    void anUnhealthyPodMayGoWhereTheBudgetAlwaysAllowsIt() {
        budget("unhealthyPodEvictionPolicy: AlwaysAllow, ", "\"currentHealthy\":0,\"disruptionsAllowed\":0");
        status("Running", "False");
        evict(EVICTION);
        assertThat(isLeaving()).isTrue();
    }

    @Test
    void anUnhealthyPodMayGoWhereEnoughOthersAreHealthy() {
        budget("", "\"currentHealthy\":1,\"disruptionsAllowed\":0");
        status("Running", "False");
        evict(EVICTION);
        assertThat(isLeaving()).isTrue();
        assertThat(api.get("poddisruptionbudgets.policy/default/keep")
                        .object("status", "disruptedPods")
                        .size())
                .isZero();
    }

    @Test
    void aDryRunInTheOptionsEvictsNobody() {
        budget("", "\"currentHealthy\":2,\"disruptionsAllowed\":1");
        evict("{apiVersion: policy/v1, kind: Eviction, metadata: {name: web}, deleteOptions: {dryRun: [All]}}");
        assertThat(isLeaving()).isFalse();
        assertThat(api.get("poddisruptionbudgets.policy/default/keep").integer("status", "disruptionsAllowed"))
                .isEqualTo(1);
    }

    @Test
    void anInvalidDryRunInTheOptionsEvictsNobody() {
        var error = refused(() -> evict(
                "{apiVersion: policy/v1, kind: Eviction, metadata: {name: web}, deleteOptions: {dryRun: [Some]}}"));
        assertThat(error.reason()).isEqualTo(StatusError.Reason.INVALID);
        assertThat(isLeaving()).isFalse();
    }

    @Test
    void anEvictionOfAnotherPodEvictsNobody() {
        var error = refused(() -> evict("{apiVersion: policy/v1, kind: Eviction, metadata: {name: other}}"));
        assertThat(error.reason()).isEqualTo(StatusError.Reason.BAD_REQUEST);
        assertThat(error.text()).isEqualTo("name in URL does not match name in Eviction object");
        assertThat(isLeaving()).isFalse();
    }
}

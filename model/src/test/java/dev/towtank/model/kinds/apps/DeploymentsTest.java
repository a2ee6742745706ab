package dev.towtank.model.kinds.apps;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.model.Json;
import dev.towtank.model.kinds.KindTrial;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DeploymentsTest {

    private static final KindTrial TRIAL = new KindTrial(Deployments.KIND);

    private static final String WEB = """
            metadata: {name: web, namespace: default, creationTimestamp: 2026-01-01T00:00:00Z}
            spec:
              selector: {matchLabels: {app: web}}
              template:
                metadata: {labels: {app: web}}
                spec:
                  containers:
                  - {name: nginx, image: "nginx:1"}
                  - {name: sidecar, image: "proxy:2"}
            """;

    @Test
    void fillsInWhatUsersLeaveOut() {
        var spec = TRIAL.stored(WEB).object("spec");

        assertThat(spec.without("template").without("selector")).isEqualTo(KindTrial.yaml("""
                replicas: 1
                strategy: {type: RollingUpdate, rollingUpdate: {maxUnavailable: 25%, maxSurge: 25%}}
                revisionHistoryLimit: 10
                progressDeadlineSeconds: 600
                """));
        assertThat(spec.string("template", "spec", "restartPolicy")).isEqualTo("Always");
    }

    @Test
    void keepsARecreateStrategyAsItIs() {
        var stored = TRIAL.stored(WEB + "  strategy: {type: Recreate}\n");

        assertThat(stored.object("spec", "strategy")).isEqualTo(Json.Obj.of("type", Json.of("Recreate")));
    }

    @Test
    void acceptsAPlainDeployment() {
        assertThat(TRIAL.errors(WEB)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            replicas: -1 | spec.replicas: Invalid value: -1: must be greater than or equal to 0
            minReadySeconds: -1 | spec.minReadySeconds: Invalid value: -1: must be greater than or equal to 0
            progressDeadlineSeconds: 0 | spec.progressDeadlineSeconds: Invalid value: 0: must be greater than minReadySeconds
            revisionHistoryLimit: -1 | spec.revisionHistoryLimit: Invalid value: -1: must be greater than or equal to 0
            strategy: {type: Sometimes} | spec.strategy: Unsupported value: {"Type":"Sometimes","RollingUpdate":null}: supported values: "Recreate", "RollingUpdate"
            strategy: {type: Recreate, rollingUpdate: {}} | spec.strategy.rollingUpdate: Forbidden: may not be specified when strategy `type` is 'Recreate'
            strategy: {rollingUpdate: {maxUnavailable: 0, maxSurge: 0%}} | spec.strategy.rollingUpdate.maxUnavailable: Invalid value: 0: may not be 0 when `maxSurge` is 0
            strategy: {rollingUpdate: {maxUnavailable: 101%}} | spec.strategy.rollingUpdate.maxUnavailable: Invalid value: "101%": must not be greater than 100%
            strategy: {rollingUpdate: {maxSurge: -1}} | spec.strategy.rollingUpdate.maxSurge: Invalid value: -1: must be greater than or equal to 0
            """)
    void refusesWhatCannotBe(String field, String message) {
        assertThat(TRIAL.errors(WEB + "  " + field + "\n")).containsExactly(message);
    }

    @Test
    void wantsASelectorThatMatchesItsTemplate() {
        assertThat(TRIAL.errors(WEB.replace("selector: {matchLabels: {app: web}}", "replicas: 1")))
                .containsExactly(
                        "spec.selector: Required value",
                        "spec.template.metadata.labels: Invalid value: {\"app\":\"web\"}: `selector` does not match"
                                + " template `labels`");
        assertThat(TRIAL.errors(WEB.replace("{matchLabels: {app: web}}", "{matchLabels: {app: db}}")))
                .containsExactly("spec.template.metadata.labels: Invalid value: {\"app\":\"web\"}: `selector` does not"
                        + " match template `labels`");
        assertThat(TRIAL.errors(WEB.replace("{matchLabels: {app: web}}", "{}")))
                .containsExactly("spec.selector: Invalid value: {}: empty selector is invalid for deployment");
    }

    @Test
    void saysWhatAnEmptyOneLacks() {
        assertThat(TRIAL.errors("{metadata: {name: a}}"))
                .containsExactly(
                        "spec.selector: Required value",
                        "spec.template.metadata.labels: Invalid value: null: `selector` does not match template"
                                + " `labels`",
                        "spec.template.spec.containers: Required value");
    }

    @Test
    void restartsItsPodsForever() {
        assertThat(TRIAL.errors(WEB.replace(
                        "      containers:",
                        "      restartPolicy: Never\n      activeDeadlineSeconds: 5\n      containers:")))
                .containsExactly(
                        "spec.template.spec.restartPolicy: Unsupported value: \"Never\": supported values: \"Always\"",
                        "spec.template.spec.activeDeadlineSeconds: Forbidden: activeDeadlineSeconds in ReplicaSet is not"
                                + " Supported");
    }

    @Test
    void neverChangesItsSelector() {
        assertThat(TRIAL.updateErrors(WEB, WEB)).isEmpty();
        assertThat(TRIAL.updateErrors(WEB, WEB.replace("app: web", "app: db")))
                .containsExactly(
                        "spec.selector: Invalid value: {\"matchLabels\":{\"app\":\"db\"}}: field is immutable");
    }

    @Test
    void countsInTheStatusMustAddUp() {
        assertThat(TRIAL.statusErrors(
                        "{status: {collisionCount: 2}}",
                        "{status: {replicas: 1, updatedReplicas: 2, readyReplicas: -1, availableReplicas: 1,"
                                + " collisionCount: 1}}"))
                .containsExactly(
                        "status.readyReplicas: Invalid value: -1: must be greater than or equal to 0",
                        "status.updatedReplicas: Invalid value: 2: cannot be greater than status.replicas",
                        "status.availableReplicas: Invalid value: 1: cannot be greater than readyReplicas",
                        "status.collisionCount: Invalid value: 1: cannot be decremented");
    }

    @Test
    void showsTheColumnsOfKubectl() {
        assertThat(TRIAL.headings())
                .containsExactly("Name", "Ready", "Up-to-date", "Available", "Age", "Containers", "Images", "Selector");
        var object = TRIAL.stored(WEB).with("status", KindTrial.yaml("{readyReplicas: 1, updatedReplicas: 1}"));
        assertThat(TRIAL.row(object, "2026-01-01T00:01:00Z"))
                .containsExactly("web", "1/1", "1", "0", "60s", "nginx,sidecar", "nginx:1,proxy:2", "app=web");
    }

    @Test
    void isKnownByItsShortNameAndScales() {
        assertThat(Deployments.KIND.names().shortNames()).containsExactly("deploy");
        assertThat(Deployments.KIND.names().categories()).containsExactly("all");
        assertThat(Deployments.KIND.scale())
                .hasValueSatisfying(scale -> assertThat(scale.specReplicas()).isEqualTo(List.of("spec", "replicas")));
        assertThat(Deployments.KIND.hasStatus()).isTrue();
    }

    @Test
    void warnsAboutNamesThatMakeOddHostNames() {
        assertThat(Deployments.KIND.rules().warnings(TRIAL.stored(WEB))).isEmpty();
        assertThat(Deployments.KIND.rules().warnings(TRIAL.stored(WEB.replace("name: web", "name: web.v1"))))
                .containsExactly(
                        "metadata.name: this is used in Pod names and hostnames, which can result in surprising"
                                + " behavior; a DNS label is recommended: [must not contain dots]");
    }
}

package dev.towtank.system;

import static dev.towtank.system.ApplicationYaml.configMap;
import static dev.towtank.system.ApplicationYaml.hook;
import static dev.towtank.system.ApplicationYaml.job;
import static dev.towtank.system.ApplicationYaml.wave;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// A server that is killed in the middle of a sync, at each of its steps.
class GitOpsCrashIT extends ApplicationCase {

    @RegisterExtension
    static final SharedServer SERVER = new SharedServer();

    @Override
    SharedServer server() {
        return SERVER;
    }

    private void kill() {
        SERVER.replace(RunningTowtank::killAndStart);
    }

    @Test
    void aSyncGoesOnNoHookRunsTwiceAndNothingIsPrunedWrongly() {
        repository
                .with("a/stays.yaml", configMap("stays", ""))
                .with("a/goes.yaml", configMap("goes", ""))
                .commit();
        apply("a", AUTOMATED);
        awaitHealthy();
        var stays = kubectl.run("get", "configmap", "stays", "-o", "jsonpath={.metadata.uid}");
        repository
                .without("a/goes.yaml")
                .with("a/before.yaml", job("before", hook("PreSync"), "sleep 1"))
                .with("a/middle.yaml", job("middle", wave(1), "sleep 1"))
                .with("a/late.yaml", configMap("late", wave(2)))
                .with("a/after.yaml", job("after", hook("PostSync"), "sleep 1"))
                .commit();
        for (var message : List.of(
                "waiting for completion of hook batch/Job/before",
                "waiting for healthy state of batch/Job/middle",
                "waiting for completion of hook batch/Job/after")) {
            await("{.status.operationState.message}", message);
            kill();
        }
        await("{.status.history[*].id}/{.status.operationState.phase}", "0 1/Succeeded");
        var jobs = kubectl.run("get", "jobs", "-o", "jsonpath={.items[*].metadata.uid}");
        kill();
        awaitHealthy();
        for (var each : List.of("before", "middle", "after")) {
            assertThat(kubectl.run("get", "pods", "-l", "job-name=" + each, "-o", "name")
                            .lines())
                    .as("pods of %s", each)
                    .hasSize(1);
            assertThat(kubectl.run("get", "job", each, "-o", "jsonpath={.status.succeeded}"))
                    .isEqualTo("1");
        }
        assertThat(kubectl.run("get", "jobs", "-o", "jsonpath={.items[*].metadata.uid}"))
                .isEqualTo(jobs);
        assertThat(kubectl.run("get", "configmap", "stays", "-o", "jsonpath={.metadata.uid}"))
                .isEqualTo(stays);
        assertThat(kubectl.run("get", "configmaps", "-o", "name"))
                .contains("configmap/late")
                .doesNotContain("configmap/goes");
        assertThat(status("{.status.history[*].id}")).isEqualTo("0 1");
    }
}

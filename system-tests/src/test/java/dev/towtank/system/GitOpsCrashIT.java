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

    // A step that ends by itself may be over before anybody looks.
    private static final String UNTIL_LET_GO = "until test -e /tmp/go; do sleep 0.1; done";

    private void letGo(String job) {
        var pods = "job-name=" + job;
        kubectl.await("pods", "--selector=" + pods, "{.status.phase}", "Running");
        var pod = kubectl.run("get", "pods", "-l", pods, "-o", "name").strip();
        kubectl.until(List.of("gone on"), "exec", pod, "--", "sh", "-c", "touch /tmp/go; echo gone on");
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
                .with("a/before.yaml", job("before", hook("PreSync"), UNTIL_LET_GO))
                .with("a/middle.yaml", job("middle", wave(1), UNTIL_LET_GO))
                .with("a/late.yaml", configMap("late", wave(2)))
                .with("a/after.yaml", job("after", hook("PostSync"), UNTIL_LET_GO))
                .commit();
        for (var step : List.of("completion of hook|before", "healthy state of|middle", "completion of hook|after")) {
            await("{.status.operationState.message}", "waiting for " + step.replace("|", " batch/Job/"));
            kill();
            letGo(step.substring(step.indexOf('|') + 1));
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

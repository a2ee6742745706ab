package dev.towtank.node.pods;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.model.Json;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Resource;
import dev.towtank.model.YamlText;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UnsupportedSettingsTest {

    private static Resource pod(String spec) {
        return Resource.of(
                (Json.Obj) YamlText.parse("{apiVersion: v1, kind: Pod, metadata: {name: p}, spec: " + spec + "}"));
    }

    @Test
    void namesWhatAPodDoesNotGet() {
        var pod = pod("""
                {hostPID: true, hostIPC: true, securityContext: {sysctls: [{name: kernel.shm_rmid_forced, value: "1"}]},
                containers: [{name: a, securityContext: {privileged: true, capabilities: {add: [SYS_ADMIN]}}}, {name: b}]}
                """);

        assertThat(UnsupportedSettings.of(pod))
                .containsExactly(
                        "spec.hostPID",
                        "spec.hostIPC",
                        "spec.securityContext.sysctls",
                        "securityContext of container a: privileged",
                        "securityContext of container a: capabilities.add");
        assertThat(UnsupportedSettings.of(pod("{containers: [{name: a}]}"))).isEmpty();
        var builder = pod.spec().objects("containers").getFirst();
        assertThat(UnsupportedSettings.isBuilder(pod, builder)).isTrue();
        assertThat(UnsupportedSettings.isBuilder(new Resource(new LogicalCluster("other"), pod.json()), builder))
                .isFalse();
        assertThat(UnsupportedSettings.message(List.of("spec.hostPID"), true))
                .startsWith("this node gives no container rights over the machine, so it runs without spec.hostPID;");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            1000 | {}
            3    | {requests: {cpu: 1, memory: 1Gi}, limits: {cpu: 1, memory: 1Gi}}
            750  | {requests: {memory: 1Gi}}
            999  | {requests: {cpu: 1}}
            4    | {requests: {memory: 8Gi}}
            """)
    void whoAskedForLessMemoryIsEndedFirst(int score, String resources) {
        var pod = pod("{containers: [{name: a, resources: " + resources + "}]}");
        var container = pod.spec().objects("containers").getFirst();

        assertThat(OutOfMemoryScore.of(pod, container, 4L << 30)).isEqualTo(score);
    }
}

package dev.towtank.app.applications;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.model.Json;
import dev.towtank.model.YamlText;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class AppExplanationTest {

    private static Json.Obj object(String yaml) {
        return (Json.Obj) YamlText.parse(yaml);
    }

    private static String explained(String status, Surrounding surrounding) {
        return String.join(
                "\n",
                AppExplanation.of(
                        object("{metadata: {name: demo}}").with("status", object(status)),
                        surrounding,
                        Instant.parse("2026-01-01T00:01:05Z")));
    }

    @Test
    void namesWhatBlocksSinceWhenAndWhatHelps() {
        var claim = object("""
                {involvedObject: {kind: PersistentVolumeClaim, name: models}, type: Normal, reason: ExternalProvisioning, message: nobody}
                """);
        assertThat(explained("""
                sync: {status: OutOfSync}
                health: {status: Progressing}
                operationState:
                  phase: Running
                  startedAt: "2026-01-01T00:00:00Z"
                  message: waiting for healthy state of /PersistentVolumeClaim/models
                  syncResult:
                    resources:
                    - {kind: ConfigMap, name: done, hookPhase: Succeeded}
                    - {kind: PersistentVolumeClaim, name: models, hookPhase: Running}
                resources: [{kind: PersistentVolumeClaim, name: models, syncWave: -6, health: {status: Progressing}}]
                """, new Surrounding(List.of(), List.of(claim)))).isEqualTo("""
                        demo: OutOfSync, Progressing
                          Syncing for 1m5s: waiting for healthy state of /PersistentVolumeClaim/models
                          Blocked by PersistentVolumeClaim models (wave -6): it is not healthy
                            ExternalProvisioning: nobody
                            To go on: somebody has to bind models: use a StorageClass that is provisioned here, such as local-path, which waits for the first pod""");
    }

    @Test
    void namesTheRightThatAHookLacked() {
        assertThat(AppExplanation.missingRight("Error: configmaps \"x\" is forbidden: User"
                        + " \"system:serviceaccount:ns:builder\" cannot get resource \"imagestreamtags\" in API group"
                        + " \"image.openshift.io\" in the namespace \"ns\""))
                .contains("    To go on: give the ServiceAccount ns/builder a Role with"
                        + " {apiGroups: [\"image.openshift.io\"], resources: [imagestreamtags], verbs: [get]}");
        assertThat(AppExplanation.missingRight("no")).isEmpty();
    }

    @Test
    void tellsWhyNothingIsApplied() {
        assertThat(explained(
                        "{sync: {status: Unknown}, conditions: [{type: ComparisonError, message: bad chart}]}",
                        Surrounding.NOTHING))
                .isEqualTo("""
                        demo: Unknown, health not known
                          ComparisonError: bad chart
                          Nothing is applied until this is mended in Git or in the Application.""");
    }

    @Test
    void tellsWhereTheTimeOfAFinishedSyncWent() {
        assertThat(explained("""
                sync: {status: Synced}
                health: {status: Healthy}
                operationState:
                  phase: Succeeded
                  startedAt: "2026-01-01T00:00:00Z"
                  finishedAt: "2026-01-01T00:00:05Z"
                  syncResult:
                    revision: "0123456789"
                    resources:
                    - {kind: ConfigMap, name: one, startedAt: "2026-01-01T00:00:00.100Z", finishedAt: "2026-01-01T00:00:00.120Z"}
                    - {group: apps, kind: Deployment, name: web, startedAt: "2026-01-01T00:00:00.200Z", finishedAt: "2026-01-01T00:00:04.300Z"}
                    - {kind: ConfigMap, name: beside, startedAt: "2026-01-01T00:00:00.200Z", finishedAt: "2026-01-01T00:00:00.210Z"}
                    - {group: batch, kind: Job, name: after, hookType: PostSync, startedAt: "2026-01-01T00:00:04.350Z", finishedAt: "2026-01-01T00:00:05.000Z"}
                resources: [{group: apps, kind: Deployment, name: web, syncWave: 2}]
                """, Surrounding.NOTHING)).isEqualTo("""
                        demo: Synced, Healthy
                          Synced to 0123456 in 5s, 4 objects.
                          Where the time went:
                              4.1s  from 0.1s: apps/Deployment web (wave 2), beside 1 that took less
                              0.6s  from 4.2s: the PostSync hook batch/Job after
                            The other step took no time to speak of.""");
    }
}

package dev.towtank.app.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.model.Json;
import dev.towtank.model.YamlText;
import java.util.List;
import org.junit.jupiter.api.Test;

class SyncPageTest {

    @Test
    void tellsHowASyncWentAndRunsNothing() {
        var page = SyncPage.of(
                (Json.Obj) YamlText.parse("""
                metadata: {name: demo}
                spec: {destination: {namespace: spot}}
                status:
                  sync: {status: OutOfSync}
                  health: {status: Degraded}
                  history: [{id: 0, deployedAt: "2026-11-17T10:00:00Z", revision: abc}]
                  resources:
                  - {kind: ConfigMap, group: "", name: one, syncWave: -3, health: {status: Healthy}}
                  - {kind: ConfigMap, group: "", name: later, syncWave: 7, health: {status: Missing}}
                  - {kind: Job, group: batch, name: of-another-sync, hook: true}
                  operationState:
                    phase: Failed
                    message: "one or more tasks failed, reason: because"
                    startedAt: "2026-11-17T10:00:00Z"
                    syncResult:
                      revision: def
                      resources:
                      - {group: "", kind: ConfigMap, name: one, status: Synced, hookPhase: Succeeded, syncPhase: Sync,
                         startedAt: "2026-11-17T10:00:00.000Z", finishedAt: "2026-11-17T10:00:00.100Z", message: created}
                      - {group: batch, kind: Job, name: check, status: Synced, hookPhase: Failed, hookType: PostSync,
                         syncPhase: PostSync, startedAt: "2026-11-17T10:00:00.100Z",
                         finishedAt: "2026-11-17T10:00:00.400Z", message: "<script>alert(1)</script>"}
                """), List.of("demo: OutOfSync, Degraded", "  To go on: <b>mend it</b>"));
        assertThat(page)
                .contains(
                        ">one or more tasks failed<", "Job check", "PostSync hook", "0.3 s", "left:25.00%;width:75.00%")
                .contains(
                        "<td>wave -3</td>",
                        "To go on: &lt;b&gt;mend it",
                        "&lt;script&gt;",
                        "default-src &#39;none&#39;")
                .doesNotContain("<script", "of-another-sync");
        assertThat(page.substring(page.indexOf("<td>wave 7</td>")))
                .as("what it did not come to")
                .contains("ConfigMap later", "not started", "Missing");
    }

    @Test
    void anApplicationThatWasNeverSyncedHasAPage() {
        assertThat(SyncPage.of((Json.Obj) YamlText.parse("{metadata: {name: new}}"), List.of("No sync has run.")))
                .contains("<h1>new</h1>", "No sync has run.")
                .doesNotContain("Timeline");
    }
}

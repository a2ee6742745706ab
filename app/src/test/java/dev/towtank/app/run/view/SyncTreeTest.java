package dev.towtank.app.run.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.model.Json;
import dev.towtank.model.YamlText;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class SyncTreeTest {

    private static final Instant NOW = Instant.parse("2026-01-01T00:00:05.400Z");

    private static final SyncTree TREE = new SyncTree((Json.Obj) YamlText.parse("""
            metadata: {name: demo}
            status:
              resources:
              - {kind: ConfigMap, name: one, syncWave: -1}
              - {group: apps, kind: Deployment, name: web, health: {status: Progressing, message: 0 of 1 updated}}
              - {kind: ConfigMap, name: two, syncWave: 3}
              operationState:
                syncResult:
                  resources:
                  - {kind: Namespace, name: ns, hookPhase: Succeeded, syncPhase: PreSync, startedAt: "2026-01-01T00:00:00.100Z"}
                  - {kind: ConfigMap, name: one, hookPhase: Succeeded, syncPhase: Sync, startedAt: "2026-01-01T00:00:00.200Z"}
                  - {group: apps, kind: Deployment, name: web, hookPhase: Running, syncPhase: Sync, startedAt: "2026-01-01T00:00:01.000Z"}
            """));

    @Test
    void whatRunsIsShownInFull() {
        assertThat(TREE.lines(new Style(false, true), 80, 24, NOW))
                .containsExactly(
                        "demo  ━━━━━━━━━━━━────────────  2 of 4",
                        "  ✓ PreSync       Namespace ns",
                        "  ✓ wave -1       ConfigMap one",
                        "  ● wave 0        ",
                        "      ● Deployment web  0 of 1 updated  4.4s",
                        "  ○ wave 3        ConfigMap two");
    }

    @Test
    void whereThereIsNoRoomTheRestIsCounted() {
        assertThat(TREE.lines(Style.PLAIN, 30, 9, NOW))
                .containsExactly(
                        "demo  ============----------~",
                        "  + 2 steps are over",
                        "  * wave 0        ",
                        "      * Deployment web  0 of~",
                        "  . 1 step is to come");
    }

    @Test
    void whenTheSyncHasSucceededNothingRuns() {
        var over = new SyncTree((Json.Obj) YamlText.parse("""
                metadata: {name: demo}
                status:
                  operationState:
                    phase: Succeeded
                    syncResult:
                      resources: [{kind: ConfigMap, name: one, hookPhase: Running, syncPhase: Sync}]
                """));
        assertThat(over.lines(Style.PLAIN, 80, 24, NOW))
                .containsExactly("demo  ========================  1 of 1", "  + wave 0        ConfigMap one");
    }
}

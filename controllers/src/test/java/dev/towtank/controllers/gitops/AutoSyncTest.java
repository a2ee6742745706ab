package dev.towtank.controllers.gitops;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.controllers.gitops.ApplicationFacts.Compared;
import dev.towtank.controllers.gitops.api.ResourceKey;
import dev.towtank.controllers.gitops.sync.Managed;
import dev.towtank.model.Json;
import dev.towtank.model.YamlText;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// When a sync begins by itself, and with what.
class AutoSyncTest {

    private static final Instant NOW = Instant.parse("2026-01-01T00:10:00Z");
    private static final String SOURCE = "{repoURL: r, path: p}";

    private static Json.Obj object(String yaml) {
        return (Json.Obj) YamlText.parse(yaml);
    }

    private static Managed managed(String name, boolean isWanted, boolean isSynced) {
        var object = object(
                "{apiVersion: v1, kind: ConfigMap, metadata: {name: " + name + ", namespace: d, annotations: {}}}");
        return new Managed(
                ResourceKey.of(object),
                isWanted ? Optional.of(object) : Optional.empty(),
                Optional.of(object),
                Optional.empty(),
                Optional.empty(),
                isSynced);
    }

    private static AutoSync decide(String automated, String state, Managed... resources) {
        return decide(automated, "{}", state, resources);
    }

    private static AutoSync decide(String automated, String retry, String state, Managed... resources) {
        var spec = new ApplicationSpec(
                "app",
                object("{source: %s, syncPolicy: {automated: %s, retry: %s}}".formatted(SOURCE, automated, retry)));
        var compared = new Compared(List.of("new"), List.of("Directory"), List.of(resources), List.of(), Set.of());
        return AutoSync.decide(spec, compared, object(state), NOW);
    }

    private static String state(String phase, String revision, String finished, int healed) {
        return "{phase: %s, finishedAt: '%s', operation: {sync: {autoHealAttemptsCount: %d}}, syncResult: {revision: %s, source: %s}}"
                .formatted(phase, finished, healed, revision, SOURCE);
    }

    private static final Managed SYNCED = managed("good", true, true);
    private static final Managed DRIFTED = managed("drifted", true, false);
    private static final Managed LEFT = managed("left", false, false);

    @Test
    void aNewCommitIsSyncedAsAWhole() {
        var old = state("Succeeded", "old", "2026-01-01T00:00:00Z", 0);
        assertThat(decide("{}", old, SYNCED)).isEqualTo(AutoSync.NOTHING);
        assertThat(decide("{enabled: false}", old, DRIFTED)).isEqualTo(AutoSync.NOTHING);
        assertThat(decide("{prune: true}", old, DRIFTED)).isInstanceOfSatisfying(AutoSync.Begin.class, begin -> {
            assertThat(begin.operation().string("sync", "revision")).isEqualTo("new");
            assertThat(begin.operation().flag("sync", "prune")).isTrue();
            assertThat(begin.operation().object("sync").has("resources")).isFalse();
            assertThat(begin.operation().integer("retry", "limit")).isEqualTo(5);
            assertThat(begin.operation().flag("initiatedBy", "automated")).isTrue();
        });
        assertThat(decide("{}", "{limit: 0}", old, DRIFTED))
                .isInstanceOfSatisfying(
                        AutoSync.Begin.class,
                        begin -> assertThat(begin.operation().object("retry")).isEqualTo(object("{limit: 0}")));
    }

    @Test
    void whatFailedIsNotTriedAgainForTheSameCommit() {
        var failed = state("Failed", "new", "2026-01-01T00:00:00Z", 0);
        assertThat(decide("{selfHeal: true}", failed, DRIFTED))
                .isInstanceOfSatisfying(
                        AutoSync.Refused.class,
                        refused -> assertThat(refused.why()).startsWith("Failed last sync attempt to [new]"));
    }

    @Test
    void nothingIsWipedOutUnlessThatIsMeant() {
        var old = state("Succeeded", "old", "2026-01-01T00:00:00Z", 0);
        assertThat(decide("{prune: true}", old, LEFT))
                .isInstanceOfSatisfying(
                        AutoSync.Refused.class,
                        refused -> assertThat(refused.why()).contains("auto-sync will wipe out all resources"));
        assertThat(decide("{prune: true, allowEmpty: true}", old, LEFT)).isInstanceOf(AutoSync.Begin.class);
        assertThat(decide("{}", old, LEFT, SYNCED)).isEqualTo(AutoSync.NOTHING);
    }

    @Test
    void onlyWhatDriftedIsHealedAndOnlyWhereAsked() {
        var done = state("Succeeded", "new", "2026-01-01T00:00:00Z", 0);
        assertThat(decide("{}", done, DRIFTED, SYNCED)).isEqualTo(AutoSync.NOTHING);
        assertThat(decide("{selfHeal: true}", done, DRIFTED, SYNCED))
                .isInstanceOfSatisfying(AutoSync.Begin.class, begin -> {
                    assertThat(begin.operation().objects("sync", "resources"))
                            .containsExactly(object("{kind: ConfigMap, name: drifted, namespace: d}"));
                    assertThat(begin.operation().integer("sync", "autoHealAttemptsCount"))
                            .isEqualTo(1);
                });
    }

    /// C1: after 2, 6, 18, 54 and 162 seconds, then every 300; and from the start when it was calm for long.
    @ParameterizedTest
    @CsvSource({"0, 0", "1, 2", "2, 6", "3, 18", "4, 54", "5, 162", "6, 300", "7, 300", "50, 300"})
    void c1WhoDisagreeTakeTheirTime(int healed, int seconds) {
        var before = state("Succeeded", "new", NOW.minusSeconds(seconds - 1L).toString(), healed);
        var after = state("Succeeded", "new", NOW.minusSeconds(seconds).toString(), healed);
        if (seconds > 0) {
            assertThat(decide("{selfHeal: true}", before, DRIFTED)).isEqualTo(new AutoSync.Later(NOW.plusSeconds(1)));
        }
        assertThat(decide("{selfHeal: true}", after, DRIFTED))
                .isInstanceOfSatisfying(
                        AutoSync.Begin.class,
                        begin -> assertThat(begin.operation().integer("sync", "autoHealAttemptsCount"))
                                .isEqualTo(healed + 1));
        var calm = state("Succeeded", "new", NOW.minusSeconds(400).toString(), healed);
        assertThat(decide("{selfHeal: true}", calm, DRIFTED))
                .isInstanceOfSatisfying(
                        AutoSync.Begin.class,
                        begin -> assertThat(begin.operation().integer("sync", "autoHealAttemptsCount"))
                                .isEqualTo(1));
    }

    @Test
    void anAttemptIsRepeatedWithItsCommitOrTheNewestWhereAsked() {
        var state = object("{operation: {sync: {revision: old}, retry: {limit: 2}}, finishedAt: x,"
                + " syncResult: {revision: old, resources: [{name: a}]}}");
        assertThat(Operations.retried(state, List.of("new")).string("operation", "sync", "revision"))
                .isEqualTo("old");
        var fresh =
                Operations.retried(state.with(List.of("operation", "retry", "refresh"), Json.of(true)), List.of("new"));
        assertThat(fresh.string("operation", "sync", "revision")).isEqualTo("new");
        assertThat(fresh.object("syncResult")).isEqualTo(object("{revision: new}"));
        var many = object(
                "{operation: {sync: {revisions: [a, b]}, retry: {refresh: true}}, syncResult: {revisions: [a, b]}}");
        assertThat(Operations.retried(many, List.of("c", "d"))
                        .array("operation", "sync", "revisions")
                        .strings())
                .containsExactly("c", "d");
    }

    /// As documented, and not as the slip in upstream's code has it.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "1 | {} | 5",
                "2 | {} | 10",
                "3 | {} | 20",
                "10 | {} | 180",
                "1 | {duration: 1s, factor: 3, maxDuration: 5s} | 1",
                "2 | {duration: 1s, factor: 3, maxDuration: 5s} | 3",
                "3 | {duration: 1s, factor: 3, maxDuration: 5s} | 5",
                "1 | {duration: '7'} | 7",
            })
    void retriesWaitAsDocumented(int count, String backoff, int seconds) {
        var state = object("{retryCount: %d, finishedAt: '2026-01-01T00:00:00Z', operation: {retry: {backoff: %s}}}"
                .formatted(count, backoff));
        assertThat(Operations.retryAt(state))
                .isEqualTo(Instant.parse("2026-01-01T00:00:00Z").plusSeconds(seconds));
    }
}

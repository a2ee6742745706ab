package dev.towtank.archive.retention;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.towtank.archive.ArchiveRefusal;
import dev.towtank.archive.Runs;
import dev.towtank.archive.query.ArchivedRuns;
import dev.towtank.archive.query.RunQuery;
import dev.towtank.archive.sql.Database;
import dev.towtank.archive.sql.Databases;
import dev.towtank.archive.sql.Sql;
import dev.towtank.archive.store.Archive;
import dev.towtank.archive.watch.ArchiveRunStore;
import dev.towtank.archive.watch.Archiving;
import dev.towtank.archive.watch.Logs;
import dev.towtank.archive.watch.WatchSettings;
import java.io.ByteArrayInputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RetentionTest {

    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

    @TempDir
    Path directory;

    private static final Map<String, String> POLICIES = Map.of("defaultRetention", "24h", "policies", """
        - name: theirs
          selector: {matchLabels: {team: [red]}}
          retention: 1
        - name: ours
          selector: {matchNamespaces: [dev], matchLabels: {team: [green, blue]}, matchStatuses: [Succeeded]}
          retention: 10d
        - name: all of dev
          selector: {matchNamespaces: [dev]}
          retention: "0"
        """);

    @Test
    void theFirstRuleThatMatchesDecidesHowLongARunIsKept() {
        for (var url : Databases.urls(directory)) {
            var time = new Instant[] {NOON};
            try (var database = Database.open(url);
                    var archive = new Archive(database, () -> time[0], Archive.Limits.DEFAULT)) {
                var logs = new Logs((_, _) -> Optional.of(new ByteArrayInputStream(new byte[] {'x'})));
                new ArchiveRunStore(archive, WatchSettings.DEFAULT, logs)
                        .archive(new Archiving(
                                Runs.pipelineRun("p1", "[]"),
                                List.of(Runs.taskRun("t1", "p1", "[]")),
                                List.of(Runs.pod("Succeeded")),
                                List.of(),
                                true));
                var retention = new Retention(archive);
                var policy = RetentionPolicy.of(POLICIES);
                assertThat(retention.apply(policy, NOON.plus(Duration.ofDays(9))))
                        .isZero();
                assertThat(new ArchivedRuns(archive).list(RunQuery.ALL)).hasSize(1);
                time[0] = NOON.plus(Duration.ofDays(11));
                assertThat(retention.apply(policy, time[0])).isEqualTo(1);
                for (var table : List.of("results", "records", "record_labels", "logs", "log_chunks")) {
                    var counted = database.read(
                            session -> session.first(Sql.of("SELECT COUNT(*) FROM " + table), row -> row.getLong(1)));
                    assertThat(counted).as(table).contains(0L);
                }
            }
        }
    }

    @Test
    void theOlderNameOfTheDefaultWins() {
        assertThat(RetentionPolicy.of(Map.of("maxRetention", "3", "defaultRetention", "5"))
                        .otherwise())
                .isEqualTo(Duration.ofDays(3));
        assertThat(RetentionPolicy.of(Map.of()).otherwise()).isEqualTo(Duration.ofDays(30));
    }

    @Test
    void aMistakeIsToldByItsKey() {
        assertThatThrownBy(() -> RetentionPolicy.of(Map.of("defaultRetention", "soon")))
                .isInstanceOf(ArchiveRefusal.class)
                .hasMessageContaining("defaultRetention");
        assertThatThrownBy(() -> RetentionPolicy.of(Map.of("policies", "- {name: a, retention: never}")))
                .isInstanceOf(ArchiveRefusal.class)
                .hasMessageContaining("policies[0].retention");
    }
}

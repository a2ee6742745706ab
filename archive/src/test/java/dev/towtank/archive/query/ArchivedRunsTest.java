package dev.towtank.archive.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.towtank.archive.Runs;
import dev.towtank.archive.sql.Database;
import dev.towtank.archive.sql.Databases;
import dev.towtank.archive.sql.Sql;
import dev.towtank.archive.store.Archive;
import dev.towtank.archive.store.Rows;
import dev.towtank.archive.watch.ArchiveRunStore;
import dev.towtank.archive.watch.Archiving;
import dev.towtank.archive.watch.Logs;
import dev.towtank.archive.watch.WatchSettings;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ArchivedRunsTest {

    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

    @TempDir
    Path directory;

    private static ArchivedRuns filled(Database database) {
        var archive = new Archive(database, InstantSource.fixed(NOON), Archive.Limits.DEFAULT);
        var logs = new Logs((_, container) -> Optional.of(new ByteArrayInputStream(
                ("begin\nerror: in " + container + "\nend").getBytes(StandardCharsets.UTF_8))));
        new ArchiveRunStore(archive, WatchSettings.DEFAULT, logs)
                .archive(new Archiving(
                        Runs.pipelineRun("p1", "[]"),
                        List.of(Runs.taskRun("t1", "p1", "[]")),
                        List.of(Runs.pod("Succeeded")),
                        List.of(),
                        true));
        return new ArchivedRuns(archive);
    }

    @Test
    void aRunIsFoundByItsNameWithoutReadingTheOthers() {
        for (var url : Databases.urls(directory)) {
            try (var database = Database.open(url)) {
                filled(database);
                var name = database.dialect().text("data", List.of("metadata", "name"));
                var plan = database.read(session -> {
                    if (!url.contains("sqlite")) {
                        // Of two rows it would rather read all.
                        session.update(Sql.of("SET LOCAL enable_seqscan = off"));
                    }
                    return session.query(
                            Sql.builder()
                                    .add(url.contains("sqlite") ? "EXPLAIN QUERY PLAN" : "EXPLAIN")
                                    .add(" SELECT * FROM records WHERE parent = ? AND ", "dev")
                                    .add(name)
                                    .add(" = CAST(? AS TEXT) ORDER BY created_time DESC, id DESC LIMIT 51", "build")
                                    .build(),
                            row -> row.getString(url.contains("sqlite") ? 4 : 1));
                });
                assertThat(plan).as(url).anySatisfy(line -> assertThat(line).contains("records_by_object_name"));
            }
        }
    }

    @Test
    void labelsThatChangeAreFoundByTheirNewValuesOnly() {
        for (var url : Databases.urls(directory)) {
            try (var database = Database.open(url)) {
                var runs = filled(database);
                database.write(session -> {
                    var row = Rows.records(session, Sql.of("WHERE name = ?", "p1"))
                            .getFirst();
                    Rows.replace(session, row.with(row.type(), row.data().replace("\"blue\"", "\"red\""), 7));
                    return true;
                });
                assertThat(runs.list(RunQuery.ALL.labelled(Map.of("team", "blue"))))
                        .as(url)
                        .isEmpty();
                assertThat(runs.list(RunQuery.ALL.labelled(Map.of("team", "red"))))
                        .hasSize(1);
            }
        }
    }

    @Test
    void runsAreFoundByWhatPeopleType() {
        for (var url : Databases.urls(directory)) {
            try (var database = Database.open(url)) {
                var runs = filled(database);
                var found = List.of(
                        RunQuery.ALL,
                        RunQuery.ALL.in("dev"),
                        RunQuery.ALL.named("build"),
                        RunQuery.ALL.ofPipeline("build"),
                        RunQuery.ALL.with(ArchivedRun.Outcome.SUCCEEDED),
                        RunQuery.ALL.labelled(Map.of("team", "blue")),
                        RunQuery.ALL.since(Instant.parse("2026-01-01T09:00:00Z")));
                for (var query : found) {
                    assertThat(runs.list(query))
                            .as("%s", query)
                            .extracting(ArchivedRun::uid)
                            .containsExactly("p1");
                }
                var missed = List.of(
                        RunQuery.ALL.in("other"),
                        RunQuery.ALL.named("test"),
                        RunQuery.ALL.ofPipeline("test"),
                        RunQuery.ALL.with(ArchivedRun.Outcome.FAILED),
                        RunQuery.ALL.labelled(Map.of("team", "red")),
                        RunQuery.ALL.since(Instant.parse("2026-01-01T11:00:00Z")));
                for (var query : missed) {
                    assertThat(runs.list(query)).as("%s", query).isEmpty();
                }
            }
        }
    }

    @Test
    void logsAreFoundByTaskStepAndText() throws IOException {
        for (var url : Databases.urls(directory)) {
            try (var database = Database.open(url)) {
                var runs = filled(database);
                assertThat(runs.logs(runs.list(RunQuery.ALL).getFirst()))
                        .extracting(Archive.LogPart::task, Archive.LogPart::step)
                        .containsExactly(tuple("compile", "fetch"), tuple("compile", "make"));
                assertThat(runs.search(RunQuery.ALL, part -> part.step().equals("make"), "error:", 10))
                        .singleElement()
                        .satisfies(line -> {
                            assertThat(line.number()).isEqualTo(2);
                            assertThat(line.text()).isEqualTo("error: in step-make");
                        });
                assertThat(runs.search(RunQuery.ALL, _ -> true, "e", 3)).hasSize(3);
            }
        }
    }
}

package dev.towtank.archive.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.towtank.archive.ArchiveRefusal;
import dev.towtank.archive.sql.Database;
import dev.towtank.archive.sql.Databases;
import dev.towtank.archive.sql.PostgresDialect;
import dev.towtank.archive.sql.Session;
import dev.towtank.archive.sql.Sql;
import dev.towtank.archive.sql.SqliteDialect;
import dev.towtank.archive.store.Archive;
import dev.towtank.archive.store.RecordRow;
import dev.towtank.archive.store.ResultRow;
import dev.towtank.archive.store.Rows;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.YamlText;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class FilterTest {

    @TempDir
    Path directory;

    private static Json.Obj data(String name) {
        try (var stream = FilterTest.class.getResourceAsStream(name)) {
            return (Json.Obj) YamlText.parse(stream.readAllBytes());
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void everyFilterFindsItsRecordsInEveryDatabase() {
        for (var url : Databases.urls(directory)) {
            try (var database = filled(url)) {
                for (var fact : data("filters.yaml").objects("records")) {
                    assertThat(records(database, fact.string("filter")))
                            .as("%s on %s", fact.string("filter"), database.dialect())
                            .containsExactlyInAnyOrderElementsOf(
                                    fact.array("finds").strings());
                }
            }
        }
    }

    @Test
    void everyFilterFindsItsResultsInEveryDatabase() {
        for (var url : Databases.urls(directory)) {
            try (var database = filled(url)) {
                for (var fact : data("filters.yaml").objects("results")) {
                    assertThat(results(database, fact.string("filter")))
                            .as("%s on %s", fact.string("filter"), database.dialect())
                            .containsExactlyInAnyOrderElementsOf(
                                    fact.array("finds").strings());
                }
            }
        }
    }

    static Stream<Json.Obj> refusals() {
        return data("filters.yaml").objects("refused").stream();
    }

    @ParameterizedTest
    @MethodSource("refusals")
    void whatCannotBeAskedOfADatabaseIsRefusedWithItsPlace(Json.Obj fact) {
        var filter = fact.string("of").equals("results") ? Filter.RESULTS : Filter.RECORDS;
        assertThatThrownBy(() -> filter.where(fact.string("filter"), new SqliteDialect()))
                .isInstanceOfSatisfying(
                        ArchiveRefusal.class,
                        refusal -> assertThat(refusal.code()).isEqualTo(ArchiveRefusal.Code.INVALID_ARGUMENT))
                .hasMessageStartingWith(fact.string("because"));
    }

    @Test
    void nothingThatAUserWroteBecomesTextOfSql() {
        for (var fact : data("filters.yaml").objects("records")) {
            for (var dialect : List.of(new SqliteDialect(), new PostgresDialect())) {
                var sql = Filter.RECORDS.where(
                        fact.string("filter").replace("foo", "marker").replace("metadata", "marker"), dialect);
                assertThat(sql.text())
                        .doesNotContain("marker")
                        .doesNotContain("--")
                        .doesNotContain(";");
            }
        }
    }

    @Test
    void aFilterOfEndlessLengthOrDepthIsRefused() {
        assertThatThrownBy(() -> Filter.RECORDS.where("name == \"" + "x".repeat(20_000) + "\"", new SqliteDialect()))
                .isInstanceOf(ArchiveRefusal.class)
                .hasMessageContaining("at most 10000 are allowed");
        assertThatThrownBy(
                        () -> Filter.RECORDS.where("!".repeat(4000) + "(".repeat(3000) + "true", new SqliteDialect()))
                .isInstanceOf(ArchiveRefusal.class);
    }

    private static List<String> records(Database database, String filter) {
        var where = Sql.builder()
                .add("WHERE ")
                .add(Filter.RECORDS.where(filter, database.dialect()))
                .build();
        return database.read(session ->
                Rows.records(session, where).stream().map(RecordRow::name).toList());
    }

    private static List<String> results(Database database, String filter) {
        var where = Sql.builder()
                .add("WHERE ")
                .add(Filter.RESULTS.where(filter, database.dialect()))
                .build();
        return database.read(session ->
                Rows.results(session, where).stream().map(ResultRow::name).toList());
    }

    private static Database filled(String url) {
        var database = Database.open(url);
        database.write(session -> {
            for (var result : data("archive.yaml").objects("results")) {
                fill(session, result);
            }
            return true;
        });
        return database;
    }

    private static void fill(Session session, Json.Obj result) throws SQLException {
        var summary = result.object("summary");
        Rows.insert(
                session,
                new ResultRow(
                        result.string("parent"),
                        result.string("uid"),
                        result.string("name"),
                        result.object("annotations"),
                        micros(result.string("created")),
                        micros(result.string("updated")),
                        Optional.of(new ResultRow.Summary(
                                summary.string("record"),
                                summary.string("type"),
                                Optional.of(micros(summary.string("start"))),
                                Optional.of(micros(summary.string("end"))),
                                (int) summary.integer("status"),
                                summary.object("annotations"))),
                        "etag"));
        for (var record : result.objects("records")) {
            Rows.insert(
                    session,
                    new RecordRow(
                            result.string("parent"),
                            result.string("uid"),
                            result.string("name"),
                            "uid-of-" + record.string("name"),
                            record.string("name"),
                            record.string("type"),
                            JsonText.write(record.object("data")),
                            "",
                            0,
                            0,
                            "etag"));
        }
    }

    private static long micros(String moment) {
        return Archive.micros(Instant.parse(moment));
    }
}

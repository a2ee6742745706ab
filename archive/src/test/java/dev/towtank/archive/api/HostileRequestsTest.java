package dev.towtank.archive.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.archive.sql.Database;
import dev.towtank.archive.sql.Databases;
import dev.towtank.archive.sql.Sql;
import dev.towtank.archive.store.Archive;
import dev.towtank.archive.store.Bundle;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Who asks for what is not theirs, in every way that has worked elsewhere.
class HostileRequestsTest {

    private static final String BASE = "/apis/results.tekton.dev/v1alpha2/parents/";
    private static final byte[] KEY = "0123456789abcdef".getBytes(StandardCharsets.UTF_8);

    private static final List<String> TRICKS = List.of(
            "'",
            "''",
            "\"",
            "\\",
            "\\'",
            "' OR '1'='1",
            "' OR 1=1 --",
            "') OR ('1'='1",
            "'; DROP TABLE records; --",
            "x'; DELETE FROM results; SELECT '",
            "/* */",
            "*/ OR 1=1 /*",
            "-- ",
            "#",
            "%",
            "_",
            "%' ESCAPE '!",
            "?",
            "$1",
            ":name",
            "{fn now()}",
            "{d '2026-01-01'}",
            "$$; SELECT pg_sleep(60); $$",
            "' UNION SELECT * FROM records --",
            "'||(SELECT data FROM records LIMIT 1)||'",
            "secret",
            "\u0000",
            "\u0000' OR '1'='1",
            "\u02bc OR 1=1",
            "\uff07 OR 1=1",
            "\ud83d\ude00",
            "\u202e",
            "$.metadata",
            "a\".\"b",
            "[0]",
            "a.b'c\"d\\e",
            "{}",
            "[1]",
            "null");

    /// Wherever a text of the caller's can stand; TEXT is that text as CEL writes it.
    private static final List<String> FILTERS = List.of(
            "data.metadata.name == TEXT",
            "data.metadata.name != TEXT",
            "data.metadata.labels[TEXT] == TEXT",
            "data[TEXT][TEXT] == TEXT",
            "data.metadata.name.contains(TEXT)",
            "data.metadata.name.startsWith(TEXT)",
            "data.metadata.name.endsWith(TEXT)",
            "data.metadata.name.matches(TEXT)",
            "data.metadata.name in [TEXT, TEXT]",
            "name == TEXT || result_name == TEXT || data_type == TEXT",
            "parent == TEXT || parent == 'secret' || true",
            "data.status.startTime > timestamp(TEXT)");

    @TempDir
    Path directory;

    /// Somebody who may see `dev`, of a server that has `secret`, too.
    private record Caller(ResultsApi api) {

        record Answer(int status, String text) {}

        Answer get(String path, Map<String, String> parameters) {
            var query = parameters.entrySet().stream()
                    .collect(Collectors.toMap(Map.Entry::getKey, entry -> List.of(entry.getValue())));
            var caller = new Request.Caller("alice", "", List.of(), Map.of());
            var response = api.handle(new Request("GET", BASE + path, query, "", Optional.of(caller)));
            var out = new ByteArrayOutputStream();
            try {
                response.body().writeTo(out);
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
            return new Answer(response.status(), out.toString(StandardCharsets.UTF_8));
        }
    }

    private static Caller caller(Database database, byte[] key) {
        var clock = InstantSource.fixed(Instant.parse("2026-01-01T12:00:00Z"));
        var archive = new Archive(database, clock, Archive.Limits.DEFAULT);
        for (var namespace : List.of("dev", "secret")) {
            for (int i = 0; i < 7; i++) {
                archive.store(bundle(namespace, namespace + i));
            }
        }
        return new Caller(new ResultsApi(archive, (_, _, _, namespace) -> namespace.equals("dev"), key));
    }

    private static Bundle bundle(String namespace, String name) {
        var data = JsonText.parseObject("""
                {"kind": "TaskRun", "metadata": {"name": "%s", "namespace": "%s", "labels": {"a": "b"}}}""".formatted(name, namespace));
        return new Bundle(
                namespace,
                name,
                Json.Obj.EMPTY,
                Optional.empty(),
                List.of(new Bundle.Item(name, "tekton.dev/v1.TaskRun", data, "d")),
                List.of());
    }

    private static void isHarmless(Caller.Answer answer, String what) {
        assertThat(answer.status()).as(what + answer.text()).isIn(200, 400, 404);
        assertThat(answer.text()).as(what).doesNotContain("secret/results").doesNotContainIgnoringCase("syntax error");
    }

    private static void everythingIsThere(Database database) {
        for (var table : List.of("records", "results")) {
            var counted = database.read(
                    session -> session.first(Sql.of("SELECT COUNT(*) FROM " + table), row -> row.getLong(1)));
            assertThat(counted).contains(14L);
        }
    }

    @Test
    void textsOfFiltersAreTextsWhateverTheySay() {
        for (var url : Databases.urls(directory)) {
            try (var database = Database.open(url)) {
                var caller = caller(database, KEY);
                for (var filter : FILTERS) {
                    for (var trick : TRICKS) {
                        var asked = filter.replace("TEXT", JsonText.write(Json.of(trick)));
                        isHarmless(caller.get("dev/results/-/records", Map.of("filter", asked)), asked);
                        isHarmless(caller.get("dev/results/-/records/summary", Map.of("filter", asked)), asked);
                    }
                }
                everythingIsThere(database);
            }
        }
    }

    @Test
    void everyOtherWordIsOneThatIsKnownOrRefused() {
        for (var url : Databases.urls(directory)) {
            try (var database = Database.open(url)) {
                var caller = caller(database, KEY);
                for (var trick : TRICKS) {
                    for (var name : List.of("filter", "order_by", "page_size", "page_token", "fields")) {
                        isHarmless(caller.get("dev/results/-/records", Map.of(name, trick)), name + " " + trick);
                        isHarmless(caller.get("dev/results", Map.of(name, trick)), name + " " + trick);
                    }
                    for (var name : List.of("summary", "group_by", "order_by")) {
                        isHarmless(
                                caller.get("dev/results/-/records/summary", Map.of(name, trick)), name + " " + trick);
                    }
                    isHarmless(caller.get("dev/results/" + trick, Map.of()), trick);
                    isHarmless(caller.get("dev/results/" + trick + "/records/" + trick, Map.of()), trick);
                    isHarmless(caller.get("dev/results/" + trick + "/logs/" + trick, Map.of()), trick);
                }
                everythingIsThere(database);
            }
        }
    }

    @Test
    void aTokenIsOfThisServerAndOfThisListOrNone() {
        for (var url : Databases.urls(directory)) {
            try (var database = Database.open(url)) {
                var caller = caller(database, KEY);
                var token = token(caller);
                assertThat(caller.get("dev/results", Map.of("page_size", "5", "page_token", token))
                                .status())
                        .isEqualTo(200);
                var bytes = Base64.getUrlDecoder().decode(token);
                var forged = new ArrayList<String>();
                for (int i = 0; i < bytes.length; i++) {
                    var changed = bytes.clone();
                    changed[i] = (byte) (changed[i] ^ 1);
                    forged.add(Base64.getUrlEncoder().withoutPadding().encodeToString(changed));
                }
                forged.add(token.substring(0, token.length() / 2));
                forged.add(token + token);
                forged.add("A".repeat(100_000));
                forged.add(token(caller(database, "another key of 16".getBytes(StandardCharsets.UTF_8))));
                for (var wrong : forged) {
                    var answer = caller.get("dev/results", Map.of("page_size", "5", "page_token", wrong));
                    assertThat(answer.status()).as(wrong).isEqualTo(400);
                    assertThat(answer.text()).contains("invalid page token");
                }
                // Nor does one of a namespace open another.
                assertThat(caller.get("secret/results", Map.of("page_size", "5", "page_token", token))
                                .status())
                        .isEqualTo(401);
                assertThat(caller.get("dev/results/-/records", Map.of("page_size", "5", "page_token", token))
                                .text())
                        .contains("invalid page token");
            }
        }
    }

    private static String token(Caller caller) {
        return JsonText.parseObject(
                        caller.get("dev/results", Map.of("page_size", "5")).text())
                .string("next_page_token");
    }
}

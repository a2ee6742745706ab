package dev.towtank.archive.api;

import dev.towtank.archive.ArchiveRefusal;
import dev.towtank.archive.filter.Filter;
import dev.towtank.archive.sql.Database;
import dev.towtank.archive.sql.Sql;
import dev.towtank.archive.store.Archive;
import dev.towtank.archive.store.RecordRow;
import dev.towtank.archive.store.ResultRow;
import dev.towtank.archive.store.Rows;
import dev.towtank.model.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Pages of results, records and logs.
final class Lists {

    private static final int DEFAULT_SIZE = 50;
    private static final int MIN_SIZE = 5;
    private static final int MAX_SIZE = 10_000;

    private final Database database;
    private final PageTokens tokens;

    Lists(Database database, PageTokens tokens) {
        this.database = database;
        this.tokens = tokens;
    }

    Json.Obj results(String parent, Request request) {
        var order = SortOrder.ofResults(request.parameter("order_by"));
        var token = token(request, parent, order);
        var conditions = scope(parent, RecordName.ANY);
        filter(request, Filter.RESULTS).ifPresent(conditions::add);
        int size = size(request);
        var rows = database.read(
                session -> Rows.results(session, rest(conditions, token.map(order::behind), order, size)));
        var next = rows.size() > size ? Optional.of(rows.get(size - 1)) : Optional.<ResultRow>empty();
        return page(
                "results",
                rows.stream().limit(size).map(Shapes::json).toList(),
                next.map(row -> token(request, parent, order, row.id(), order.value(row))));
    }

    Json.Obj records(RecordName names, Request request) {
        return items(names, request, scope(names.parent(), names.result()), "records");
    }

    Json.Obj logs(RecordName names, Request request) {
        var conditions = scope(names.parent(), names.result());
        conditions.add(Sql.of("type = ?", Archive.LOG_TYPE));
        return items(names, request, conditions, "logs");
    }

    private Json.Obj items(RecordName names, Request request, List<Sql> conditions, String collection) {
        var order = SortOrder.ofRecords(request.parameter("order_by"));
        var token = token(request, names.resultName(), order);
        filter(request, Filter.RECORDS).ifPresent(conditions::add);
        int size = size(request);
        var rows = database.read(
                session -> Rows.records(session, rest(conditions, token.map(order::behind), order, size)));
        var next = rows.size() > size ? Optional.of(rows.get(size - 1)) : Optional.<RecordRow>empty();
        return page(
                "records",
                rows.stream()
                        .limit(size)
                        .map(row -> Shapes.json(row, collection))
                        .toList(),
                next.map(row -> token(request, names.resultName(), order, row.id(), order.value(row))));
    }

    Json.Obj summary(RecordName names, Request request) {
        var summaries = new Summaries(
                database.dialect(),
                request.parameter("summary"),
                request.parameter("group_by"),
                request.parameter("order_by"));
        var conditions = scope(names.parent(), names.result());
        filter(request, Filter.RECORDS).ifPresent(conditions::add);
        return Json.Obj.of("summary", database.read(session -> summaries.of(session, where(conditions))));
    }

    private static List<Sql> scope(String parent, String result) {
        var conditions = new ArrayList<Sql>();
        if (!parent.equals(RecordName.ANY)) {
            conditions.add(Sql.of("parent = ?", parent));
        }
        if (!result.equals(RecordName.ANY)) {
            conditions.add(Sql.of("result_name = ?", result));
        }
        return conditions;
    }

    private Optional<Sql> filter(Request request, Filter filter) {
        var text = request.parameter("filter");
        return text.isEmpty() ? Optional.empty() : Optional.of(filter.where(text, database.dialect()));
    }

    private static Sql where(List<Sql> conditions) {
        var where = Sql.builder();
        for (int i = 0; i < conditions.size(); i++) {
            where.add(i == 0 ? "WHERE (" : " AND (").add(conditions.get(i)).add(")");
        }
        return where.build();
    }

    private static Sql rest(List<Sql> conditions, Optional<Sql> behind, SortOrder order, int size) {
        var all = new ArrayList<>(conditions);
        behind.ifPresent(all::add);
        // One more tells whether there is another page.
        return Sql.builder()
                .add(where(all))
                .add(order.clause())
                .add(" LIMIT ?", size + 1L)
                .build();
    }

    private static int size(Request request) {
        var text = request.parameter("page_size");
        try {
            int size = text.isEmpty() ? 0 : Integer.parseInt(text);
            if (size == 0) {
                return DEFAULT_SIZE;
            }
            if (size < MIN_SIZE || size > MAX_SIZE) {
                throw ArchiveRefusal.invalid("invalid page size (" + size + "): value must be greater than " + MIN_SIZE
                        + " and less than " + MAX_SIZE);
            }
            return size;
        } catch (NumberFormatException e) {
            throw ArchiveRefusal.invalid("type mismatch, parameter: page_size, error: strconv.ParseInt: parsing \""
                    + text + "\": invalid syntax");
        }
    }

    private Optional<PageTokens.Token> token(Request request, String parent, SortOrder order) {
        var text = request.parameter("page_token");
        return text.isEmpty()
                ? Optional.empty()
                : Optional.of(tokens.read(text, parent, request.parameter("filter"), order));
    }

    private String token(Request request, String parent, SortOrder order, String uid, Optional<Long> value) {
        return tokens.write(new PageTokens.Token(
                parent, request.parameter("filter"), order.field(), order.direction(), uid, value));
    }

    private static Json.Obj page(String name, List<Json.Obj> items, Optional<String> next) {
        var page = Json.Obj.builder().putNonEmpty(name, new Json.Arr(List.copyOf(items)));
        next.ifPresent(token -> page.put("next_page_token", token));
        return page.build();
    }
}

package dev.towtank.archive.sql;

import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;

/// PostgreSQL 13 or later.
public record PostgresDialect() implements Dialect {

    /// Casts fail the whole query; these answer null for a value that is no instant or number.
    private static final List<String> FUNCTIONS = List.of("""
        CREATE OR REPLACE FUNCTION archive_instant(value text) RETURNS bigint LANGUAGE plpgsql IMMUTABLE STRICT AS $$
        BEGIN
            RETURN (EXTRACT(EPOCH FROM CAST(value AS timestamptz)) * 1000000)::bigint;
        EXCEPTION WHEN data_exception THEN
            RETURN NULL;
        END $$\
        """, """
        CREATE OR REPLACE FUNCTION archive_number(value jsonb) RETURNS numeric LANGUAGE sql IMMUTABLE STRICT AS $$
        SELECT CASE jsonb_typeof(value) WHEN 'number' THEN CAST(value #>> '{}' AS numeric) END $$\
        """, """
        CREATE OR REPLACE FUNCTION archive_truth(value jsonb) RETURNS boolean LANGUAGE sql IMMUTABLE STRICT AS $$
        SELECT CASE jsonb_typeof(value) WHEN 'boolean' THEN CAST(value #>> '{}' AS boolean) END $$\
        """);

    private static final String NAME = "jsonb_extract_path_text(data, 'metadata', 'name') COLLATE \"C\"";

    @Override
    public Sql text(String column, List<Object> path) {
        if (column.equals("data") && path.equals(Tables.OBJECT_NAME)) {
            return Sql.of(NAME);
        }
        return extract("jsonb_extract_path_text(", column, path, ") COLLATE \"C\"");
    }

    @Override
    public Sql number(String column, List<Object> path) {
        return extract("archive_number(jsonb_extract_path(", column, path, "))");
    }

    @Override
    public Sql truth(String column, List<Object> path) {
        return extract("archive_truth(jsonb_extract_path(", column, path, "))");
    }

    @Override
    public Sql exists(String column, List<Object> path) {
        return extract("jsonb_extract_path(", column, path, ") IS NOT NULL");
    }

    private static Sql extract(String before, String column, List<Object> path, String after) {
        var steps = String.join(", ", Collections.nCopies(path.size(), "CAST(? AS TEXT)"));
        var values = path.stream().map(String::valueOf).toArray();
        return Sql.of(before + column + ", " + steps + after, values);
    }

    @Override
    public Sql instant(Sql text) {
        return Sql.builder().add("archive_instant(").add(text).add(")").build();
    }

    @Override
    public Sql part(Part part, Sql instant) {
        var field = switch (part) {
            case DAY -> "DAY";
            case DAY_OF_WEEK -> "DOW";
            case DAY_OF_YEAR -> "DOY";
            case YEAR -> "YEAR";
        };
        return Sql.builder()
                .add("CAST(EXTRACT(" + field + " FROM ")
                .add(utc(instant))
                .add(") AS BIGINT)")
                .build();
    }

    @Override
    public Sql truncated(Period period, Sql instant) {
        return Sql.builder()
                .add("CAST(EXTRACT(EPOCH FROM DATE_TRUNC('" + period.name() + "', ")
                .add(utc(instant))
                .add(")) AS BIGINT) * 1000000")
                .build();
    }

    private static Sql utc(Sql instant) {
        return Sql.builder()
                .add("to_timestamp(")
                .add(instant)
                .add(" / 1000000.0) AT TIME ZONE 'UTC'")
                .build();
    }

    @Override
    public Sql contains(Sql text, Sql wanted) {
        return Sql.builder()
                .add("strpos(")
                .add(text)
                .add(", ")
                .add(wanted)
                .add(") > 0")
                .build();
    }

    @Override
    public Sql matches(Sql text, Sql pattern) {
        return Sql.builder().add(text).add(" ~ ").add(pattern).build();
    }

    @Override
    public String jsonParameter() {
        return "CAST(? AS JSONB)";
    }

    @Override
    public String jsonText(String column) {
        return "CAST(" + column + " AS TEXT)";
    }

    @Override
    public boolean keepsLabels() {
        return false;
    }

    @Override
    public List<Migration> migrations() {
        var tables = Tables.first("JSONB", "BIGINT", "BYTEA", " COLLATE \"C\"");
        return List.of(
                new Migration(
                        tables.what(),
                        Stream.concat(FUNCTIONS.stream(), tables.statements().stream())
                                .toList()),
                Tables.second(),
                new Migration("objects by their names", List.of(Tables.byObjectName(NAME))));
    }
}

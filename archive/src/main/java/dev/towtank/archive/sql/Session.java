package dev.towtank.archive.sql;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Statements inside of one transaction.
public final class Session {

    private final Connection connection;
    private final Dialect dialect;

    Session(Connection connection, Dialect dialect) {
        this.connection = connection;
        this.dialect = dialect;
    }

    /// Reads one row.
    @FunctionalInterface
    public interface Row<T> {
        T read(ResultSet row) throws SQLException;
    }

    public Dialect dialect() {
        return dialect;
    }

    /// Lets the rest of the transaction take what it takes: an index of all that was ever archived is no query that
    /// got out of hand.
    void takeTime() throws SQLException {
        if (dialect instanceof PostgresDialect) {
            connection.setNetworkTimeout(Runnable::run, 0);
            update(Sql.of("SET LOCAL statement_timeout = 0"));
        }
    }

    /// How many rows it changed.
    public int update(Sql sql) throws SQLException {
        try (var statement = prepared(sql)) {
            return statement.executeUpdate();
        }
    }

    public <T> List<T> query(Sql sql, Row<T> row) throws SQLException {
        try (var statement = prepared(sql);
                var found = statement.executeQuery()) {
            var rows = new ArrayList<T>();
            while (found.next()) {
                rows.add(row.read(found));
            }
            return rows;
        }
    }

    public <T> Optional<T> first(Sql sql, Row<T> row) throws SQLException {
        return query(sql, row).stream().findFirst();
    }

    private PreparedStatement prepared(Sql sql) throws SQLException {
        var statement = connection.prepareStatement(sql.text());
        try {
            int position = 1;
            for (var value : sql.parameters()) {
                bind(statement, position++, value);
            }
            return statement;
        } catch (SQLException e) {
            statement.close();
            throw e;
        }
    }

    private static void bind(PreparedStatement statement, int position, Object value) throws SQLException {
        switch (value) {
            case String text -> statement.setString(position, text);
            case Long number -> statement.setLong(position, number);
            case Integer number -> statement.setLong(position, number);
            case Double number -> statement.setDouble(position, number);
            case byte[] bytes -> statement.setBytes(position, bytes);
            case Sql.AbsentNumber _ -> statement.setNull(position, Types.BIGINT);
            case Sql.Absent _ -> statement.setNull(position, Types.VARCHAR);
            default -> throw new IllegalArgumentException("no parameter: " + value.getClass());
        }
    }
}

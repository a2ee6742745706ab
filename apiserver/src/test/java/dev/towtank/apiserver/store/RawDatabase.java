package dev.towtank.apiserver.store;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Properties;
import org.sqlite.JDBC;

/// The file behind the store's back.
final class RawDatabase {

    private RawDatabase() {}

    static Connection open(Path directory) throws SQLException {
        return JDBC.createConnection("jdbc:sqlite:" + directory.resolve(SqliteFile.NAME), new Properties());
    }

    static void execute(Path directory, String... statements) throws SQLException {
        try (var connection = open(directory)) {
            for (var statement : statements) {
                SqliteFile.execute(connection, statement);
            }
        }
    }
}

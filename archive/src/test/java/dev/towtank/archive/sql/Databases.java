package dev.towtank.archive.sql;

import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/// The databases that every contract is tried on: SQLite always, PostgreSQL where a test run names one.
public final class Databases {

    /// A JDBC URL of an empty PostgreSQL in which schemas may be made.
    private static final String POSTGRES = "towtank.test.postgres";

    private Databases() {}

    /// New and empty ones.
    public static List<String> urls(Path directory) {
        var urls = new ArrayList<String>();
        urls.add("jdbc:sqlite:" + directory.resolve(UUID.randomUUID() + ".db"));
        var postgres = System.getProperty(POSTGRES, "");
        if (!postgres.isEmpty()) {
            urls.add(schema(postgres));
        }
        return urls;
    }

    private static String schema(String url) {
        var name = "test_" + UUID.randomUUID().toString().replace("-", "");
        try (var connection = DriverManager.getConnection(url);
                var statement = connection.createStatement()) {
            statement.execute("CREATE SCHEMA " + name);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        return url + (url.contains("?") ? "&" : "?") + "currentSchema=" + name;
    }
}

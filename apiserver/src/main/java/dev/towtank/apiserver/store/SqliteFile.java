package dev.towtank.apiserver.store;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Properties;
import org.sqlite.JDBC;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/// Opens the database file: makes it, recognises it, refuses it or brings it up to date.
final class SqliteFile {

    static final String NAME = "objects.db";

    private static final System.Logger LOG = System.getLogger(SqliteFile.class.getName());

    private final Path path;
    private final SqliteFormat format;

    private SqliteFile(Path path, SqliteFormat format) {
        this.path = path;
        this.format = format;
    }

    /// @throws Store.Damaged when the file is not what was written
    /// @throws Store.TooNew when a later version has written it
    /// @throws Store.Unavailable when it cannot be opened for other reasons
    static Connection open(Path directory, SqliteFormat format) {
        var file = new SqliteFile(directory.resolve(NAME), format);
        try {
            file.prepare();
            return file.open();
        } catch (IOException e) {
            throw new Store.Unavailable("cannot open " + file.path + ": " + e.getMessage(), e);
        } catch (SQLException e) {
            throw file.failure(e);
        }
    }

    static void warmUp() {
        try {
            connect(Path.of(":memory:")).close();
        } catch (SQLException e) {
            // whoever opens a file will meet it, too, and tell
        }
    }

    static Store.Damaged damaged(Path path, String what, Throwable cause) {
        return new Store.Damaged(damage(path, what), cause);
    }

    static Store.Damaged damaged(Path path, String what) {
        return new Store.Damaged(damage(path, what), null);
    }

    private static String damage(Path path, String what) {
        return path + " is damaged: " + what + ". It was not served and not changed. Keep a copy of the directory, then"
                + " restore it from a backup, or move it away to begin with an empty one";
    }

    private RuntimeException failure(SQLException e) {
        var code = e instanceof SQLiteException failure ? failure.getResultCode() : SQLiteErrorCode.UNKNOWN_ERROR;
        return switch (code) {
            case SQLITE_NOTADB, SQLITE_CORRUPT -> damaged(path, "it is not a database (" + e.getMessage() + ")", e);
            case SQLITE_BUSY -> new Store.Unavailable("cannot open " + path + ": another program has it open", e);
            default -> new Store.Unavailable("cannot open " + path + ": " + e.getMessage(), e);
        };
    }

    private void prepare() throws IOException, SQLException {
        var log = path.resolveSibling(NAME + "-wal");
        if (!Files.exists(path)) {
            if (Files.exists(log)) {
                throw damaged(path, "the file is missing, but its log " + log.getFileName() + " is there");
            }
            create();
        }
        if (Files.size(path) == 0) {
            throw damaged(path, "the file is empty");
        }
        if (Files.exists(log)) {
            WalCheck.check(log);
        }
    }

    // Under another name first, so that a file of this name is always a whole one.
    private void create() throws IOException, SQLException {
        var draft = path.resolveSibling(NAME + ".new");
        Files.deleteIfExists(draft);
        Files.createFile(draft, DirectoryLock.ownerOnly("rw-------"));
        try (var connection = connect(draft);
                var statement = connection.createStatement()) {
            statement.execute("PRAGMA application_id = " + SqliteFormat.APPLICATION_ID);
            statement.execute("PRAGMA user_version = " + format.version());
            for (var table : SqliteFormat.SCHEMA) {
                statement.execute(table);
            }
            statement.execute("INSERT INTO head VALUES (1, 0, 0, 0, " + Checksums.ofHead(0, 0, 0) + ")");
        }
        Files.move(draft, path, StandardCopyOption.ATOMIC_MOVE);
        try (var directory = FileChannel.open(path.toAbsolutePath().getParent(), StandardOpenOption.READ)) {
            directory.force(true);
        }
    }

    private static Connection connect(Path file) throws SQLException {
        var settings = new Properties();
        // One query less for each insert.
        settings.setProperty("jdbc.get_generated_keys", "false");
        return JDBC.createConnection("jdbc:sqlite:" + file, settings);
    }

    private Connection open() throws IOException, SQLException {
        var connection = connect(path);
        boolean opened = false;
        try {
            identify(connection);
            execute(connection, "PRAGMA locking_mode = EXCLUSIVE");
            var mode = text(connection, "PRAGMA journal_mode = WAL");
            if (!mode.equals("wal")) {
                throw new SQLException("the file system does not allow a write-ahead log (mode " + mode + ")");
            }
            execute(connection, "PRAGMA synchronous = FULL");
            upgrade(connection);
            opened = true;
            return connection;
        } finally {
            if (!opened) {
                connection.close();
            }
        }
    }

    private void identify(Connection connection) throws SQLException {
        long application = number(connection, "PRAGMA application_id");
        if (application != SqliteFormat.APPLICATION_ID) {
            throw damaged(path, "it is a database of another program (application id " + application + ")");
        }
        long found = number(connection, "PRAGMA user_version");
        if (found > format.version()) {
            throw new Store.TooNew(
                    path + " has format " + found + ", but this version of the program knows formats up to "
                            + format.version() + ": run the version that has written it, or a later one");
        }
        if (found < 1) {
            throw damaged(path, "it has the impossible format " + found);
        }
    }

    private void upgrade(Connection connection) throws IOException, SQLException {
        for (int found = version(connection); found < format.version(); found = version(connection)) {
            var migration = format.migrationFrom(found);
            var backup = backup(connection, found);
            execute(connection, "BEGIN IMMEDIATE");
            try {
                migration.change().apply(connection);
                execute(connection, "PRAGMA user_version = " + (found + 1));
                execute(connection, "COMMIT");
            } catch (SQLException e) {
                execute(connection, "ROLLBACK");
                throw new SQLException(
                        "changing format " + found + " to " + (found + 1) + " (" + migration.what()
                                + ") failed and was taken back: " + e.getMessage(),
                        e);
            }
            LOG.log(
                    System.Logger.Level.INFO,
                    "{0} now has format {1}: {2}. The former file is {3}",
                    path,
                    found + 1,
                    migration.what(),
                    backup);
        }
    }

    private Path backup(Connection connection, int version) throws IOException, SQLException {
        var backup = path.resolveSibling(NAME + ".format" + version);
        if (!Files.exists(backup)) {
            Files.createFile(backup, DirectoryLock.ownerOnly("rw-------"));
        }
        // An empty one is left from a start that was cut short; one with content was made before a step that failed.
        if (Files.size(backup) == 0) {
            try (var statement = connection.prepareStatement("VACUUM INTO ?")) {
                statement.setString(1, backup.toString());
                statement.execute();
            }
        }
        return backup;
    }

    private static int version(Connection connection) throws SQLException {
        return (int) number(connection, "PRAGMA user_version");
    }

    static void execute(Connection connection, String sql) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    static long number(Connection connection, String sql) throws SQLException {
        try (var statement = connection.createStatement();
                var result = statement.executeQuery(sql)) {
            return first(result).getLong(1);
        }
    }

    private static String text(Connection connection, String sql) throws SQLException {
        try (var statement = connection.createStatement();
                var result = statement.executeQuery(sql)) {
            return String.valueOf(first(result).getString(1));
        }
    }

    private static ResultSet first(ResultSet result) throws SQLException {
        if (!result.next()) {
            throw new SQLException("no answer");
        }
        return result;
    }
}

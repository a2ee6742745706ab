package dev.towtank.archive.sql;

import dev.towtank.archive.ArchiveRefusal;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Properties;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.ReentrantLock;

/// Connections to one database, and transactions on them.
///
/// A connection that failed is closed, not used again, so that a database that was gone and came back is found by the
/// next transaction. What the database cannot do now is [ArchiveRefusal.Code#UNAVAILABLE]; all of a transaction is then
/// undone.
public final class Database implements AutoCloseable {

    private static final int CONNECTIONS = 8;
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final Duration LONGEST_STATEMENT = Duration.ofSeconds(60);

    private final String url;
    private final Dialect dialect;
    private final Duration patience;
    private final Duration longestStatement;
    private final Semaphore places = new Semaphore(CONNECTIONS, true);
    private final Deque<Connection> idle = new ArrayDeque<>();
    /// SQLite has one writer at a time; it is cheaper to wait here than to be told that it is busy.
    private final ReentrantLock writing = new ReentrantLock(true);

    private Database(String url, Dialect dialect, Duration patience, Duration longestStatement) {
        this.url = url;
        this.dialect = dialect;
        this.patience = patience;
        this.longestStatement = longestStatement;
    }

    /// What is done in a transaction.
    @FunctionalInterface
    public interface Work<T> {
        T on(Session session) throws SQLException;
    }

    /// Opens a database, and makes or updates its tables.
    ///
    /// @param url `jdbc:sqlite:…` or `jdbc:postgresql:…`, which may hold a password and is never told
    public static Database open(String url) {
        return open(url, PATIENCE, LONGEST_STATEMENT);
    }

    /// @param patience how long somebody else may hold the file
    /// @param longestStatement how long a server of a database may work on one; migrations take what they take
    static Database open(String url, Duration patience, Duration longestStatement) {
        var database = new Database(url, dialect(url), patience, longestStatement);
        Migrations.run(database);
        return database;
    }

    private static Dialect dialect(String url) {
        if (url.startsWith("jdbc:sqlite:")) {
            return new SqliteDialect();
        }
        if (url.startsWith("jdbc:postgresql:")) {
            return new PostgresDialect();
        }
        throw ArchiveRefusal.invalid("the archive needs a JDBC URL that begins with jdbc:sqlite: or jdbc:postgresql:");
    }

    public Dialect dialect() {
        return dialect;
    }

    /// Sees one state of the database.
    public <T> T read(Work<T> work) {
        return run(work, true);
    }

    /// All or nothing, and durable when it returns.
    public <T> T write(Work<T> work) {
        if (dialect instanceof PostgresDialect) {
            return run(work, false);
        }
        writing.lock();
        try {
            return run(work, false);
        } finally {
            writing.unlock();
        }
    }

    private <T> T run(Work<T> work, boolean reading) {
        places.acquireUninterruptibly();
        try {
            return transaction(borrowed(), work, reading);
        } catch (SQLException e) {
            throw Failures.refusal(e);
        } finally {
            places.release();
        }
    }

    private <T> T transaction(Connection connection, Work<T> work, boolean reading) throws SQLException {
        boolean healthy = false;
        try {
            begin(connection, reading);
            try {
                var result = work.on(new Session(connection, dialect));
                execute(connection, "COMMIT");
                healthy = true;
                return result;
            } finally {
                if (!healthy) {
                    healthy = rolledBack(connection);
                }
            }
        } finally {
            giveBack(connection, healthy);
        }
    }

    private void begin(Connection connection, boolean reading) throws SQLException {
        if (dialect instanceof PostgresDialect) {
            // A machine that is cut off says nothing at all, not even that it takes too long.
            connection.setNetworkTimeout(
                    Runnable::run, (int) longestStatement.multipliedBy(2).toMillis());
        }
        execute(
                connection,
                switch (dialect) {
                    case SqliteDialect _ -> reading ? "BEGIN" : "BEGIN IMMEDIATE";
                    case PostgresDialect _ ->
                        reading ? "BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY" : "BEGIN";
                });
    }

    private static boolean rolledBack(Connection connection) {
        try {
            execute(connection, "ROLLBACK");
            return true;
        } catch (SQLException e) {
            // The first failure is the one to tell.
            return false;
        }
    }

    private Connection borrowed() throws SQLException {
        Connection connection;
        synchronized (idle) {
            connection = idle.pollFirst();
        }
        if (connection == null) {
            return connected();
        }
        if (dialect instanceof PostgresDialect && !connection.isValid((int) PATIENCE.toSeconds())) {
            connection.close();
            return connected();
        }
        return connection;
    }

    private void giveBack(Connection connection, boolean healthy) throws SQLException {
        if (healthy) {
            synchronized (idle) {
                idle.addFirst(connection);
            }
        } else {
            connection.close();
        }
    }

    // Transactions are begun by statements, so that each says whether it writes.
    private Connection connected() throws SQLException {
        var connection = DriverManager.getConnection(url, options());
        try {
            switch (dialect) {
                case SqliteDialect _ -> {
                    execute(connection, "PRAGMA busy_timeout = " + patience.toMillis());
                    // Of a new file: runs are larger than a page of the usual size, of which each would fill one.
                    execute(connection, "PRAGMA page_size = 16384");
                    execute(connection, "PRAGMA journal_mode = WAL");
                    execute(connection, "PRAGMA synchronous = FULL");
                    execute(connection, "PRAGMA foreign_keys = ON");
                    SqliteFunctions.addTo(connection);
                }
                case PostgresDialect _ -> {
                    execute(connection, "SET TIME ZONE 'UTC'");
                    execute(connection, "SET statement_timeout = " + longestStatement.toMillis());
                }
            }
            return connection;
        } catch (SQLException e) {
            connection.close();
            throw e;
        }
    }

    private Properties options() {
        var options = new Properties();
        if (dialect instanceof PostgresDialect) {
            var seconds = String.valueOf(PATIENCE.toSeconds());
            options.setProperty("connectTimeout", seconds);
            options.setProperty("loginTimeout", seconds);
            options.setProperty("tcpKeepAlive", "true");
        }
        return options;
    }

    private static void execute(Connection connection, String constant) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(constant);
        }
    }

    @Override
    public void close() {
        places.acquireUninterruptibly(CONNECTIONS);
        try {
            for (var connection : idle) {
                connection.close();
            }
            idle.clear();
        } catch (SQLException e) {
            throw Failures.refusal(e);
        } finally {
            places.release(CONNECTIONS);
        }
    }
}

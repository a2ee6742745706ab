package dev.towtank.apiserver.store;

import dev.towtank.model.LogicalCluster;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The journal in a SQLite file: one table, appended to, with a checksum in each row and a count of them all.
///
/// Write-ahead logging with `synchronous=FULL`: a commit is one append to the log and one sync.
final class SqliteJournal implements Journal {

    private static final int PUT = 1;
    private static final int REMOVE = 2;
    private static final int DROP = 3;

    /// Often enough to keep the log small, seldom enough to write each page but a few times.
    private static final long CHECKPOINT_BYTES = 8L << 20;

    private static final long MAX_LOG_BYTES = 256L << 20;
    private static final long PAGE = 4096;

    private final Path path;
    private final Connection connection;
    private Statements statements;

    private Head head = new Head(0, 0, 0);
    // Roughly what the write-ahead log holds that is not yet in the file itself.
    private long logBytes;
    private boolean suspect;

    private record Statements(
            PreparedStatement begin,
            PreparedStatement insert,
            PreparedStatement delete,
            PreparedStatement update,
            PreparedStatement commit) {

        static Statements of(Connection connection) throws SQLException {
            return new Statements(
                    connection.prepareStatement("BEGIN IMMEDIATE"),
                    connection.prepareStatement("INSERT INTO log VALUES (?, ?, ?, ?, ?)"),
                    connection.prepareStatement("DELETE FROM log WHERE revision = ?"),
                    connection.prepareStatement("UPDATE head SET revision = ?, rows = ?, digest = ?, checksum = ?"),
                    connection.prepareStatement("COMMIT"));
        }

        void close() throws SQLException {
            for (var statement : List.of(begin, insert, delete, update, commit)) {
                statement.close();
            }
        }
    }

    /// What the log must add up to.
    private record Head(long revision, long rows, long digest) {
        Head plus(long added) {
            return new Head(added, rows + 1, digest ^ Checksums.share(added));
        }

        Head minus(long gone) {
            return new Head(revision, rows - 1, digest ^ Checksums.share(gone));
        }
    }

    static SqliteJournal open(Path directory) {
        return open(directory, SqliteFormat.CURRENT);
    }

    static SqliteJournal open(Path directory, SqliteFormat format) {
        var connection = SqliteFile.open(directory, format);
        var path = directory.resolve(SqliteFile.NAME);
        try {
            return new SqliteJournal(path, connection);
        } catch (SQLException e) {
            closeQuietly(connection);
            throw SqliteFile.damaged(path, "its tables are not as they should be (" + e.getMessage() + ")", e);
        }
    }

    private SqliteJournal(Path path, Connection connection) throws SQLException {
        this.path = path;
        this.connection = connection;
        // The file is emptied of the log by us; this is for the case that our estimate is far off.
        SqliteFile.execute(connection, "PRAGMA wal_autocheckpoint = " + MAX_LOG_BYTES / 4 / PAGE);
        SqliteFile.execute(connection, "PRAGMA journal_size_limit = " + MAX_LOG_BYTES / 4);
        statements = Statements.of(connection);
    }

    @Override
    public long load(Consumer<Entry> reader) {
        var counted = new Head(0, 0, 0);
        try (var statement = connection.createStatement()) {
            head = readHead();
            try (var rows =
                    statement.executeQuery("SELECT revision, kind, key, value, checksum FROM log ORDER BY revision")) {
                var keys = new KeyText();
                while (rows.next()) {
                    var entry = read(rows, keys);
                    counted = counted.plus(entry.revision());
                    reader.accept(entry);
                }
            }
            checkStructure();
        } catch (SQLException e) {
            throw SqliteFile.damaged(
                    path, "it cannot be read beyond revision " + counted.revision + " (" + e.getMessage() + ")", e);
        }
        if (counted.rows != head.rows || counted.digest != head.digest || counted.revision > head.revision) {
            throw SqliteFile.damaged(
                    path,
                    "it should have " + head.rows + " rows up to revision " + head.revision + ", but has "
                            + counted.rows
                            + " up to " + counted.revision
                            + (counted.rows == head.rows ? ", and they are not the same ones" : ""));
        }
        return head.revision;
    }

    private Entry read(ResultSet row, KeyText keys) throws SQLException {
        long revision = row.getLong(1);
        int kind = row.getInt(2);
        var key = row.getString(3);
        byte[] value = row.getBytes(4);
        if (key == null || row.getLong(5) != Checksums.ofRow(revision, kind, key, value)) {
            throw SqliteFile.damaged(
                    path, "the row of revision " + revision + " (" + key + ") does not match its checksum");
        }
        return switch (kind) {
            case PUT -> new Put(new Stored(keys.read(key), revision, value));
            case REMOVE -> new Remove(keys.read(key), revision);
            case DROP -> new Drop(new LogicalCluster(key), revision);
            default -> throw SqliteFile.damaged(path, "the row of revision " + revision + " is of no known kind");
        };
    }

    private Head readHead() throws SQLException {
        try (var statement = connection.createStatement();
                var row = statement.executeQuery("SELECT revision, rows, digest, checksum FROM head")) {
            if (!row.next()) {
                throw SqliteFile.damaged(path, "its head row is missing");
            }
            var found = new Head(row.getLong(1), row.getLong(2), row.getLong(3));
            if (row.getLong(4) != Checksums.ofHead(found.revision, found.rows, found.digest)) {
                throw SqliteFile.damaged(path, "its head row does not match its checksum");
            }
            return found;
        }
    }

    // Rows are proven by then; this finds pages that are linked wrongly and would be overwritten one day.
    private void checkStructure() throws SQLException {
        try (var statement = connection.createStatement();
                var result = statement.executeQuery("PRAGMA quick_check(3)")) {
            var problems = new StringBuilder();
            while (result.next()) {
                problems.append(problems.isEmpty() ? "" : "; ").append(result.getString(1));
            }
            if (!problems.toString().equals("ok")) {
                throw SqliteFile.damaged(path, "its pages do not fit together (" + problems + ")");
            }
        }
    }

    @Override
    public void append(List<Entry> entries, List<Long> obsolete) throws IOException {
        if (logBytes > MAX_LOG_BYTES) {
            // Upkeep fails for some time now. Writing on would fill the disk.
            checkpoint();
        }
        try {
            recover();
            statements.begin.execute();
            var next = head;
            // The head, and the page that the last batch had left unfilled.
            long bytes = 2 * PAGE;
            for (var entry : entries) {
                bytes += insert(entry);
                next = next.plus(entry.revision());
            }
            for (long revision : obsolete) {
                statements.delete.setLong(1, revision);
                statements.delete.addBatch();
                next = next.minus(revision);
                bytes += PAGE / 2;
            }
            flush(entries, obsolete);
            write(next);
            statements.commit.execute();
            head = next;
            logBytes += bytes;
        } catch (SQLException e) {
            rollback(e);
            throw new IOException("cannot write to " + path + ": " + e.getMessage(), e);
        }
    }

    private int insert(Entry entry) throws SQLException {
        return switch (entry) {
            case Put(var stored) -> insert(stored.revision(), PUT, KeyText.of(stored.key()), stored.bytes());
            case Remove(var key, var revision) -> insert(revision, REMOVE, KeyText.of(key), null);
            case Drop(var cluster, var revision) -> insert(revision, DROP, cluster.id(), null);
        };
    }

    private int insert(long revision, int kind, String key, byte @Nullable [] value) throws SQLException {
        var insert = statements.insert;
        insert.setLong(1, revision);
        insert.setInt(2, kind);
        insert.setString(3, key);
        insert.setBytes(4, value);
        insert.setLong(5, Checksums.ofRow(revision, kind, key, value));
        insert.addBatch();
        return 64 + key.length() + (value == null ? 0 : value.length);
    }

    private void flush(List<Entry> entries, List<Long> obsolete) throws SQLException {
        if (!entries.isEmpty()) {
            statements.insert.executeBatch();
        }
        if (!obsolete.isEmpty()) {
            for (int count : statements.delete.executeBatch()) {
                if (count != 1) {
                    throw new SQLException("a row that should be there is missing");
                }
            }
        }
    }

    private void write(Head next) throws SQLException {
        var update = statements.update;
        update.setLong(1, next.revision);
        update.setLong(2, next.rows);
        update.setLong(3, next.digest);
        update.setLong(4, Checksums.ofHead(next.revision, next.rows, next.digest));
        update.executeUpdate();
    }

    private void rollback(SQLException why) {
        suspect = true;
        try {
            SqliteFile.execute(connection, "ROLLBACK");
        } catch (SQLException e) {
            // After some errors SQLite has rolled back by itself, and says that there is nothing to roll back.
            why.addSuppressed(e);
        }
    }

    // After a failure nothing is taken for granted: the driver closes statements that fail, and the file must be
    // where we believe it to be.
    private void recover() throws SQLException {
        if (!suspect) {
            return;
        }
        statements.close();
        statements = Statements.of(connection);
        var found = readHead();
        if (!found.equals(head)) {
            throw new SQLException("the file is at revision " + found.revision + " instead of " + head.revision
                    + "; restart the program to have it checked");
        }
        suspect = false;
    }

    @Override
    public void tidy() throws IOException {
        if (logBytes > CHECKPOINT_BYTES) {
            checkpoint();
        }
    }

    private void checkpoint() throws IOException {
        try {
            SqliteFile.execute(connection, "PRAGMA wal_checkpoint(PASSIVE)");
            logBytes = 0;
        } catch (SQLException e) {
            throw new IOException("cannot move the log into " + path + ": " + e.getMessage(), e);
        }
    }

    /// Makes the disk full, for tests: no more than so many pages of 4 KiB.
    void limitPages(long most) throws SQLException {
        SqliteFile.execute(connection, "PRAGMA max_page_count = " + most);
    }

    @Override
    public void close() {
        closeQuietly(connection);
    }

    // Closing moves the log into the file. Where that fails the log stays, and the next start does it.
    private static void closeQuietly(Connection connection) {
        try {
            connection.close();
        } catch (SQLException e) {
            System.getLogger(SqliteJournal.class.getName())
                    .log(
                            System.Logger.Level.WARNING,
                            "the store was not closed cleanly, which the next start repairs",
                            e);
        }
    }
}

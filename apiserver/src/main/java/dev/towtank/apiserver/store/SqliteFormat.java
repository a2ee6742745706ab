package dev.towtank.apiserver.store;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/// The layout of the file, numbered; and how to come from each number to the next.
///
/// @param version what this program writes
/// @param migrations from older versions, one step each
record SqliteFormat(int version, List<Migration> migrations) {

    /// "towt", so that `file` and we can tell our files from others.
    static final int APPLICATION_ID = 0x746f7774;

    static final SqliteFormat CURRENT = new SqliteFormat(1, List.of());

    static final List<String> SCHEMA = List.of(
            // One row for each entry of the journal; memory is the index, so there is none here.
            """
            CREATE TABLE log (
                revision INTEGER PRIMARY KEY,
                kind     INTEGER NOT NULL, -- 1 put, 2 remove, 3 drop of a logical cluster
                key      TEXT NOT NULL,    -- resource/cluster/namespace/name
                value    BLOB,             -- the object as it is served; only for a put
                checksum INTEGER NOT NULL  -- CRC32C of all of the above
            ) STRICT""",
            // What the log must add up to. Without this, missing rows would go unnoticed.
            """
            CREATE TABLE head (
                id       INTEGER PRIMARY KEY CHECK (id = 1),
                revision INTEGER NOT NULL, -- the newest ever given
                rows     INTEGER NOT NULL,
                digest   INTEGER NOT NULL, -- of the revisions that the log has
                checksum INTEGER NOT NULL  -- CRC32C of all of the above
            ) STRICT""");

    SqliteFormat {
        migrations = List.copyOf(migrations);
    }

    /// Changes a file of one version to the next; runs in a transaction of its own.
    record Migration(int from, String what, Change change) {
        @FunctionalInterface
        interface Change {
            void apply(Connection connection) throws SQLException;
        }
    }

    Migration migrationFrom(int found) throws SQLException {
        return migrations.stream()
                .filter(migration -> migration.from == found)
                .findFirst()
                .orElseThrow(() -> new SQLException("no way is known from format " + found + " to " + version));
    }
}

package dev.towtank.archive.sql;

import java.nio.file.Path;
import java.util.List;
import java.util.UUID;

/// The databases that every contract is tried on: SQLite and PostgreSQL.
public final class Databases {

    private Databases() {}

    /// New and empty ones.
    public static List<String> urls(Path directory) {
        return List.of("jdbc:sqlite:" + directory.resolve(UUID.randomUUID() + ".db"), Postgres.schema());
    }
}

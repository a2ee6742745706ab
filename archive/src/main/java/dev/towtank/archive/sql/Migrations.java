package dev.towtank.archive.sql;

import dev.towtank.archive.ArchiveRefusal;
import java.sql.SQLException;

/// Brings the tables of a database up to date, each step in its own transaction.
final class Migrations {

    private Migrations() {}

    static void run(Database database) {
        database.write(session -> {
            session.takeTime();
            session.update(Sql.of("CREATE TABLE IF NOT EXISTS archive_format (version BIGINT NOT NULL)"));
            return true;
        });
        var all = database.dialect().migrations();
        for (int known = 0; known < all.size(); known++) {
            int step = known;
            database.write(session -> step(session, step, all.get(step), all.size()));
        }
    }

    private static boolean step(Session session, int step, Dialect.Migration migration, int known) throws SQLException {
        session.takeTime();
        if (session.dialect() instanceof PostgresDialect) {
            // Several servers may start at once.
            session.update(Sql.of("LOCK TABLE archive_format"));
        }
        long found = session.first(
                        Sql.of("SELECT COALESCE(MAX(version), 0) FROM archive_format"), row -> row.getLong(1))
                .orElse(0L);
        if (found > known) {
            throw new ArchiveRefusal(
                    ArchiveRefusal.Code.FAILED_PRECONDITION,
                    "the archive has format " + found + ", but this version of the program knows formats up to " + known
                            + ": run the version that has written it, or a later one");
        }
        if (found != step) {
            return false;
        }
        for (var statement : migration.statements()) {
            session.update(Sql.of(statement));
        }
        session.update(Sql.of("INSERT INTO archive_format VALUES (?)", step + 1L));
        return true;
    }
}

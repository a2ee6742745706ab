package dev.towtank.archive.sql;

import dev.towtank.archive.ArchiveRefusal;
import java.sql.SQLException;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/// What a failure of the database means to who asked.
final class Failures {

    private Failures() {}

    static ArchiveRefusal refusal(SQLException failure) {
        var text = String.valueOf(failure.getMessage());
        if (failure instanceof SQLiteException sqlite) {
            return new ArchiveRefusal(code(sqlite.getResultCode()), text);
        }
        var state = failure.getSQLState() == null ? "" : failure.getSQLState();
        return new ArchiveRefusal(code(state), text);
    }

    private static ArchiveRefusal.Code code(SQLiteErrorCode code) {
        return switch (code) {
            case SQLITE_CONSTRAINT_PRIMARYKEY, SQLITE_CONSTRAINT_UNIQUE -> ArchiveRefusal.Code.ALREADY_EXISTS;
            case SQLITE_CONSTRAINT, SQLITE_CONSTRAINT_FOREIGNKEY -> ArchiveRefusal.Code.FAILED_PRECONDITION;
            case SQLITE_ERROR, SQLITE_MISMATCH, SQLITE_RANGE, SQLITE_TOOBIG -> ArchiveRefusal.Code.INVALID_ARGUMENT;
            default -> ArchiveRefusal.Code.UNAVAILABLE;
        };
    }

    /// @param state five characters, of which two name the class
    private static ArchiveRefusal.Code code(String state) {
        if (state.equals("23505")) {
            return ArchiveRefusal.Code.ALREADY_EXISTS;
        }
        if (state.startsWith("23")) {
            return ArchiveRefusal.Code.FAILED_PRECONDITION;
        }
        return state.startsWith("22") || state.startsWith("42") || state.equals("54000")
                ? ArchiveRefusal.Code.INVALID_ARGUMENT
                : ArchiveRefusal.Code.UNAVAILABLE;
    }
}

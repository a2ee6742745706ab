package dev.towtank.archive.sql;

import com.google.re2j.Pattern;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.sqlite.Function;

/// What SQLite has no function for.
final class SqliteFunctions {

    private SqliteFunctions() {}

    static void addTo(Connection connection) throws SQLException {
        Function.create(connection, SqliteDialect.MATCHES, new Matches(), 2, Function.FLAG_DETERMINISTIC);
    }

    /// Whether a regular expression is found in a text. A query asks with the same expression for each row.
    private static final class Matches extends Function {
        private @Nullable Pattern last;

        @Override
        protected void xFunc() throws SQLException {
            var text = value_text(0);
            var expression = value_text(1);
            if (text == null || expression == null) {
                result();
                return;
            }
            result(pattern(expression).matcher(text).find() ? 1 : 0);
        }

        private Pattern pattern(String expression) {
            var known = last;
            if (known == null || !known.pattern().equals(expression)) {
                known = Pattern.compile(expression);
                last = known;
            }
            return known;
        }
    }
}

package dev.towtank.archive.sql;

import java.util.List;

/// Where the databases differ. Instants are microseconds since 1970 in every column and expression.
public sealed interface Dialect permits SqliteDialect, PostgresDialect {

    /// A value inside of a JSON column as text; null where there is none.
    ///
    /// @param column a name of ours
    /// @param path strings for fields and longs for positions, at least one
    Sql text(String column, List<Object> path);

    /// The value where it is a number, else null.
    Sql number(String column, List<Object> path);

    /// The value where it is true or false, else null.
    Sql truth(String column, List<Object> path);

    /// Whether there is a value, be it null.
    Sql exists(String column, List<Object> path);

    /// A text in the form of RFC 3339 as an instant; null where it is none.
    Sql instant(Sql text);

    Sql part(Part part, Sql instant);

    /// The beginning of the period, in UTC, in which an instant lies.
    Sql truncated(Period period, Sql instant);

    Sql contains(Sql text, Sql wanted);

    Sql matches(Sql text, Sql pattern);

    /// How a parameter with JSON text is written.
    String jsonParameter();

    /// JSON text of a JSON column.
    String jsonText(String column);

    /// Whether the database itself notes the labels of records beside them.
    boolean keepsLabels();

    List<Migration> migrations();

    enum Part {
        DAY,
        DAY_OF_WEEK,
        DAY_OF_YEAR,
        YEAR
    }

    enum Period {
        MINUTE,
        HOUR,
        DAY,
        WEEK,
        MONTH,
        YEAR
    }

    /// @param what in words, for those who read the log
    record Migration(String what, List<String> statements) {
        public Migration {
            statements = List.copyOf(statements);
        }
    }
}

package dev.towtank.archive.filter;

import dev.towtank.archive.ArchiveRefusal;
import dev.towtank.archive.sql.Dialect;
import dev.towtank.archive.sql.Sql;
import dev.towtank.model.cel.Grammar;
import dev.towtank.model.cel.Syntax;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// One filter on its way to SQL.
///
/// JSON has the type that it is compared with: `data.status.completionTime > timestamp(…)` reads a text as an instant.
final class Translation {

    /// How a value is wanted where only JSON knows what it is.
    private enum Form {
        TEXT,
        NUMBER,
        TRUTH,
        INSTANT
    }

    private static final Map<String, String> COMPARISONS = Map.of(
            "_==_", "=",
            "_!=_", "<>",
            "_<_", "<",
            "_<=_", "<=",
            "_>_", ">",
            "_>=_", ">=");

    private static final Map<String, String> ARITHMETIC =
            Map.of("_+_", "+", "_-_", "-", "_*_", "*", "_/_", "/", "_%_", "%");

    private final Dialect dialect;
    private final Grammar.Read read;

    Translation(Dialect dialect, Grammar.Read read) {
        this.dialect = dialect;
        this.read = read;
    }

    Sql condition() {
        return sql(read.tree(), Form.TRUTH);
    }

    private ArchiveRefusal unsupported(int position, String what) {
        return ArchiveRefusal.invalid("unsupported CEL " + (what.isEmpty() ? "" : what + " ") + "statement at line "
                + read.line(position) + ", column " + position);
    }

    private Sql sql(Syntax syntax, Form form) {
        return switch (syntax) {
            case Syntax.Text(var position, var value) -> text(position, value);
            case Syntax.Int(var _, var value) -> Sql.of("CAST(? AS BIGINT)", value);
            case Syntax.Real(var _, var value) -> Sql.of("CAST(? AS DOUBLE PRECISION)", value);
            case Syntax.Truth(var _, var value) -> Sql.of(value ? "TRUE" : "FALSE");
            case Syntax.Nothing _ -> Sql.of("NULL");
            case Syntax.Variable variable -> reference(variable, form, "select");
            case Syntax.Select select -> select.has() ? has(select) : reference(select, form, "select");
            case Syntax.Call call -> call(call, form);
            case Syntax.Elements(var position, var _) -> throw unsupported(position, "list");
            case Syntax.Unknown(var position, var _, var constant) ->
                throw unsupported(position, constant ? "constant" : "");
        };
    }

    private Sql text(int position, String value) {
        if (value.indexOf('\0') >= 0) {
            // PostgreSQL has no such texts, so nothing could be found.
            throw unsupported(position, "constant");
        }
        return Sql.of("CAST(? AS TEXT)", value);
    }

    private Sql reference(Syntax syntax, Form form, String what) {
        var place = Columns.of(syntax).orElseThrow(() -> unsupported(syntax.position(), what));
        if (place.path().isEmpty()) {
            if (place.isJson()) {
                throw unsupported(syntax.position(), what);
            }
            return Sql.of(place.column());
        }
        if (!place.isJson()) {
            throw unsupported(syntax.position(), what);
        }
        return switch (form) {
            case TEXT -> dialect.text(place.column(), place.path());
            case NUMBER -> dialect.number(place.column(), place.path());
            case TRUTH -> dialect.truth(place.column(), place.path());
            case INSTANT -> dialect.instant(dialect.text(place.column(), place.path()));
        };
    }

    private Sql has(Syntax.Select select) {
        var place = Columns.of(select).orElseThrow(() -> unsupported(select.position(), "select"));
        return place.path().isEmpty()
                ? Sql.of(place.column() + " IS NOT NULL")
                : dialect.exists(place.column(), place.path());
    }

    private Sql call(Syntax.Call call, Form form) {
        var arguments = call.arguments();
        return switch (call.function()) {
            case "!_" -> row("NOT (", sql(arguments.getFirst(), Form.TRUTH), ")");
            case "_&&_" -> both(call, "AND");
            case "_||_" -> both(call, "OR");
            case "_==_", "_!=_", "_<_", "_<=_", "_>_", "_>=_" -> comparison(call);
            case "_+_", "_-_", "_*_", "_/_", "_%_" -> isConcatenation(call) ? concatenation(call) : arithmetic(call);
            case "@in" -> membership(call);
            case "_[_]" -> reference(call, form, indexed(call));
            default -> function(call);
        };
    }

    private Sql both(Syntax.Call call, String operator) {
        return row(
                "(",
                sql(call.arguments().getFirst(), Form.TRUTH),
                " " + operator + " ",
                sql(call.arguments().getLast(), Form.TRUTH),
                ")");
    }

    private Sql comparison(Syntax.Call call) {
        var left = call.arguments().getFirst();
        var right = call.arguments().getLast();
        if (left instanceof Syntax.Nothing || right instanceof Syntax.Nothing) {
            return comparisonWithNull(call, left instanceof Syntax.Nothing ? right : left);
        }
        var form = commonForm(left, right);
        var operator = String.valueOf(COMPARISONS.get(call.function()));
        var compared = row("(", sql(left, form), " " + operator + " ", sql(right, form), ")");
        // A map without the key is not equal, so that its negation finds it; of JSON nothing is known.
        return call.function().equals("_==_") && (isEntryOfMap(left) || isEntryOfMap(right))
                ? row("COALESCE(", compared, ", FALSE)")
                : compared;
    }

    private Sql comparisonWithNull(Syntax.Call call, Syntax other) {
        return switch (call.function()) {
            case "_==_" -> row("(", sql(other, formOf(other)), " IS NULL)");
            case "_!=_" -> row("(", sql(other, formOf(other)), " IS NOT NULL)");
            default -> throw unsupported(call.position(), "`" + call.function() + "` function");
        };
    }

    private static boolean isEntryOfMap(Syntax syntax) {
        return syntax instanceof Syntax.Call call
                && call.function().equals("_[_]")
                && call.arguments().getFirst().type() == Syntax.Type.MAP;
    }

    private static boolean isConcatenation(Syntax.Call call) {
        return call.function().equals("_+_")
                && call.arguments().stream().anyMatch(argument -> argument.type() == Syntax.Type.STRING);
    }

    private Sql concatenation(Syntax.Call call) {
        var parts = new ArrayList<Syntax>();
        collect(call, parts);
        return row("CONCAT(", list(parts, Form.TEXT), ")");
    }

    private static void collect(Syntax syntax, List<Syntax> parts) {
        if (syntax instanceof Syntax.Call call && call.function().equals("_+_")) {
            call.arguments().forEach(argument -> collect(argument, parts));
        } else {
            parts.add(syntax);
        }
    }

    private Sql arithmetic(Syntax.Call call) {
        var left = call.arguments().getFirst();
        var right = call.arguments().getLast();
        var form = left.type() == Syntax.Type.TIMESTAMP || right.type() == Syntax.Type.TIMESTAMP
                ? Form.INSTANT
                : Form.NUMBER;
        var operator = String.valueOf(ARITHMETIC.get(call.function()));
        var divisor = operator.equals("/") || operator.equals("%")
                ? row("NULLIF(", sql(right, form), ", 0)")
                : sql(right, form);
        return row("(", sql(left, form), " " + operator + " ", divisor, ")");
    }

    private Sql membership(Syntax.Call call) {
        var left = call.arguments().getFirst();
        var right = call.arguments().getLast();
        if (right instanceof Syntax.Elements(var _, var items)) {
            if (items.isEmpty()) {
                return Sql.of("FALSE");
            }
            var form = commonForm(left, items.getFirst());
            return row("(", sql(left, form), " IN (", list(items, form), "))");
        }
        var place = Columns.of(right).filter(Columns::isJson);
        if (left instanceof Syntax.Text(var _, var key) && place.isPresent()) {
            var entry = place.get().at(key);
            return dialect.exists(entry.column(), entry.path());
        }
        throw unsupported(call.position(), "`@in` function");
    }

    private Sql function(Syntax.Call call) {
        var operands = new ArrayList<Syntax>();
        call.target().ifPresent(operands::add);
        operands.addAll(call.arguments());
        return switch (call.function()) {
            case "contains" ->
                dialect.contains(sql(operands.getFirst(), Form.TEXT), sql(operands.getLast(), Form.TEXT));
            case "startsWith" -> startsWith(sql(operands.getFirst(), Form.TEXT), sql(operands.getLast(), Form.TEXT));
            case "endsWith" -> endsWith(sql(operands.getFirst(), Form.TEXT), sql(operands.getLast(), Form.TEXT));
            case "matches" -> matches(call, operands.getFirst(), operands.getLast());
            case "timestamp" -> timestamp(operands.getFirst());
            case "getDate" -> part(call, Dialect.Part.DAY);
            case "getDayOfMonth" -> row("(", part(call, Dialect.Part.DAY), " - 1)");
            case "getDayOfWeek" -> part(call, Dialect.Part.DAY_OF_WEEK);
            case "getDayOfYear" -> row("(", part(call, Dialect.Part.DAY_OF_YEAR), " - 1)");
            case "getFullYear" -> part(call, Dialect.Part.YEAR);
            default -> throw unsupported(call.position(), "`" + call.function() + "` function");
        };
    }

    private static Sql startsWith(Sql text, Sql start) {
        return row("substr(", text, ", 1, length(", start, ")) = ", start);
    }

    private static Sql endsWith(Sql text, Sql end) {
        return row(
                "(length(",
                text,
                ") >= length(",
                end,
                ") AND substr(",
                text,
                ", length(",
                text,
                ") - length(",
                end,
                ") + 1) = ",
                end,
                ")");
    }

    private Sql matches(Syntax.Call call, Syntax text, Syntax pattern) {
        if (!(pattern instanceof Syntax.Text(var _, var expression))) {
            throw unsupported(call.position(), "`matches` function");
        }
        Patterns.check(expression);
        return dialect.matches(sql(text, Form.TEXT), sql(pattern, Form.TEXT));
    }

    private Sql timestamp(Syntax operand) {
        return switch (operand) {
            case Syntax.Text(var _, var text) -> Sql.of("CAST(? AS BIGINT)", Moments.micros(text));
            case Syntax.Variable _, Syntax.Select _, Syntax.Call _ ->
                switch (formOf(operand)) {
                    case INSTANT -> sql(operand, Form.INSTANT);
                    case NUMBER -> row("(", sql(operand, Form.NUMBER), " * 1000000)");
                    case TEXT, TRUTH -> dialect.instant(sql(operand, Form.TEXT));
                };
            case Syntax.Int(var _, var seconds) -> Sql.of("(CAST(? AS BIGINT) * 1000000)", seconds);
            case Syntax.Real _, Syntax.Truth _, Syntax.Nothing _, Syntax.Elements _, Syntax.Unknown _ ->
                throw unsupported(operand.position(), "constant");
        };
    }

    private Sql part(Syntax.Call call, Dialect.Part part) {
        var target = call.target();
        if (target.isEmpty() || !call.arguments().isEmpty()) {
            // With a time zone: all parts are those of UTC.
            throw unsupported(call.position(), "`" + call.function() + "` function");
        }
        return dialect.part(part, sql(target.get(), Form.INSTANT));
    }

    private static String indexed(Syntax.Call call) {
        return call.arguments().getLast() instanceof Syntax.Int ? "constant" : "index";
    }

    private Sql list(List<Syntax> items, Form form) {
        var all = Sql.builder();
        for (int i = 0; i < items.size(); i++) {
            all.add(i == 0 ? "" : ", ").add(sql(items.get(i), form));
        }
        return all.build();
    }

    private static Form commonForm(Syntax left, Syntax right) {
        return formIfKnown(left).or(() -> formIfKnown(right)).orElse(Form.TEXT);
    }

    private static Form formOf(Syntax syntax) {
        return formIfKnown(syntax).orElse(Form.TEXT);
    }

    private static Optional<Form> formIfKnown(Syntax syntax) {
        return switch (syntax.type()) {
            case BOOL -> Optional.of(Form.TRUTH);
            case INT, DOUBLE -> Optional.of(Form.NUMBER);
            case STRING -> Optional.of(Form.TEXT);
            case TIMESTAMP, DURATION -> Optional.of(Form.INSTANT);
            case NULL, LIST, MAP, OBJECT, ANY, OTHER -> Optional.empty();
        };
    }

    /// Constants and pieces in a row.
    private static Sql row(Object... pieces) {
        var all = Sql.builder();
        for (var piece : pieces) {
            if (piece instanceof Sql sql) {
                all.add(sql);
            } else {
                all.add(piece.toString());
            }
        }
        return all.build();
    }
}

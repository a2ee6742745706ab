package dev.towtank.model.template.functions;

import dev.towtank.model.Json;
import dev.towtank.model.template.FunctionError;
import dev.towtank.model.template.Meter;
import dev.towtank.model.template.Print;
import org.jspecify.annotations.Nullable;

/// TOML as the library writes it that Helm has for it: plain keys first, then tables, each in the order of the
/// alphabet.
final class Toml {
    private final StringBuilder out = new StringBuilder();

    private Toml() {}

    static String write(@Nullable Object value, Meter meter) {
        if (!(Documents.typed(value, meter) instanceof Json.Obj object)) {
            throw new FunctionError("toml: top-level values must be Go maps or structs");
        }
        var toml = new Toml();
        toml.table("", object, 0);
        return toml.out.toString();
    }

    private void table(String path, Json.Obj object, int level) {
        object.forEach((key, value) -> {
            if (!isTable(value) && !(value instanceof Json.Null)) {
                indent(level);
                out.append(key(key)).append(" = ");
                value(value);
                out.append('\n');
            }
        });
        object.forEach((key, value) -> {
            var inner = path.isEmpty() ? key(key) : path + "." + key(key);
            if (value instanceof Json.Obj table) {
                header("[" + inner + "]", level);
                table(inner, table, level + 1);
            } else if (isTable(value) && value instanceof Json.Arr tables) {
                tables.objects().forEach(table -> {
                    header("[[" + inner + "]]", level);
                    table(inner, table, level + 1);
                });
            }
        });
    }

    private void header(String text, int level) {
        if (!out.isEmpty() && level == 0) {
            out.append('\n');
        }
        indent(level);
        out.append(text).append('\n');
    }

    private void indent(int level) {
        out.repeat("  ", level);
    }

    private static boolean isTable(Json value) {
        return value instanceof Json.Obj
                || (value instanceof Json.Arr list
                        && list.size() > 0
                        && list.items().stream().allMatch(Json.Obj.class::isInstance));
    }

    private void value(Json value) {
        switch (value) {
            case Json.Str(var text) -> out.append(string(text));
            case Json.Arr list -> {
                out.append('[');
                for (int i = 0; i < list.size(); i++) {
                    out.append(i > 0 ? ", " : "");
                    value(list.get(i));
                }
                out.append(']');
            }
            case Json.Obj table -> {
                out.append('{');
                for (int i = 0; i < table.size(); i++) {
                    out.append(i > 0 ? ", " : "").append(key(table.key(i))).append(" = ");
                    value(table.value(i));
                }
                out.append('}');
            }
            case Json.Int(var number) -> out.append(number);
            case Json.Real(var number) -> out.append(real(number));
            case Json.Bool _, Json.Null _ -> out.append(value);
        }
    }

    // Always with a point or an exponent, so that it is read as a float again.
    private static String real(double number) {
        var text = Print.real(number);
        return text.contains(".") || text.contains("e") ? text : text + ".0";
    }

    private static String key(String key) {
        return key.matches("[A-Za-z0-9_-]+") ? key : string(key);
    }

    private static String string(String text) {
        var out = new StringBuilder("\"");
        text.codePoints().forEach(each -> {
            switch (each) {
                case '"' -> out.append("\\\"");
                case '\\' -> out.append("\\\\");
                case '\n' -> out.append("\\n");
                case '\t' -> out.append("\\t");
                case '\r' -> out.append("\\r");
                case '\b' -> out.append("\\b");
                case '\f' -> out.append("\\f");
                default -> {
                    if (each < 0x20 || each == 0x7F) {
                        out.append(String.format("\\u%04x", each));
                    } else {
                        out.appendCodePoint(each);
                    }
                }
            }
        });
        return out.append('"').toString();
    }
}

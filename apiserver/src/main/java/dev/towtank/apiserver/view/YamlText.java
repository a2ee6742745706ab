package dev.towtank.apiserver.view;

import dev.towtank.model.Json;
import java.util.regex.Pattern;

/// Writes a tree as YAML, in block style. Keys and texts that could be read as something else are quoted.
final class YamlText {

    /// Words that no YAML 1.1 or 1.2 reader takes for anything but text.
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z_/.][A-Za-z0-9_./-]*");

    private static final Pattern RESERVED =
            Pattern.compile("(?i)y|n|yes|no|on|off|true|false|null|\\.nan|[-+]?\\.inf|\\.[0-9_].*|\\.");

    private static final String STEP = "  ";

    private final StringBuilder out = new StringBuilder();

    private YamlText() {}

    static String write(Json json) {
        var text = new YamlText();
        text.value(json, "");
        return text.out.toString();
    }

    private void value(Json json, String indent) {
        switch (json) {
            case Json.Obj object when object.size() > 0 -> fields(object, indent);
            case Json.Arr array when array.size() > 0 -> items(array, indent);
            case Json.Obj _ -> out.append("{}\n");
            case Json.Arr _ -> out.append("[]\n");
            case Json.Str(var text) -> out.append(scalar(text)).append('\n');
            case Json.Null _, Json.Bool _, Json.Int _, Json.Real _ ->
                out.append(json).append('\n');
        }
    }

    private void fields(Json.Obj object, String indent) {
        for (int i = 0; i < object.size(); i++) {
            if (i > 0) {
                out.append(indent);
            }
            out.append(scalar(object.key(i))).append(':');
            switch (object.value(i)) {
                case Json.Obj child
                when child.size() > 0 -> {
                    out.append('\n').append(indent).append(STEP);
                    fields(child, indent + STEP);
                }
                // Like kubectl: the dashes of a list stand under its key.
                case Json.Arr child
                when child.size() > 0 -> {
                    out.append('\n').append(indent);
                    items(child, indent);
                }
                case Json child -> {
                    out.append(' ');
                    value(child, indent);
                }
            }
        }
    }

    private void items(Json.Arr array, String indent) {
        for (int i = 0; i < array.size(); i++) {
            if (i > 0) {
                out.append(indent);
            }
            out.append("- ");
            value(array.get(i), indent + STEP);
        }
    }

    private static String scalar(String text) {
        return PLAIN.matcher(text).matches() && !RESERVED.matcher(text).matches()
                ? text
                // Every JSON string is a YAML string.
                : Json.of(text).toString();
    }
}

package dev.towtank.model.template.functions;

import dev.towtank.model.Json;
import dev.towtank.model.YamlText;

/// Block YAML with lists indented below their keys, as another of Go's libraries writes it.
final class PrettyYaml {
    private static final String STEP = "  ";

    private PrettyYaml() {}

    static String write(Json json) {
        var out = new StringBuilder();
        switch (json) {
            case Json.Obj object when object.size() > 0 -> object.forEach((key, value) -> field(key, value, out));
            case Json.Arr list when list.size() > 0 -> list.forEach(item -> item(item, out));
            default -> out.append(YamlText.write(json));
        }
        return out.toString();
    }

    private static void field(String key, Json value, StringBuilder out) {
        boolean nests = (value instanceof Json.Obj object && object.size() > 0)
                || (value instanceof Json.Arr list && list.size() > 0);
        if (!nests) {
            out.append(YamlText.write(Json.Obj.of(key, value)));
            return;
        }
        out.append(YamlText.write(Json.Obj.of(key, Json.Null.NULL)).replace(" null", ""));
        indented(write(value), STEP, STEP, out);
    }

    private static void item(Json item, StringBuilder out) {
        indented(write(item), "- ", STEP, out);
    }

    private static void indented(String text, String first, String others, StringBuilder out) {
        var before = first;
        for (var line : text.substring(0, text.length() - 1).split("\n", -1)) {
            out.append(line.isEmpty() ? "" : before).append(line).append('\n');
            before = others;
        }
    }
}

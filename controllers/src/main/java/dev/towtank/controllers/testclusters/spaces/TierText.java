package dev.towtank.controllers.testclusters.spaces;

import dev.towtank.model.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Puts values into the objects of a tier's template, of which there are two forms: `${NAME}` in those that are
/// OpenShift
/// Templates, and `{{.NAME}}` in plain objects. Values are data: they are looked at once.
record TierText(Pattern variable, Map<String, String> values) {

    private static final Pattern DOLLAR = Pattern.compile("\\$\\{([^}]{0,253})}");
    private static final Pattern BRACES = Pattern.compile("\\{\\{\\s*(.{0,253}?)\\s*}}");

    static TierText ofTemplate(Map<String, String> values) {
        return new TierText(DOLLAR, values);
    }

    static TierText ofObjects(Map<String, String> values) {
        return new TierText(BRACES, values);
    }

    Json.Obj filled(Json.Obj object) {
        var builder = Json.Obj.builder();
        for (var entry : object) {
            builder.put(filled(entry.getKey()), filled(entry.getValue()));
        }
        return builder.build();
    }

    private Json filled(Json value) {
        return switch (value) {
            case Json.Obj object -> filled(object);
            case Json.Arr array -> {
                List<Json> all = new ArrayList<>();
                array.forEach(each -> all.add(filled(each)));
                yield new Json.Arr(all);
            }
            case Json.Str(var text) -> Json.of(filled(text));
            case Json.Null _, Json.Bool _, Json.Int _, Json.Real _ -> value;
        };
    }

    private String filled(String text) {
        return variable.matcher(text).replaceAll(match -> Matcher.quoteReplacement(value(match.group(1))));
    }

    private String value(String written) {
        var name = written.startsWith(".") ? written.substring(1) : written;
        var value = values.get(name);
        if (value == null) {
            throw new TierProblem("its template uses \"" + written + "\", which no parameter sets");
        }
        return value;
    }
}

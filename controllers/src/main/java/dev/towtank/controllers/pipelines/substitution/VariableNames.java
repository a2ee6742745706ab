package dev.towtank.controllers.pipelines.substitution;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/// How variables may be spelled, and which ones a text has.
public final class VariableNames {

    private static final Pattern VARIABLE = Pattern.compile("\\$\\(([_a-zA-Z0-9.-]+(\\[([0-9]+|\\*)])?)\\)");

    private VariableNames() {}

    /// `prefix.name`, `prefix["name"]` and `prefix['name']`.
    static List<String> quoted(String prefix, String name) {
        return List.of(prefix + "." + name, prefix + "[\"" + name + "\"]", prefix + "['" + name + "']");
    }

    /// The variables in a text, without `$(` and `)`. As in Tekton, those with a quoted name are not among
    /// them.
    public static List<String> in(String text) {
        if (!text.contains("$(")) {
            return List.of();
        }
        var found = new ArrayList<String>();
        var matcher = VARIABLE.matcher(text);
        while (matcher.find()) {
            found.add(matcher.group(1));
        }
        return found;
    }
}

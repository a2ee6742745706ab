package dev.towtank.controllers.builds.recipe;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Variables in the lines of a Dockerfile.
final class Variables {

    private static final Pattern USE = Pattern.compile(
            "\\\\(.)|\\$(?:\\{([A-Za-z_][A-Za-z0-9_]*)(?::([-+])([^}]*))?}|([A-Za-z_][A-Za-z0-9_]*))", Pattern.DOTALL);

    private Variables() {}

    static String filled(String text, Map<String, String> values) {
        return USE.matcher(text).replaceAll(use -> {
            if (use.group(1) != null) {
                return Matcher.quoteReplacement(use.group(1).equals("$") ? "$" : "\\" + use.group(1));
            }
            var name = use.group(2) == null ? use.group(5) : use.group(2);
            var value = values.getOrDefault(name, "");
            if ("-".equals(use.group(3)) && value.isEmpty()) {
                value = use.group(4);
            } else if ("+".equals(use.group(3))) {
                value = value.isEmpty() ? "" : use.group(4);
            }
            return Matcher.quoteReplacement(value);
        });
    }
}

package dev.towtank.app.lint;

import dev.towtank.app.lint.finding.Finding;
import dev.towtank.app.lint.finding.Rule;
import dev.towtank.app.lint.finding.Similar;
import dev.towtank.app.lint.source.Document;
import dev.towtank.app.lint.source.Places;
import dev.towtank.model.Json;
import dev.towtank.model.Located;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Tells which of the variables in a text is the one that nothing declares.
///
/// @param found the text, or what holds it
record UndefinedVariable(Document document, Places found, String path) {

    private static final Pattern VARIABLE = Pattern.compile(
            "\\$\\((?:inputs\\.)?(params|workspaces|results)(?:\\.([^()\\[\\]]*)|\\[[\"']([^\"']+)[\"']])[^()]*\\)");

    Finding finding() {
        for (var text : found.value().all()) {
            if (text.json() instanceof Json.Str(var value)) {
                var matcher = VARIABLE.matcher(value);
                while (matcher.find()) {
                    var name = Optional.ofNullable(matcher.group(2)).orElseGet(() -> matcher.group(3));
                    if (!isDeclared(matcher.group(1), name)) {
                        return about(text, value, matcher, name);
                    }
                }
            }
        }
        return Finding.of(
                Rule.UNDEFINED_VARIABLE,
                found.value(document),
                path + " uses a variable that nothing declares",
                "Declare it under 'params' or 'workspaces'.");
    }

    private Finding about(Located text, String value, Matcher variable, String name) {
        var list = variable.group(1);
        var first = name.split("\\.", -1)[0];
        return Finding.of(
                Rule.UNDEFINED_VARIABLE,
                document.within(text, value, variable.start(), variable.end()),
                "nothing declares " + variable.group(),
                Similar.to(first, declared(list))
                        .map(each -> "Did you mean \"" + each + "\"?")
                        .orElse("Declare it under '" + list + "'."));
    }

    /// A name may have dots in it, and more may stand behind it.
    private boolean isDeclared(String list, String name) {
        return declared(list).stream().anyMatch(each -> name.equals(each) || name.startsWith(each + "."));
    }

    private Set<String> declared(String list) {
        var names = new LinkedHashSet<String>();
        for (var each : document.root().all()) {
            each.list(list).forEach(item -> names.add(item.text("name")));
        }
        return names;
    }
}

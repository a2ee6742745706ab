package dev.towtank.controllers.secrets.reading;

import dev.towtank.model.template.Functions;
import dev.towtank.model.template.GoTemplate;
import dev.towtank.model.template.TemplateError;
import dev.towtank.model.template.TemplateSettings;
import dev.towtank.model.template.functions.Ambient;
import dev.towtank.model.template.functions.ExternalSecretsFunctions;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/// Regular expressions and small templates over names. Both by the template engine, which knows Go's syntax and
/// bounds
/// what they cost.
public final class NameExpressions {

    // Names are made of names: neither the time nor chance has a say in them.
    private static final Functions FUNCTIONS =
            ExternalSecretsFunctions.functions(new Ambient(Instant.EPOCH, ZoneOffset.UTC, new Random(0)));
    private static final GoTemplate MATCHES = GoTemplate.parse(
            "name", "{{ range .names }}{{ if mustRegexMatch $.regexp . }}{{ . }}\n{{ end }}{{ end }}", FUNCTIONS);
    private static final GoTemplate REPLACED =
            GoTemplate.parse("rewrite", "{{ mustRegexReplaceAll .regexp .name .by }}", FUNCTIONS);

    private NameExpressions() {}

    /// Which of the names match; none has a line break.
    static Set<String> matching(String regexp, List<String> names) {
        var found = run(
                MATCHES,
                Map.of("regexp", regexp, "names", names),
                "could not compile find.name.regexp [" + regexp + "]: ");
        return new LinkedHashSet<>(found.lines().toList());
    }

    public static boolean matches(String regexp, String name) {
        return !matching(regexp, List.of(name)).isEmpty();
    }

    static String replaced(String regexp, String name, String by) {
        return run(
                REPLACED, Map.of("regexp", regexp, "name", name, "by", by), "regexp failed with failed to compile: ");
    }

    static GoTemplate template(String text) {
        try {
            return GoTemplate.parse("transform", text, FUNCTIONS);
        } catch (TemplateError e) {
            throw ReadProblem.of("transform failed with failed to parse template: " + e.text());
        }
    }

    static String transformed(GoTemplate template, String name) {
        return run(
                template,
                Map.of("value", name),
                "transform failed with failed to execute template for key \"" + name + "\": ");
    }

    /// A template of a request. What goes wrong is told without the values.
    static String filled(String template, Map<String, ?> data, String problem) {
        try {
            return GoTemplate.parse("webhooktemplate", template, FUNCTIONS)
                    .execute(data, TemplateSettings.of(FUNCTIONS, TemplateSettings.MissingKey.INVALID));
        } catch (TemplateError e) {
            throw ReadProblem.of(problem + withoutValues(e.text(), data.values()));
        }
    }

    /// Some functions quote what they were given.
    public static String withoutValues(String message, Collection<?> values) {
        var safe = message;
        for (var value : values) {
            if (value instanceof Map<?, ?> inner) {
                safe = withoutValues(safe, inner.values());
            } else if (value instanceof String text && !text.isEmpty()) {
                safe = safe.replace(text, "***");
            }
        }
        return safe;
    }

    private static String run(GoTemplate template, Map<String, ?> data, String problem) {
        try {
            return template.execute(data, TemplateSettings.of(FUNCTIONS, TemplateSettings.MissingKey.INVALID));
        } catch (TemplateError e) {
            throw ReadProblem.of(problem + e.text());
        }
    }
}

package dev.towtank.app.lint.settings;

import dev.towtank.app.lint.finding.Finding;
import dev.towtank.app.lint.finding.Level;
import dev.towtank.app.lint.finding.Report;
import dev.towtank.app.lint.finding.Rule;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.YamlText;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// What a repository has decided about the linter, in its `towtank-lint.yaml`.
///
/// @param levels of rules that have another than their own; none for those that are off
/// @param excluded files that are not looked at
/// @param applied files that servers get as they are; where there are none, nobody knows
/// @param ignored findings that do not count
/// @param schemas directories with CustomResourceDefinitions
public record LintSettings(
        Map<Rule, Optional<Level>> levels,
        List<Pattern> excluded,
        List<Pattern> applied,
        List<Ignored> ignored,
        String target,
        List<String> schemas,
        String baseline) {

    /// Where it is looked for.
    public static final String FILE = "towtank-lint.yaml";

    public static final LintSettings NONE =
            new LintSettings(Map.of(), List.of(), List.of(), List.of(), "", List.of(), "");

    private static final Set<String> FIELDS =
            Set.of("rules", "exclude", "applied", "ignore", "target", "schemas", "baseline");
    private static final Set<String> IGNORE_FIELDS = Set.of("path", "rules", "reason");

    public LintSettings {
        levels = Map.copyOf(levels);
        excluded = List.copyOf(excluded);
        applied = List.copyOf(applied);
        ignored = List.copyOf(ignored);
        schemas = List.copyOf(schemas);
    }

    /// The file says something that it cannot mean; the message says what.
    public static final class Malformed extends Exception {
        private static final long serialVersionUID = 1;

        Malformed(String message) {
            super(message);
        }
    }

    /// Paths as `.gitignore` users write them: `vendor/`, `**/testdata/**`, `deploy/*.yaml`.
    ///
    /// @param text relative to the directory of the file
    public record Pattern(String text) {
        boolean matches(Path file) {
            var whole = text.endsWith("/") ? text + "**" : text;
            return matcher(whole).matches(file) || matcher(whole + "/**").matches(file);
        }

        private static PathMatcher matcher(String glob) {
            return FileSystems.getDefault().getPathMatcher("glob:" + glob);
        }
    }

    /// @param rules all of them where there are none
    /// @param reason why, for whoever reads it in a year
    public record Ignored(Pattern path, Set<Rule> rules, String reason) {
        boolean covers(Finding finding) {
            return (rules.isEmpty() || rules.contains(finding.rule()))
                    && path.matches(relative(finding.place().file()));
        }
    }

    public static LintSettings parse(String yaml) throws Malformed {
        Json json;
        try {
            json = YamlText.parse(yaml);
        } catch (JsonText.Malformed e) {
            throw new Malformed(String.valueOf(e.getMessage()));
        }
        if (json instanceof Json.Null) {
            return NONE;
        }
        if (!(json instanceof Json.Obj object)) {
            throw new Malformed("it is a map with some of " + sorted(FIELDS));
        }
        known(object, FIELDS, "");
        return new LintSettings(
                levels(object),
                patterns(object, "exclude"),
                patterns(object, "applied"),
                ignored(object),
                object.string("target"),
                strings(object, "schemas"),
                object.string("baseline"));
    }

    private static void known(Json.Obj object, Set<String> fields, String where) throws Malformed {
        for (var key : object.keys()) {
            if (!fields.contains(key)) {
                throw new Malformed("there is no field " + where + key + "; there are " + sorted(fields));
            }
        }
    }

    private static String sorted(Set<String> words) {
        return words.stream().sorted().collect(Collectors.joining(", "));
    }

    private static Map<Rule, Optional<Level>> levels(Json.Obj object) throws Malformed {
        var levels = new EnumMap<Rule, Optional<Level>>(Rule.class);
        for (var each : object.object("rules")) {
            var rule = rule(each.getKey());
            var word = each.getValue() instanceof Json.Bool(var on) && !on
                    ? "off"
                    : each.getValue().display();
            levels.put(
                    rule,
                    switch (word) {
                        case "off" -> Optional.empty();
                        case "info" -> Optional.of(Level.INFO);
                        case "warning" -> Optional.of(Level.WARNING);
                        case "error" -> Optional.of(Level.ERROR);
                        default ->
                            throw new Malformed(
                                    "rules." + each.getKey() + " is error, warning, info or off, not " + word);
                    });
        }
        return levels;
    }

    private static Rule rule(String name) throws Malformed {
        return Rule.find(name)
                .orElseThrow(() -> new Malformed("there is no rule " + name + "; 'towtank lint --rules' lists them"));
    }

    private static List<Pattern> patterns(Json.Obj object, String field) throws Malformed {
        var patterns = new ArrayList<Pattern>();
        for (var text : strings(object, field)) {
            patterns.add(pattern(text));
        }
        return patterns;
    }

    private static Pattern pattern(String text) throws Malformed {
        var pattern = new Pattern(text);
        try {
            var _ = pattern.matches(Path.of("x"));
            return pattern;
        } catch (IllegalArgumentException e) {
            throw new Malformed("\"" + text + "\" is no pattern of paths: " + e.getMessage());
        }
    }

    private static List<String> strings(Json.Obj object, String field) throws Malformed {
        var value = object.get(field);
        if (value == null) {
            return List.of();
        }
        if (!(value instanceof Json.Arr list) || list.strings().size() != list.size()) {
            throw new Malformed(field + " is a list of texts");
        }
        return list.strings();
    }

    private static List<Ignored> ignored(Json.Obj object) throws Malformed {
        var all = new ArrayList<Ignored>();
        for (var each : object.objects("ignore")) {
            known(each, IGNORE_FIELDS, "ignore.");
            if (each.string("path").isEmpty() || each.string("reason").isBlank()) {
                throw new Malformed("what is ignored needs a path and a reason");
            }
            var rules = new ArrayList<Rule>();
            for (var name : strings(each, "rules")) {
                rules.add(rule(name));
            }
            all.add(new Ignored(pattern(each.string("path")), Set.copyOf(rules), each.string("reason")));
        }
        return all;
    }

    public boolean excludes(Path file) {
        return isAmong(excluded, file);
    }

    /// Whether servers get it as it is.
    public boolean applies(Path file) {
        return isAmong(applied, file);
    }

    private static boolean isAmong(List<Pattern> patterns, Path file) {
        var path = relative(file.toString());
        return patterns.stream().anyMatch(pattern -> pattern.matches(path));
    }

    private static Path relative(String file) {
        var here = Path.of("").toAbsolutePath();
        var whole = Path.of(file).toAbsolutePath().normalize();
        return whole.startsWith(here) ? here.relativize(whole) : whole;
    }

    /// What is left of a report, at the levels that were chosen.
    public Report apply(Report report) {
        var kept = report.findings().stream()
                .filter(finding -> ignored.stream().noneMatch(each -> each.covers(finding)))
                .flatMap(finding -> {
                    var level = levels.get(finding.rule());
                    return level == null ? Stream.of(finding) : level.map(finding::at).stream();
                })
                .toList();
        return report.with(kept);
    }
}

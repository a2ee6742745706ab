package dev.towtank.archive.retention;

import dev.towtank.archive.ArchiveRefusal;
import dev.towtank.model.Durations;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.YamlText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// What the ConfigMap `tekton-results-config-results-retention-policy` says. The first rule that matches a run counts.
///
/// @param runAt when to look, as five fields of cron
/// @param otherwise how long runs are kept that no rule is about
public record RetentionPolicy(String runAt, Duration otherwise, List<Rule> rules) {

    /// Sundays; upstream's own default names a day that its library refuses.
    private static final String RUN_AT = "7 7 * * 0";
    private static final Duration OTHERWISE = Duration.ofDays(30);

    public RetentionPolicy {
        rules = List.copyOf(rules);
    }

    /// Absent parts of the selector match everything.
    ///
    /// @param reasons of the first condition
    public record Rule(
            String name,
            List<String> namespaces,
            Map<String, List<String>> labels,
            Map<String, List<String>> annotations,
            List<String> reasons,
            Duration kept) {
        public Rule {
            namespaces = List.copyOf(namespaces);
            labels = Map.copyOf(labels);
            annotations = Map.copyOf(annotations);
            reasons = List.copyOf(reasons);
        }
    }

    /// @throws Refusal naming the key that is wrong
    public static RetentionPolicy of(Map<String, String> data) {
        var otherwise = OTHERWISE;
        for (var key : List.of("defaultRetention", "maxRetention")) {
            // The older name wins where both are given.
            if (data.containsKey(key)) {
                otherwise = duration(key, data.getOrDefault(key, ""));
            }
        }
        return new RetentionPolicy(
                data.getOrDefault("runAt", RUN_AT), otherwise, rules(data.getOrDefault("policies", "")));
    }

    private static List<Rule> rules(String text) {
        if (text.isBlank()) {
            return List.of();
        }
        try {
            if (!(YamlText.parse(text) instanceof Json.Arr list)) {
                throw ArchiveRefusal.invalid("failed to unmarshal policies: a list is expected");
            }
            var rules = new ArrayList<Rule>();
            for (var rule : list.objects()) {
                var selector = rule.object("selector");
                rules.add(new Rule(
                        rule.string("name"),
                        selector.array("matchNamespaces").strings(),
                        lists(selector.object("matchLabels")),
                        lists(selector.object("matchAnnotations")),
                        selector.array("matchStatuses").strings(),
                        duration("policies[" + rules.size() + "].retention", scalar(rule, "retention"))));
            }
            return rules;
        } catch (JsonText.Malformed e) {
            throw ArchiveRefusal.invalid("failed to unmarshal policies: " + e.getMessage());
        }
    }

    private static String scalar(Json.Obj object, String key) {
        return object.get(key) instanceof Json.Int(var number) ? String.valueOf(number) : object.string(key);
    }

    private static Map<String, List<String>> lists(Json.Obj object) {
        var lists = new TreeMap<String, List<String>>();
        object.forEach((key, value) -> lists.put(key, value instanceof Json.Arr list ? list.strings() : List.of()));
        return lists;
    }

    /// Days as a number, with or without `d`, or a duration as Go writes it.
    private static Duration duration(String key, String text) {
        var days = text.endsWith("d") ? text.substring(0, text.length() - 1) : text;
        try {
            if (!days.isEmpty() && days.chars().allMatch(c -> c >= '0' && c <= '9') && days.length() < 7) {
                return Duration.ofDays(Long.parseLong(days));
            }
            return Durations.parse(text);
        } catch (Durations.Malformed e) {
            throw ArchiveRefusal.invalid("incorrect configuration for " + key + ": " + e.getMessage());
        }
    }
}

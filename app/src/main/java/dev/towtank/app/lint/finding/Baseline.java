package dev.towtank.app.lint.finding;

import dev.towtank.model.Json;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Findings that were there before: a build need not fail for them, only for new ones. A finding is known by its file,
/// rule
/// and words, not by its line, which moves when others are repaired.
public record Baseline(Map<Known, Integer> known) {
    public Baseline {
        known = Map.copyOf(known);
    }

    record Known(String file, String rule, String message) {
        static Known of(Finding finding) {
            return new Known(finding.place().file(), finding.rule().id(), finding.message());
        }
    }

    public static Baseline of(Report report) {
        var known = new HashMap<Known, Integer>();
        report.findings().stream()
                .filter(finding -> finding.level() != Level.INFO)
                .forEach(finding -> known.merge(Known.of(finding), 1, Integer::sum));
        return new Baseline(known);
    }

    public static Baseline parse(Json.Obj json) {
        var known = new HashMap<Known, Integer>();
        for (var each : json.objects("findings")) {
            known.merge(
                    new Known(each.string("file"), each.string("rule"), each.string("message")),
                    Math.toIntExact(Math.clamp(each.integer("count"), 1, 1_000_000)),
                    Integer::sum);
        }
        return new Baseline(known);
    }

    /// Sorted, so that changes of it can be read.
    public Json.Obj json() {
        var sorted = new TreeMap<String, Json>();
        known.forEach((each, count) -> sorted.put(
                String.join("\n", each.file, each.rule, each.message),
                Json.Obj.builder()
                        .put("file", each.file)
                        .put("rule", each.rule)
                        .put("message", each.message)
                        .put("count", count)
                        .build()));
        return Json.Obj.of("findings", new Json.Arr(List.copyOf(sorted.values())));
    }

    /// Of each that is known as many are left out as there were.
    public Report without(Report report) {
        var left = new HashMap<>(known);
        var kept = new ArrayList<Finding>();
        for (var finding : report.findings()) {
            var each = Known.of(finding);
            int count = left.getOrDefault(each, 0);
            if (count > 0) {
                left.put(each, count - 1);
            } else {
                kept.add(finding);
            }
        }
        return report.with(kept);
    }
}

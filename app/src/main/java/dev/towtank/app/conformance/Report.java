package dev.towtank.app.conformance;

import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/// What is told of all examples in the end.
public record Report(List<Verdict.Of> results, Duration took) {

    public Report {
        results = List.copyOf(results);
    }

    public boolean isGood() {
        return count("failed") == 0;
    }

    private long count(String word) {
        return results.stream()
                .filter(each -> each.verdict().word().equals(word))
                .count();
    }

    /// One line of an example while others still run.
    public static String line(Verdict.Of result) {
        return "%-8s %5s  %s"
                .formatted(
                        result.verdict().word(),
                        seconds(result.took()),
                        result.example().name());
    }

    private static String seconds(Duration time) {
        return String.format(Locale.ROOT, "%.1f s", time.toMillis() / 1000.0);
    }

    public List<String> pretty() {
        return Stream.of(
                        section("failed", "Failed:"),
                        section("skipped", "Skipped, because this machine does not have what they need:"),
                        Stream.of(
                                "",
                                "%d of %d passed, %d failed, %d skipped, in %s."
                                        .formatted(
                                                count("passed"),
                                                results.size(),
                                                count("failed"),
                                                count("skipped"),
                                                seconds(took))))
                .flatMap(lines -> lines)
                .toList();
    }

    private Stream<String> section(String word, String title) {
        var those = results.stream()
                .filter(each -> each.verdict().word().equals(word))
                .toList();
        if (those.isEmpty()) {
            return Stream.empty();
        }
        return Stream.concat(
                Stream.of("", title),
                those.stream()
                        .flatMap(each -> Stream.concat(
                                Stream.of("  " + each.example().name()),
                                each.verdict().reason().lines().limit(5).map(line -> "      " + line.strip()))));
    }

    public String json() {
        var examples = results.stream()
                .<Json>map(each -> Json.Obj.builder()
                        .put("name", each.example().name())
                        .put("stage", each.example().stage().name().toLowerCase(Locale.ROOT))
                        .put("verdict", each.verdict().word())
                        .put("milliseconds", each.took().toMillis())
                        .putNonEmpty("why", each.verdict().reason())
                        .build())
                .toList();
        return JsonText.pretty(Json.Obj.builder()
                .put("passed", count("passed"))
                .put("failed", count("failed"))
                .put("skipped", count("skipped"))
                .put("milliseconds", took.toMillis())
                .put("examples", new Json.Arr(examples))
                .build());
    }
}

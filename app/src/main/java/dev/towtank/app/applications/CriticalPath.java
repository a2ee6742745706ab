package dev.towtank.app.applications;

import dev.towtank.app.run.view.Elapsed;
import dev.towtank.model.Json;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/// What a sync spent its time on: of each of its steps, which follow one another, the object that ended last.
///
/// @param state the operation's
record CriticalPath(Json.Obj state) {

    private static final Duration SHORT = Duration.ofMillis(100);

    /// @param slowest what was waited for longest
    /// @param others how many were done in the same step
    record Link(Json.Obj slowest, Instant began, Instant ended, int others) {
        Duration time() {
            return Duration.between(began, ended);
        }
    }

    /// In their order; empty where no times are known.
    List<Link> links() {
        var steps = new TreeMap<Instant, List<Json.Obj>>();
        for (var result : state.objects("syncResult", "resources")) {
            var began = time(result, "startedAt");
            if (began.isPresent() && time(result, "finishedAt").isPresent()) {
                steps.computeIfAbsent(began.get(), _ -> new ArrayList<>()).add(result);
            }
        }
        var links = new ArrayList<Link>();
        steps.forEach((began, results) -> {
            var slowest = results.stream()
                    .max(Comparator.comparing(each -> time(each, "finishedAt").orElse(began)))
                    .orElseThrow();
            links.add(new Link(slowest, began, time(slowest, "finishedAt").orElse(began), results.size() - 1));
        });
        return links;
    }

    private static Optional<Instant> time(Json.Obj result, String field) {
        try {
            return result.string(field).isEmpty() ? Optional.empty() : Optional.of(Instant.parse(result.string(field)));
        } catch (DateTimeParseException e) {
            return Optional.empty();
        }
    }

    /// The steps that were waited for at all.
    ///
    /// @param resources of the Application, which know their waves
    List<String> told(List<Json.Obj> resources) {
        var links = links();
        var slow =
                links.stream().filter(link -> link.time().compareTo(SHORT) >= 0).toList();
        if (slow.isEmpty()) {
            return List.of();
        }
        var start = links.getFirst().began();
        var lines = new ArrayList<String>();
        lines.add("  Where the time went:");
        for (var link : slow) {
            lines.add("    %6s  from %s: %s%s%s"
                    .formatted(
                            Elapsed.text(link.time()),
                            Elapsed.text(Duration.between(start, link.began())),
                            AppExplanation.name(link.slowest()),
                            wave(link.slowest(), resources),
                            link.others() == 0 ? "" : ", beside " + link.others() + " that took less"));
        }
        int quick = links.size() - slow.size();
        if (quick > 0) {
            lines.add("    The other " + (quick == 1 ? "step" : quick + " steps") + " took no time to speak of.");
        }
        return lines;
    }

    private static String wave(Json.Obj result, List<Json.Obj> resources) {
        return resources.stream()
                .filter(each -> each.string("kind").equals(result.string("kind"))
                        && each.string("name").equals(result.string("name")))
                .findFirst()
                .map(each -> " (wave " + each.integer("syncWave") + ")")
                .orElse("");
    }
}

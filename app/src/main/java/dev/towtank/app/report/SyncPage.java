package dev.towtank.app.report;

import dev.towtank.model.Json;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The last sync of an Application as one page: how it ended and why, each object with its wave and its time, and the
/// history. One file, with nothing in it that comes from elsewhere or runs.
public final class SyncPage {

    private static final String POLICY =
            "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";
    private static final Duration SHORTEST = Duration.ofMillis(200);
    // A page with more would be shown by no browser in any reasonable time; the table has all of them.
    private static final int MOST_BARS = 500;

    private final Html html = new Html();
    private final Json.Obj application;
    private final List<String> explanation;
    private final List<Part> parts;

    /// An object of the sync, or one that it did not come to.
    ///
    /// @param result what the sync says about it; nothing in it where it did not come to it
    /// @param resource what the Application says about it
    private record Part(Json.Obj result, Json.Obj resource) {
        Json.Obj entry() {
            return result.size() > 0 ? result : resource;
        }

        State state() {
            if (result.size() == 0) {
                return resource.string("status").equals("Synced") ? State.SKIPPED : State.WAITING;
            }
            return result.string("status").equals("SyncFailed")
                    ? State.FAILED
                    : SyncPage.state(result.string("hookPhase"));
        }

        String step() {
            var phase = result.string("syncPhase");
            return phase.isEmpty() || phase.equals("Sync") ? "wave " + resource.integer("syncWave") : phase;
        }

        String title() {
            return entry().string("kind") + " " + entry().string("name");
        }

        Optional<Instant> began() {
            return time(result, "startedAt");
        }

        Optional<Duration> took() {
            return began().flatMap(start -> time(result, "finishedAt").map(end -> Duration.between(start, end)));
        }

        /// What the object says of itself, where that is more than that it was applied.
        String message() {
            var health = resource.string("health", "message");
            return result.string("message").isEmpty() ? health : result.string("message");
        }
    }

    private SyncPage(Json.Obj application, List<String> explanation) {
        this.application = application;
        this.explanation = List.copyOf(explanation);
        this.parts = parts(application.object("status"));
    }

    /// @param explanation in lines, for people
    public static String of(Json.Obj application, List<String> explanation) {
        return new SyncPage(application, explanation).write().toString();
    }

    /// As they were done, and then as they would have been.
    private static List<Part> parts(Json.Obj status) {
        var resources = new LinkedHashMap<List<String>, Json.Obj>();
        status.objects("resources").forEach(each -> resources.putIfAbsent(place(each), each));
        var parts = new ArrayList<Part>();
        var seen = new HashSet<List<String>>();
        for (var result : status.objects("operationState", "syncResult", "resources")) {
            seen.add(place(result));
            parts.add(new Part(result, resources.getOrDefault(place(result), Json.Obj.EMPTY)));
        }
        resources.entrySet().stream()
                // A hook that is not among the results is one of an earlier sync.
                .filter(each ->
                        !seen.contains(each.getKey()) && !each.getValue().flag("hook"))
                .map(Map.Entry::getValue)
                .sorted(Comparator.comparingLong(each -> each.integer("syncWave")))
                .forEach(each -> parts.add(new Part(Json.Obj.EMPTY, each)));
        return parts;
    }

    private static List<String> place(Json.Obj entry) {
        return List.of(entry.string("group"), entry.string("kind"), entry.string("namespace"), entry.string("name"));
    }

    private Json.Obj status() {
        return application.object("status");
    }

    private Json.Obj operation() {
        return status().object("operationState");
    }

    private String name() {
        return application.string("metadata", "name");
    }

    private Html write() {
        html.constant("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n")
                .open("meta", "http-equiv", "Content-Security-Policy", "content", POLICY)
                .constant("\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n")
                .constant("<meta name=\"color-scheme\" content=\"light dark\">\n")
                .element("title", name())
                .constant("\n<style>\n" + ReportPage.style("report.css") + "</style>\n</head>\n<body>\n<main>\n");
        header();
        html.open("section", "aria-label", "Explanation")
                .element("h2", "Explanation")
                .element("pre", String.join("\n", explanation), "class", "wrapped")
                .close("section")
                .line();
        timeline();
        objects();
        history();
        return html.constant("</main>\n</body>\n</html>\n");
    }

    private static State state(String phase) {
        return switch (phase) {
            case "Succeeded" -> State.SUCCEEDED;
            case "Failed", "Error" -> State.FAILED;
            case "Terminating" -> State.CANCELLED;
            case "Running" -> State.RUNNING;
            default -> State.WAITING;
        };
    }

    private void header() {
        var state = state(operation().string("phase"));
        html.open("header", "class", state.style())
                .element("p", "Application", "class", "kind")
                .element("h1", name())
                .open("p", "class", "verdict")
                .element("span", state.word(), "class", "pill " + state.style())
                .element("span", summary(), "class", "summary")
                .close("p")
                .open("dl", "class", "facts");
        fact("Sync", status().string("sync", "status"));
        fact("Health", status().string("health", "status"));
        var start = time(operation(), "startedAt");
        fact("Started", start.map(Times::moment).orElse(""));
        fact(
                "Took",
                start.flatMap(from ->
                                time(operation(), "finishedAt").map(end -> Times.words(Duration.between(from, end))))
                        .orElse(""));
        fact("Into", application.string("spec", "destination", "namespace"));
        fact("Revision", operation().string("syncResult", "revision"));
        html.close("dl").close("header").line();
    }

    /// Without the reasons, which stand below with their objects.
    private String summary() {
        var message = operation().string("message");
        return message.lines().findFirst().orElse("").replaceFirst(", reason: .*", "");
    }

    private void fact(String name, String value) {
        if (!value.isEmpty()) {
            html.open("div").element("dt", name).element("dd", value).close("div");
        }
    }

    private static Optional<Instant> time(Json.Obj result, String field) {
        try {
            return result.string(field).isEmpty() ? Optional.empty() : Optional.of(Instant.parse(result.string(field)));
        } catch (DateTimeParseException e) {
            return Optional.empty();
        }
    }

    /// When each object was begun, and how long it took to be as it should be.
    private void timeline() {
        var timed = parts.stream()
                .filter(part -> part.began().isPresent())
                .sorted(Comparator.comparing(part -> part.began().orElseThrow()))
                .toList();
        if (timed.isEmpty()) {
            return;
        }
        var start = timed.getFirst().began().orElseThrow();
        var end = timed.stream()
                .map(part -> part.began().orElseThrow().plus(part.took().orElse(Duration.ZERO)))
                .max(Comparator.naturalOrder())
                .orElseThrow();
        var time = Duration.between(start, end);
        var whole = time.compareTo(SHORTEST) < 0 ? SHORTEST : time;
        html.open("section", "aria-label", "Timeline").element("h2", "Timeline").open("div", "class", "timeline sync");
        Timeline.axis(html, whole);
        var step = "";
        for (var part : timed.stream().limit(MOST_BARS).toList()) {
            if (!part.step().equals(step)) {
                step = part.step();
                html.element("div", step, "class", "step-name");
            }
            bar(part, start, whole);
        }
        html.close("div");
        if (timed.size() > MOST_BARS) {
            html.element("p", "and " + (timed.size() - MOST_BARS) + " more, which are in the table", "class", "quiet");
        }
        html.close("section").line();
    }

    private void bar(Part part, Instant start, Duration whole) {
        var before = Duration.between(start, part.began().orElseThrow());
        var took = part.took().orElse(whole.minus(before));
        var label = part.title() + ": " + part.state().word() + ", " + spent(took) + " from " + spent(before);
        html.open("div", "class", "row " + part.state().style())
                .element("span", part.title(), "class", "who", "title", part.title())
                .open("span", "class", "track")
                .element(
                        "span",
                        "",
                        "class",
                        "bar",
                        "style",
                        Timeline.place(before, took, whole),
                        "title",
                        label,
                        "role",
                        "img",
                        "aria-label",
                        label)
                .close("span")
                .element("span", spent(took), "class", "time")
                .close("div")
                .line();
    }

    /// Most take less than a tenth of a second.
    private static String spent(Duration time) {
        return time.toMillis() < 100 ? time.toMillis() + " ms" : Times.words(time);
    }

    private void objects() {
        if (parts.isEmpty()) {
            return;
        }
        html.open("section", "aria-label", "Objects")
                .element("h2", "Objects")
                .open("div", "class", "scroll")
                .open("table", "class", "objects");
        html.open("tr");
        List.of("Step", "Object", "Result", "Health", "Time").forEach(each -> html.element("th", each));
        html.close("tr").line();
        parts.forEach(this::row);
        html.close("table").close("div").close("section").line();
    }

    private void row(Part part) {
        var entry = part.entry();
        var hook = entry.string("hookType");
        html.open("tr", "class", part.state().style())
                .element("td", part.step())
                .open("td", "class", "what")
                .element("span", part.title(), "class", "who");
        if (!entry.string("group").isEmpty()) {
            html.element("span", entry.string("group"), "class", "note");
        }
        if (!hook.isEmpty()) {
            html.element("span", hook + " hook", "class", "note");
        }
        if (!part.message().isEmpty()) {
            html.element("div", part.message(), "class", "message");
        }
        html.close("td")
                .open("td")
                .element("span", result(part), "class", "pill " + part.state().style())
                .close("td")
                .element("td", part.resource().string("health", "status"))
                .element("td", part.took().map(SyncPage::spent).orElse(""), "class", "time")
                .close("tr")
                .line();
    }

    private static String result(Part part) {
        return switch (part.state()) {
            case SKIPPED -> "as it was";
            case WAITING, FAILED -> part.state().word();
            case SUCCEEDED, RUNNING, CANCELLED, TIMED_OUT, IGNORED, IGNORED_TIMEOUT ->
                part.result().string("status");
        };
    }

    private void history() {
        var entries = status().objects("history");
        if (entries.isEmpty()) {
            return;
        }
        html.open("section", "aria-label", "History").element("h2", "History").open("table");
        for (var each : entries.reversed()) {
            html.open("tr")
                    .element("th", String.valueOf(each.integer("id")))
                    .element("td", time(each, "deployedAt").map(Times::moment).orElse(each.string("deployedAt")))
                    .open("td")
                    .element("code", revision(each))
                    .close("td")
                    .close("tr")
                    .line();
        }
        html.close("table").close("section").line();
    }

    /// Of several sources one each.
    private static String revision(Json.Obj entry) {
        return entry.has("revisions")
                ? String.join(", ", entry.array("revisions").strings())
                : entry.string("revision");
    }
}

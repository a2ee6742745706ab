package dev.towtank.app.report;

import dev.towtank.app.report.RunStory.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/// When what ran, as bars below each other.
final class Timeline {
    /// A bar must be seen, however short it was.
    private static final double THINNEST_PERCENT = 0.6;
    private static final int MOST_TICKS = 6;
    /// From where a word would stand out on the right.
    private static final double NEAR_THE_END_PERCENT = 97;
    private static final Duration SHORTEST = Duration.ofMillis(200);
    private static final List<Duration> STEPS = Stream.concat(
                    Stream.of(100, 200, 500).map(Duration::ofMillis),
                    Stream.of(1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200)
                            .map(Duration::ofSeconds))
            .toList();

    private record Row(String name, List<Outcome> bars, boolean step) {}

    private final Instant begin;
    private final Instant now;
    private final Duration whole;

    private Timeline(RunStory story, Instant begin) {
        this.begin = begin;
        this.now = story.told();
        var end = story.outcome().ended().orElse(now);
        var time = Duration.between(begin, end);
        this.whole = time.compareTo(SHORTEST) < 0 ? SHORTEST : time;
    }

    /// Nothing when nothing has begun.
    static Html draw(RunStory story) {
        var html = new Html();
        story.outcome().began().ifPresent(begin -> new Timeline(story, begin).draw(html, rows(story)));
        return html;
    }

    private static List<Row> rows(RunStory story) {
        var rows = new ArrayList<Row>();
        if (!story.isPipeline()) {
            var attempts = story.tasks().getFirst().parts().getFirst().attempts();
            attempts.getLast().steps().forEach(step -> rows.add(new Row(step.name(), List.of(step.outcome()), true)));
            return rows;
        }
        story.parts()
                .forEach(part -> rows.add(new Row(
                        part.name(),
                        part.attempts().stream().map(RunStory.Attempt::outcome).toList(),
                        false)));
        return rows;
    }

    private void draw(Html html, List<Row> rows) {
        html.open("div", "class", "timeline");
        axis(html, whole);
        for (var row : rows) {
            html.open("div", "class", "row").element("span", row.name(), "class", "who", "title", row.name());
            html.open("div", "class", "track");
            row.bars().forEach(bar -> bar(html, row.name(), bar));
            html.close("div");
            var time = total(row.bars());
            html.element("span", time, "class", "time").close("div").line();
        }
        html.close("div").line();
    }

    private String total(List<Outcome> bars) {
        var began = bars.getFirst().began();
        return began.map(start -> Times.words(
                        Duration.between(start, bars.getLast().ended().orElse(now))))
                .orElse(bars.getLast().state().word());
    }

    private void bar(Html html, String name, Outcome bar) {
        if (bar.began().isEmpty() || bar.state() == State.SKIPPED) {
            return;
        }
        var label = name + ": " + bar.state().word() + ", "
                + bar.time(now).map(Times::words).orElse("") + " from "
                + Times.moment(bar.began().get());
        html.element(
                "span",
                "",
                "class",
                "bar " + bar.state().style(),
                "style",
                place(Duration.between(begin, bar.began().get()), bar.time(now).orElse(Duration.ZERO), whole),
                "title",
                label,
                "role",
                "img",
                "aria-label",
                label);
    }

    private static double percent(Duration time, Duration whole) {
        return Math.clamp(100.0 * time.toMillis() / whole.toMillis(), 0.0, 100.0);
    }

    /// Where a bar is, and how long.
    static String place(Duration before, Duration time, Duration whole) {
        double left = Math.min(percent(before, whole), 100 - THINNEST_PERCENT);
        double width = Math.max(THINNEST_PERCENT, percent(time, whole));
        return String.format(Locale.ROOT, "left:%.2f%%;width:%.2f%%", left, Math.min(width, 100 - left));
    }

    /// The times above the bars.
    static void axis(Html html, Duration whole) {
        html.open("div", "class", "row axis", "aria-hidden", "true")
                .element("span", "", "class", "who")
                .open("div", "class", "track");
        var step = STEPS.stream()
                .filter(each -> whole.dividedBy(each) <= MOST_TICKS)
                .findFirst()
                .orElseGet(() -> Duration.ofSeconds(whole.toSeconds() / MOST_TICKS + 1));
        for (var at = Duration.ZERO; at.compareTo(whole) <= 0; at = at.plus(step)) {
            double left = percent(at, whole);
            html.element(
                    "span",
                    at.isZero() ? "0" : Times.words(at),
                    "class",
                    left > NEAR_THE_END_PERCENT ? "tick end" : "tick",
                    "style",
                    String.format(Locale.ROOT, "left:%.2f%%", left));
        }
        html.close("div").element("span", "", "class", "time").close("div").line();
    }
}

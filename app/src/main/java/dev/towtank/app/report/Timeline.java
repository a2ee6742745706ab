package dev.towtank.app.report;

import dev.towtank.app.report.RunStory.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// When what ran, as bars below each other.
final class Timeline {
    /// A bar must be seen, however short it was.
    private static final double THINNEST_PERCENT = 0.6;
    private static final int MOST_TICKS = 6;
    private static final List<Integer> STEPS = List.of(1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200);

    private record Row(String name, List<Outcome> bars, boolean step) {}

    private final Instant begin;
    private final Instant now;
    private final Duration whole;

    private Timeline(RunStory story, Instant begin) {
        this.begin = begin;
        this.now = story.told();
        var end = story.outcome().ended().orElse(now);
        var time = Duration.between(begin, end);
        this.whole = time.compareTo(Duration.ofSeconds(1)) < 0 ? Duration.ofSeconds(1) : time;
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
        axis(html);
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
        double left = percent(Duration.between(begin, bar.began().get()));
        double width = Math.max(THINNEST_PERCENT, percent(bar.time(now).orElse(Duration.ZERO)));
        var label = name + ": " + bar.state().word() + ", "
                + bar.time(now).map(Times::words).orElse("") + " from "
                + Times.moment(bar.began().get());
        html.element(
                "span",
                "",
                "class",
                "bar " + bar.state().style(),
                "style",
                String.format(
                        Locale.ROOT,
                        "left:%.2f%%;width:%.2f%%",
                        Math.min(left, 100 - THINNEST_PERCENT),
                        Math.min(width, 100 - left)),
                "title",
                label,
                "role",
                "img",
                "aria-label",
                label);
    }

    private double percent(Duration time) {
        return Math.clamp(100.0 * time.toMillis() / whole.toMillis(), 0.0, 100.0);
    }

    private void axis(Html html) {
        html.open("div", "class", "row axis", "aria-hidden", "true")
                .element("span", "", "class", "who")
                .open("div", "class", "track");
        long seconds = Math.max(1, whole.toSeconds());
        long step = STEPS.stream()
                .mapToLong(Integer::longValue)
                .filter(each -> seconds / each <= MOST_TICKS)
                .findFirst()
                .orElse(seconds / MOST_TICKS + 1);
        for (long at = 0; at <= seconds; at += step) {
            html.element(
                    "span",
                    at == 0 ? "0" : Times.words(Duration.ofSeconds(at)),
                    "class",
                    "tick",
                    "style",
                    String.format(Locale.ROOT, "left:%.2f%%", percent(Duration.ofSeconds(at))));
        }
        html.close("div").element("span", "", "class", "time").close("div").line();
    }
}

package dev.towtank.app.report;

import dev.towtank.app.report.RunStory.Part;
import dev.towtank.app.report.RunStory.Task;
import java.util.List;

/// A run in a few lines of Markdown, for a pull request or the page of a build.
public final class MarkdownSummary {
    private static final int LAST_LINES = 30;
    private static final int LONGEST_CELL = 300;
    private static final String SPECIAL = "&<>|`*_[]#~\\@!:";

    private final RunStory story;
    private final StringBuilder text = new StringBuilder();

    private MarkdownSummary(RunStory story) {
        this.story = story;
    }

    public static String of(RunStory story) {
        return new MarkdownSummary(story).write();
    }

    private String write() {
        var outcome = story.outcome();
        text.append("## %s %s %s %s"
                .formatted(
                        outcome.state().emoji(),
                        story.kind(),
                        plain(story.name()),
                        outcome.state().word()));
        outcome.time(story.told()).ifPresent(time -> text.append(" after ").append(Times.words(time)));
        text.append("\n\n");
        if (outcome.state() != State.SUCCEEDED && !outcome.message().isEmpty()) {
            text.append(plain(outcome.message())).append("\n\n");
        }
        text.append("| | task | time | |\n|---|---|---|---|\n");
        story.tasks().forEach(this::rows);
        results();
        story.parts()
                .filter(part ->
                        part.outcome().state().isBad() || part.outcome().state().isIgnored())
                .forEach(this::log);
        return text.toString();
    }

    private void rows(Task task) {
        if (task.parts().isEmpty()) {
            row(task.outcome(), task.name(), task.skipped());
        }
        task.parts().forEach(part -> row(part.outcome(), part.name(), remark(part)));
    }

    private void row(RunStory.Outcome outcome, String name, String remark) {
        text.append("| %s | %s | %s | %s |%n"
                .formatted(
                        outcome.state().emoji(),
                        plain(name),
                        outcome.state() == State.SKIPPED
                                ? ""
                                : outcome.time(story.told()).map(Times::words).orElse(""),
                        plain(remark)));
    }

    private static String remark(Part part) {
        var state = part.outcome().state();
        int attempts = part.attempts().size();
        return String.join(
                ", ",
                List.of(
                                attempts > 1 ? attempts + " attempts" : "",
                                state == State.SUCCEEDED ? "" : state.word(),
                                state == State.SUCCEEDED ? "" : part.outcome().message())
                        .stream()
                        .filter(word -> !word.isEmpty())
                        .toList());
    }

    private void results() {
        if (!story.results().isEmpty()) {
            text.append("\n| result | |\n|---|---|\n");
            story.results()
                    .forEach(result ->
                            text.append("| %s | %s |%n".formatted(plain(result.name()), plain(result.value()))));
        }
    }

    private void log(Part part) {
        part.culprit().ifPresent(step -> {
            var lines =
                    ReportPage.plain(step.log().text()).stripTrailing().lines().toList();
            var shown = String.join("\n", lines.subList(Math.max(0, lines.size() - LAST_LINES), lines.size()));
            var fence = fence(shown);
            text.append("%n<details><summary>%s %s: the last lines of step %s</summary>%n%n%stext%n%s%n%s%n</details>%n"
                    .formatted(
                            part.outcome().state().emoji(),
                            plain(part.name()),
                            plain(step.name()),
                            fence,
                            shown,
                            fence));
        });
    }

    /// Longer than any in the text, which could end it otherwise.
    private static String fence(String shown) {
        var fence = "```";
        while (shown.contains(fence)) {
            fence += "`";
        }
        return fence;
    }

    /// Text that stays text: no link, no mention of anybody, no end of a cell.
    static String plain(String words) {
        var one = words.strip().replaceAll("\\s+", " ");
        var cut = one.length() > LONGEST_CELL ? one.substring(0, LONGEST_CELL) + "…" : one;
        var escaped = new StringBuilder();
        cut.codePoints().forEach(c -> {
            if (SPECIAL.indexOf(c) >= 0) {
                escaped.append("&#").append(c).append(';');
            } else {
                escaped.append(Character.isISOControl(c) ? "\uFFFD" : Character.toString(c));
            }
        });
        return escaped.toString();
    }
}

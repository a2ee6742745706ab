package dev.towtank.app.report;

import dev.towtank.app.report.RunStory.Attempt;
import dev.towtank.app.report.RunStory.Outcome;
import dev.towtank.app.report.RunStory.Part;
import dev.towtank.app.report.RunStory.Step;
import dev.towtank.app.report.RunStory.Task;
import dev.towtank.app.report.RunStory.Value;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.regex.Pattern;

/// The page of a run: one file, with nothing in it that comes from elsewhere or runs.
public final class ReportPage {
    /// Keeps scripts and the network out, even if a text that is not ours got into the page unescaped.
    private static final String POLICY =
            "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

    /// What colours and moves the cursor on a terminal.
    private static final Pattern TERMINAL =
            Pattern.compile("\u001b(\\[[0-9;?]*[ -/]*[@-~]|\\][^\u0007\u001b]*(\u0007|\u001b\\\\)?|[@-_])");

    private static final int LAST_LINES = 12;

    private final RunStory story;
    private final Html html = new Html();

    private ReportPage(RunStory story) {
        this.story = story;
    }

    public static String of(RunStory story) {
        return new ReportPage(story).write().toString();
    }

    private Html write() {
        var title = story.kind() + " " + story.name() + ": "
                + story.outcome().state().word();
        html.constant("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n")
                .open("meta", "http-equiv", "Content-Security-Policy", "content", POLICY)
                .constant("\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n")
                .constant("<meta name=\"color-scheme\" content=\"light dark\">\n")
                .element("title", title)
                .constant("\n<style>\n" + style("report.css") + "</style>\n</head>\n<body>\n<main>\n");
        header();
        failures();
        section("Graph", "graph");
        html.open("div", "class", "scroll", "tabindex", "0", "role", "region", "aria-label", "Graph")
                .add(GraphPicture.draw(story))
                .close("div")
                .close("section");
        section("Timeline", "timeline");
        html.add(Timeline.draw(story)).close("section");
        values("Params", "params", story.params());
        values("Results", "results", story.results());
        tasks();
        surroundings();
        return html.constant("</main>\n</body>\n</html>\n");
    }

    static String style(String sheet) {
        try (var in = ReportPage.class.getResourceAsStream(sheet)) {
            if (in == null) {
                throw new IllegalStateException(sheet + " is not in the jar");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// What is left when colours and the like are taken away.
    static String withoutEscapes(String log) {
        return TERMINAL.matcher(log).replaceAll("").replace("\r\n", "\n");
    }

    private void section(String title, String id) {
        html.open("section", "id", id, "aria-labelledby", id + "-title")
                .element("h2", title, "id", id + "-title")
                .line();
    }

    private void header() {
        var outcome = story.outcome();
        html.open("header", "class", outcome.state().style())
                .element("p", story.kind() + " in " + story.namespace(), "class", "kind")
                .element("h1", story.name())
                .open("p", "class", "verdict");
        pill(outcome.state());
        html.element("span", summary(), "class", "summary").close("p");
        if (!outcome.message().isEmpty()) {
            html.element("p", outcome.message(), "class", "message");
        }
        html.open("dl", "class", "facts");
        fact("Started", outcome.began().map(Times::moment).orElse("not yet"));
        fact("Ended", outcome.ended().map(Times::moment).orElse("not yet"));
        fact("Time", outcome.time(story.told()).map(Times::words).orElse("none"));
        if (!story.definition().isEmpty()) {
            fact(story.isPipeline() ? "Pipeline" : "Task", story.definition());
        }
        html.close("dl").close("header").line();
    }

    private void fact(String name, String value) {
        html.open("div").element("dt", name).element("dd", value).close("div");
    }

    private String summary() {
        var states = story.isPipeline()
                ? story.tasks().stream().map(task -> task.outcome().state()).toList()
                : story.parts()
                        .flatMap(part -> part.attempts().getLast().steps().stream())
                        .filter(step -> !step.sidecar())
                        .map(step -> step.outcome().state())
                        .toList();
        var counts = new EnumMap<State, Integer>(State.class);
        states.forEach(state -> counts.merge(state, 1, Integer::sum));
        var words = new ArrayList<String>();
        counts.forEach((state, count) -> words.add(count + " " + state.word()));
        var what = story.isPipeline() ? " task" : " step";
        return states.size()
                + what
                + (states.size() == 1 ? "" : "s")
                + (words.isEmpty() ? "" : ": " + String.join(", ", words));
    }

    private void pill(State state) {
        html.open("span", "class", "pill " + state.style())
                .sign(state)
                .text(" " + state.word())
                .close("span");
    }

    /// What somebody who opens this page wants to see first.
    private void failures() {
        var failed = story.parts()
                .filter(part ->
                        part.outcome().state().isBad() || part.outcome().state().isIgnored())
                .sorted(Comparator.comparing(part -> !part.outcome().state().isBad()))
                .toList();
        if (failed.isEmpty()) {
            return;
        }
        boolean isBad = failed.stream().anyMatch(part -> part.outcome().state().isBad());
        section(isBad ? "What went wrong" : "What went wrong and was ignored", isBad ? "failures" : "ignored");
        for (var part : failed) {
            html.open("div", "class", "failure");
            title("h3", part.name(), part.outcome(), "");
            html.element("p", part.outcome().message(), "class", "message");
            part.culprit().ifPresent(this::lastLines);
            html.close("div").line();
        }
        html.close("section");
    }

    private void lastLines(Step step) {
        var lines = plain(step.log().text()).stripTrailing().lines().toList();
        var shown = lines.subList(Math.max(0, lines.size() - LAST_LINES), lines.size());
        html.element("p", "The last lines of step " + step.name() + ":", "class", "quiet")
                .element("pre", String.join("\n", shown), "tabindex", "0");
    }

    private void values(String title, String id, List<Value> values) {
        if (values.isEmpty()) {
            return;
        }
        section(title, id);
        table(values);
        html.close("section").line();
    }

    private void table(List<Value> values) {
        html.open("div", "class", "scroll").open("table").open("tbody");
        for (var value : values) {
            html.open("tr").element("th", value.name(), "scope", "row").open("td");
            html.element("code", value.value().isEmpty() ? "(empty)" : value.value());
            if (!value.note().isEmpty()) {
                html.element("span", value.note(), "class", "note");
            }
            html.close("td").close("tr");
        }
        html.close("tbody").close("table").close("div").line();
    }

    private void tasks() {
        section(story.isPipeline() ? "Tasks" : "Steps", "tasks");
        for (int i = 0; i < story.tasks().size(); i++) {
            task(story.tasks().get(i), "task-" + i);
        }
        html.close("section").line();
    }

    private void task(Task task, String id) {
        html.open("article", "id", id, "class", "task " + task.outcome().state().style());
        title("h3", task.name(), task.outcome(), task.last() ? "finally" : "");
        if (!task.skipped().isEmpty()) {
            html.element("p", "Skipped: " + task.skipped(), "class", "message");
        } else if (task.parts().isEmpty()) {
            html.element("p", "It never began.", "class", "message");
        }
        for (var part : task.parts()) {
            part(part, task.parts().size() > 1);
        }
        html.close("article").line();
    }

    private void title(String element, String name, Outcome outcome, String note) {
        html.open("div", "class", "title").element(element, name);
        pill(outcome.state());
        outcome.time(story.told())
                .filter(_ -> outcome.state() != State.SKIPPED)
                .ifPresent(time -> html.element("span", Times.words(time), "class", "quiet"));
        if (!note.isEmpty()) {
            html.element("span", note, "class", "note");
        }
        html.close("div").line();
    }

    private void part(Part part, boolean several) {
        html.open("div", "class", several ? "part several" : "part");
        if (several) {
            title("h4", part.name(), part.outcome(), "");
        }
        if (part.outcome().state() != State.SUCCEEDED
                && !part.outcome().message().isEmpty()) {
            html.element("p", part.outcome().message(), "class", "message");
        }
        // The params of a TaskRun alone are told above.
        if (story.isPipeline() && !part.params().isEmpty()) {
            html.element("p", "Params", "class", "label");
            table(part.params());
        }
        if (story.isPipeline() && !part.results().isEmpty()) {
            html.element("p", "Results", "class", "label");
            table(part.results());
        }
        html.open("div", "class", part.attempts().size() > 1 ? "attempts" : "");
        for (var attempt : part.attempts()) {
            html.open("div");
            attempt(attempt, part.attempts().size());
            html.close("div");
        }
        html.close("div").close("div").line();
    }

    private void attempt(Attempt attempt, int of) {
        if (of > 1) {
            var words = "Attempt " + attempt.number() + " of " + of + ": "
                    + attempt.outcome().state().word();
            html.element("p", words, "class", "label");
            boolean told = attempt.number() == of || attempt.outcome().message().isEmpty();
            if (!told) {
                html.element("p", attempt.outcome().message(), "class", "message");
            }
        }
        for (var step : attempt.steps()) {
            step(step, attempt.number() == of);
        }
    }

    private void step(Step step, boolean counts) {
        var state = step.outcome().state();
        boolean open = counts && state.isBad();
        html.open("details", "class", "step " + state.style(), "open", open ? "open" : "")
                .open("summary")
                .sign(state)
                .element("span", step.name(), "class", "who")
                .element("span", state.word(), "class", "quiet");
        step.outcome()
                .time(story.told())
                .filter(_ -> state != State.SKIPPED)
                .ifPresent(time -> html.element("span", Times.words(time), "class", "quiet"));
        if (step.sidecar()) {
            html.element("span", "sidecar", "class", "note");
        }
        if (!step.note().isEmpty()) {
            html.element("span", step.note(), "class", "note");
        }
        html.element("span", step.image(), "class", "image").close("summary");
        log(step.log());
        html.close("details").line();
    }

    private void log(RunSource.Log log) {
        if (!log.problem().isEmpty()) {
            html.element("p", log.problem(), "class", "message");
            return;
        }
        if (log.cut()) {
            html.element("p", "The beginning is left out.", "class", "quiet");
        }
        var text = plain(log.text()).stripTrailing();
        if (text.isEmpty()) {
            html.element("p", "It wrote nothing.", "class", "quiet");
        } else {
            html.element("pre", text, "tabindex", "0");
        }
    }

    /// Without what only a terminal understands. A carriage return begins a line again, as for a progress bar.
    static String plain(String log) {
        var text = withoutEscapes(log);
        return text.indexOf('\r') < 0
                ? text
                : text.replaceAll("(?m)^.*\r(?!$)", "").replace("\r", "");
    }

    private void surroundings() {
        section("Where it ran", "surroundings");
        html.open("dl", "class", "facts");
        story.surroundings().forEach(this::fact);
        fact("Report made", Times.moment(story.told()));
        html.close("dl").close("section").line();
    }
}

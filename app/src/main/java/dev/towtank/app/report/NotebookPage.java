package dev.towtank.app.report;

import dev.towtank.model.Json;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The page of a notebook as it was executed: one file, with nothing in it that comes from elsewhere or runs. What a
/// cell
/// made as HTML is shown as text, for that reason.
public final class NotebookPage {

    private static final String POLICY =
            "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'";
    private static final Pattern BASE64 = Pattern.compile("[A-Za-z0-9+/=\\s]+");
    private static final List<String> IMAGES = List.of("image/png", "image/jpeg");
    private static final int LONGEST_OUTPUT = 200_000;

    private static final Map<String, State> STATES =
            Map.of("Success", State.SUCCEEDED, "Failure", State.FAILED, "Skipped", State.SKIPPED);

    private final Html html = new Html();
    private final Json.Obj results;

    private NotebookPage(Json.Obj results) {
        this.results = results;
    }

    /// @param notebook as it was executed
    /// @param results what the runner wrote about it
    public static String of(String name, Json.Obj notebook, Json.Obj results) {
        return new NotebookPage(results).write(name, notebook).toString();
    }

    private State state() {
        return switch (results.string("reason")) {
            case "Succeeded" -> State.SUCCEEDED;
            case "Cancelled" -> State.CANCELLED;
            case "ValidationTimeout" -> State.TIMED_OUT;
            default -> State.FAILED;
        };
    }

    private Html write(String name, Json.Obj notebook) {
        html.constant("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n")
                .open("meta", "http-equiv", "Content-Security-Policy", "content", POLICY)
                .constant("\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n")
                .constant("<meta name=\"color-scheme\" content=\"light dark\">\n")
                .element("title", name + ": " + state().word())
                .constant("\n<style>\n" + ReportPage.style("report.css") + ReportPage.style("notebook.css")
                        + "</style>\n</head>\n<body>\n<main>\n");
        header(name);
        html.open("section", "class", "cells", "aria-label", "Cells");
        notebook.objects("cells").forEach(this::cell);
        return html.close("section").constant("</main>\n</body>\n</html>\n");
    }

    private void header(String name) {
        html.open("header", "class", state().style())
                .element("p", "Notebook", "class", "kind")
                .element("h1", name)
                .open("p", "class", "verdict")
                .element("span", state().word(), "class", "pill " + state().style())
                .element("span", results.string("message"), "class", "summary")
                .close("p")
                .open("dl", "class", "facts");
        fact("Ended", results.string("timestamp"));
        fact("Time", time(results.get("execution_duration_seconds")));
        var environment = results.object("environment");
        fact("Python", environment.string("python"));
        environment
                .object("packages")
                .forEach((each, version) -> fact(each, version instanceof Json.Str(var text) ? text : ""));
        html.close("dl").close("header").line();
    }

    private void fact(String name, String value) {
        if (!value.isEmpty()) {
            html.open("div").element("dt", name).element("dd", value).close("div");
        }
    }

    private static String time(@Nullable Json seconds) {
        double value = switch (seconds) {
            case Json.Real(var number) -> number;
            case Json.Int(var number) -> number;
            case null, default -> 0;
        };
        return value < 10
                ? String.format(Locale.ROOT, "%.2f s", value)
                : Times.words(Duration.ofMillis(Math.round(value * 1000)));
    }

    private void cell(Json.Obj cell) {
        var source = joined(cell.get("source"));
        if (!cell.string("cell_type").equals("code")) {
            html.open("div", "class", "cell text");
            Markdown.write(html, source);
            html.close("div").line();
            return;
        }
        var told = cell.object("metadata", "towtank");
        var state = STATES.getOrDefault(told.string("status"), State.SKIPPED);
        var count = cell.get("execution_count") instanceof Json.Int(var number) ? Long.toString(number) : " ";
        html.open("div", "class", "cell code " + state.style())
                .open("div", "class", "title")
                .element("span", "[" + count + "]", "class", "count")
                .element(
                        "span",
                        state == State.SKIPPED ? "not reached" : state.word(),
                        "class",
                        "pill " + state.style());
        if (state != State.SKIPPED) {
            html.element("span", time(told.get("seconds")), "class", "quiet");
        }
        html.close("div").element("pre", source, "class", "source");
        cell.objects("outputs").forEach(this::output);
        html.close("div").line();
    }

    private void output(Json.Obj output) {
        switch (output.string("output_type")) {
            case "stream" ->
                text(joined(output.get("text")), output.string("name").equals("stderr") ? "output stderr" : "output");
            case "error" -> text(String.join("\n", output.array("traceback").strings()), "output error");
            default -> data(output.object("data"));
        }
    }

    private void data(Json.Obj data) {
        for (var type : IMAGES) {
            var content = joined(data.get(type));
            if (!content.isEmpty() && BASE64.matcher(content).matches()) {
                html.open("p")
                        .open(
                                "img",
                                "src",
                                "data:" + type + ";base64," + content.replaceAll("\\s", ""),
                                "alt",
                                joined(data.get("text/plain")))
                        .close("p");
                return;
            }
        }
        text(joined(data.get("text/plain")), "output value");
    }

    private void text(String text, String style) {
        var plain = ReportPage.withoutEscapes(text);
        var shown = plain.length() <= LONGEST_OUTPUT ? plain : plain.substring(0, LONGEST_OUTPUT) + "\n[cut off here]";
        if (!shown.isEmpty()) {
            html.element("pre", shown, "class", style);
        }
    }

    /// Texts in notebooks are one string or a list of lines.
    private static String joined(@Nullable Json text) {
        return switch (text) {
            case Json.Str(var whole) -> whole;
            case Json.Arr lines -> String.join("", lines.strings());
            case null, default -> "";
        };
    }
}

package dev.towtank.app.report;

import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/// A model as one page: what serves, its metrics over its versions drawn, what happened, and what the gate said about
/// each
/// version. One file, with nothing in it that comes from elsewhere or runs.
public final class ModelPage {

    private static final String POLICY =
            "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";
    private static final Set<String> STATES = Set.of("candidate", "rejected", "current", "previous", "retired");

    private final Html html = new Html();
    private final Resource model;
    private final List<Resource> versions;

    private ModelPage(Resource model, List<Resource> versions) {
        this.model = model;
        this.versions = List.copyOf(versions);
    }

    /// @param versions the oldest first
    public static String of(Resource model, List<Resource> versions) {
        return new ModelPage(model, versions).write().toString();
    }

    private Html write() {
        html.constant("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n")
                .open("meta", "http-equiv", "Content-Security-Policy", "content", POLICY)
                .constant("\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n")
                .constant("<meta name=\"color-scheme\" content=\"light dark\">\n")
                .element("title", model.name())
                .constant("\n<style>\n" + ReportPage.style("report.css") + ReportPage.style("model.css")
                        + "</style>\n</head>\n<body>\n<main>\n");
        header();
        metrics();
        history();
        html.open("section", "aria-label", "Versions").element("h2", "Versions");
        versions.reversed().forEach(this::version);
        return html.close("section").constant("</main>\n</body>\n</html>\n");
    }

    private void header() {
        var ready = model.status().objects("conditions").stream()
                .filter(condition -> condition.string("type").equals("Ready"))
                .findFirst()
                .orElse(Json.Obj.EMPTY);
        boolean isReady = ready.string("status").equals("True");
        var state = isReady ? "current" : "rejected";
        html.open("header", "class", state)
                .element("p", "Model", "class", "kind")
                .element("h1", model.name())
                .open("p", "class", "verdict")
                .element("span", isReady ? "Serving" : "Not serving", "class", "pill " + state)
                .element("span", ready.string("message"), "class", "summary")
                .close("p")
                .open("dl", "class", "facts");
        fact("Current", model.status().string("current"));
        fact("Previous", model.status().string("previous"));
        fact("Versions", Integer.toString(versions.size()));
        fact("Storage", model.spec().string("storageUri"));
        var service = model.spec().string("inferenceService");
        fact("Served by", service.isEmpty() ? model.name() : service);
        long features = model.spec().object("contract").integer("features");
        fact("Features", features == 0 ? "" : Long.toString(features));
        model.spec().array("rules").strings().forEach(rule -> fact("Rule", rule));
        html.close("dl").close("header").line();
    }

    private void fact(String name, String value) {
        if (!value.isEmpty()) {
            html.open("div").element("dt", name).element("dd", value).close("div");
        }
    }

    /// One of those that the style sheet knows.
    private static String state(Resource version) {
        var state = version.status().string("state");
        return STATES.contains(state) ? state : "candidate";
    }

    private void metrics() {
        var names = new TreeSet<String>();
        versions.forEach(
                version -> names.addAll(version.spec().object("metrics").keys()));
        if (names.isEmpty()) {
            return;
        }
        html.open("section", "aria-label", "Metrics").element("h2", "Metrics").open("p", "class", "legend");
        List.of("current", "previous", "candidate", "retired", "rejected")
                .forEach(each -> html.open("span", "class", each)
                        .element("i", "", "class", "dot")
                        .text(each)
                        .close("span"));
        html.close("p").open("div", "class", "metrics");
        names.forEach(name -> MetricChart.write(html, name, points(name)));
        html.close("div").close("section").line();
    }

    private List<MetricChart.Point> points(String metric) {
        var points = new ArrayList<MetricChart.Point>();
        for (var version : versions) {
            var value = version.spec().object("metrics").get(metric);
            if (value instanceof Json.Int || value instanceof Json.Real) {
                points.add(new MetricChart.Point(
                        version.spec().string("version"), state(version), Double.parseDouble(value.display())));
            }
        }
        return points;
    }

    private void history() {
        var entries = model.status().objects("history");
        if (entries.isEmpty()) {
            return;
        }
        html.open("section", "aria-label", "History")
                .element("h2", "What happened")
                .open("table");
        entries.reversed()
                .forEach(entry -> html.open("tr")
                        .element("td", entry.string("time"), "class", "quiet when")
                        .open("td")
                        .element("span", entry.string("type"), "class", "pill " + colour(entry.string("type")))
                        .close("td")
                        .element("td", entry.string("message"))
                        .close("tr"));
        html.close("table").close("section").line();
    }

    private static String colour(String happened) {
        return switch (happened) {
            case "Promoted" -> "current";
            case "RolledBack" -> "previous";
            default -> "rejected";
        };
    }

    private void version(Resource version) {
        var state = state(version);
        html.open("details", "class", "step " + state, state.equals("current") ? "open" : "", "open")
                .open("summary")
                .element("strong", version.spec().string("version"))
                .element("span", state, "class", "pill " + state)
                .element("span", version.metadata().string("creationTimestamp"), "class", "quiet")
                .close("summary");
        var failure = version.status().string("failure");
        if (!failure.isEmpty()) {
            html.element("p", failure, "class", "message");
        }
        html.open("dl", "class", "facts");
        fact("Storage", version.spec().string("storageUri"));
        for (var part : List.of("source", "environment")) {
            version.spec().object(part).forEach((name, value) -> fact(name, value.display()));
        }
        html.close("dl");
        checks(version.spec().objects("gate", "checks"));
        html.close("details").line();
    }

    private void checks(List<Json.Obj> checks) {
        if (checks.isEmpty()) {
            html.element("p", "The gate has not judged it.", "class", "quiet");
            return;
        }
        html.open("div", "class", "scroll").open("table");
        for (var check : checks) {
            var style = switch (check.string("state")) {
                case "passed" -> "current";
                case "failed" -> "rejected";
                default -> "retired";
            };
            html.open("tr")
                    .open("td")
                    .element("span", check.string("state"), "class", "pill " + style)
                    .close("td")
                    .element("th", check.string("name"))
                    .element("td", check.string("message"))
                    .close("tr");
        }
        html.close("table").close("div");
    }
}

package dev.towtank.app.models;

import dev.towtank.model.Resource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SortedSet;
import java.util.TreeSet;

/// A model as one page of HTML, with its metrics over its versions drawn; pure, and without anything from elsewhere.
public final class ModelPage {

    private static final int WIDTH = 640;
    private static final int HEIGHT = 160;
    private static final int MARGIN = 30;

    private ModelPage() {}

    public static String of(Resource model, List<Resource> versions) {
        var text = new StringBuilder(
                """
                <!doctype html>
                <html lang="en"><head><meta charset="utf-8"><title>%1$s</title>
                <style>
                body { font: 15px/1.5 system-ui, sans-serif; margin: 2em auto; max-width: 60em; color: #222 }
                table { border-collapse: collapse } td, th { padding: .2em .8em; text-align: left; border-bottom: 1px solid #ddd }
                .current { font-weight: bold } .rejected { color: #a00 } svg { background: #fafafa } pre { white-space: pre-wrap }
                </style></head><body>
                <h1>%1$s</h1>
                <pre>%2$s</pre>
                """.formatted(escaped(model.name()), escaped(String.join("\n", ModelViews.describe(model, versions)))));
        for (var metric : metrics(versions)) {
            text.append("<h2>").append(escaped(metric)).append("</h2>\n").append(chart(metric, versions));
        }
        for (var version : versions) {
            var state = escaped(version.status().string("state"));
            text.append("<h2 class=\"%s\">%s: %s</h2>\n"
                    .formatted(state, escaped(version.spec().string("version")), state));
            text.append("<table>");
            for (var check : version.spec().objects("gate", "checks")) {
                text.append("<tr><td>%s</td><td>%s</td><td>%s</td></tr>\n"
                        .formatted(
                                escaped(check.string("state")),
                                escaped(check.string("name")),
                                escaped(check.string("message"))));
            }
            text.append("</table>\n");
        }
        return text.append("</body></html>\n").toString();
    }

    private static SortedSet<String> metrics(List<Resource> versions) {
        var names = new TreeSet<String>();
        versions.forEach(
                version -> names.addAll(version.spec().object("metrics").keys()));
        return names;
    }

    private record Point(String version, String state, double value) {}

    private static String chart(String metric, List<Resource> versions) {
        var points = new ArrayList<Point>();
        for (var version : versions) {
            var value = version.spec().object("metrics").get(metric);
            if (value != null) {
                points.add(new Point(
                        version.spec().string("version"),
                        version.status().string("state"),
                        Double.parseDouble(value.display())));
            }
        }
        double least = points.stream().mapToDouble(Point::value).min().orElse(0);
        double most = points.stream().mapToDouble(Point::value).max().orElse(1);
        double range = most - least == 0 ? 1 : most - least;
        var line = new StringBuilder();
        var marks = new StringBuilder();
        for (int i = 0; i < points.size(); i++) {
            var point = points.get(i);
            double x = MARGIN + (points.size() == 1 ? 0 : (WIDTH - 2.0 * MARGIN) * i / (points.size() - 1));
            double y = HEIGHT - MARGIN - (HEIGHT - 2.0 * MARGIN) * (point.value - least) / range;
            line.append(String.format(Locale.ROOT, "%.1f,%.1f ", x, y));
            marks.append(String.format(
                    Locale.ROOT,
                    "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4\" fill=\"%s\"><title>%s %s</title></circle>"
                            + "<text x=\"%.1f\" y=\"%d\" font-size=\"11\" text-anchor=\"middle\">%s</text>%n",
                    x,
                    y,
                    point.state.equals("rejected") ? "#a00" : point.state.equals("current") ? "#080" : "#36c",
                    escaped(point.version),
                    point.value,
                    x,
                    HEIGHT - 8,
                    escaped(point.version)));
        }
        return """
                <svg width="%d" height="%d" role="img" aria-label="%s over versions">
                <polyline points="%s" fill="none" stroke="#36c"/>
                %s</svg>
                """.formatted(WIDTH, HEIGHT, escaped(metric), line.toString().strip(), marks);
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}

package dev.towtank.app.report;

import java.util.List;
import java.util.Locale;

/// One metric over the versions of a model, drawn: a line with a point for each version, in the colour of its state.
final class MetricChart {

    private static final double WIDTH = 520;
    private static final double HEIGHT = 210;
    private static final double LEFT = 52;
    private static final double RIGHT = 24;
    private static final double TOP = 18;
    private static final double BOTTOM = 40;
    private static final int LINES = 4;
    private static final int MOST_NAMES = 9;

    /// @param state as a style
    record Point(String version, String state, double value) {}

    private final Html html;
    private final List<Point> points;
    private final double least;
    private final double range;

    private MetricChart(Html html, List<Point> points) {
        this.html = html;
        this.points = points;
        double low = points.stream().mapToDouble(Point::value).min().orElse(0);
        double high = points.stream().mapToDouble(Point::value).max().orElse(1);
        // A little room above and below; a single value has some, too.
        double room = high > low ? (high - low) * 0.15 : Math.max(Math.abs(high) * 0.1, 0.05);
        least = low >= 0 ? Math.max(0, low - room) : low - room;
        range = high + room - least;
    }

    static void write(Html html, String metric, List<Point> points) {
        new MetricChart(html, List.copyOf(points)).write(metric);
    }

    private void write(String metric) {
        var told = points.stream()
                .filter(point -> point.state.equals("current"))
                .findFirst()
                .orElse(points.getLast());
        html.open("figure", "class", "metric")
                .open("figcaption")
                .element("span", metric, "class", "metric-name")
                .element("span", shown(told.value), "class", "metric-value " + told.state)
                .element("span", "in " + told.version, "class", "quiet")
                .close("figcaption")
                .open(
                        "svg",
                        "viewBox",
                        "0 0 %d %d".formatted((int) WIDTH, (int) HEIGHT),
                        "role",
                        "img",
                        "aria-label",
                        metric + " over versions");
        grid();
        line();
        for (int i = 0; i < points.size(); i++) {
            point(i);
        }
        html.close("svg").close("figure").line();
    }

    private double x(int index) {
        double width = WIDTH - LEFT - RIGHT;
        return points.size() == 1 ? LEFT + width / 2 : LEFT + width * index / (points.size() - 1);
    }

    private double y(double value) {
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * (value - least) / range;
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%.1f", value);
    }

    private static String shown(double value) {
        var text = String.format(Locale.ROOT, "%.4g", value);
        return text.contains(".") && !text.contains("e")
                ? text.replaceAll("0+$", "").replaceAll("\\.$", "")
                : text;
    }

    private void grid() {
        for (int i = 0; i <= LINES; i++) {
            double value = least + range * i / LINES;
            var at = number(y(value));
            html.open("line", "class", "grid", "x1", number(LEFT), "x2", number(WIDTH - RIGHT), "y1", at, "y2", at)
                    .close("line")
                    .element(
                            "text",
                            String.format(Locale.ROOT, "%.3g", value),
                            "class",
                            "axis-label",
                            "x",
                            number(LEFT - 8),
                            "y",
                            number(y(value) + 4),
                            "text-anchor",
                            "end");
        }
    }

    private void line() {
        var path = new StringBuilder();
        for (int i = 0; i < points.size(); i++) {
            path.append(number(x(i)))
                    .append(',')
                    .append(number(y(points.get(i).value)))
                    .append(' ');
        }
        html.open("polyline", "class", "metric-line", "points", path.toString().strip())
                .close("polyline");
    }

    private void point(int index) {
        var point = points.get(index);
        html.open("g", "class", point.state)
                .open("circle", "class", "metric-point", "cx", number(x(index)), "cy", number(y(point.value)), "r", "5")
                .element("title", point.version + " (" + point.state + "): " + shown(point.value))
                .close("circle");
        int every = (points.size() + MOST_NAMES - 1) / MOST_NAMES;
        if ((points.size() - 1 - index) % every == 0) {
            html.element(
                    "text",
                    point.version,
                    "class",
                    "axis-label",
                    "x",
                    number(x(index)),
                    "y",
                    number(HEIGHT - BOTTOM + 22),
                    "text-anchor",
                    "middle");
        }
        html.close("g");
    }
}

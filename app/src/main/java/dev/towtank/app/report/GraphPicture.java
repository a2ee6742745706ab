package dev.towtank.app.report;

import dev.towtank.app.report.Layout.Place;
import dev.towtank.app.report.RunStory.Outcome;
import dev.towtank.app.report.RunStory.Task;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/// The graph of a run as an SVG picture: the tasks of a pipeline, or the steps of a task.
final class GraphPicture {
    private static final int FINALLY_GAP = 44;
    private static final int FINALLY_ROW = Layout.HEIGHT + 18;
    private static final int TITLE_HEIGHT = 22;
    /// A wide picture is made smaller to fit, but not so small that nobody can read it.
    private static final int SMALLEST_PERCENT = 70;

    private static final int TEXT_FROM = 34;
    private static final int TEXT_ROOM = Layout.WIDTH - TEXT_FROM - 8;
    private static final int NAME_SIZE = 13;
    private static final int DETAIL_SIZE = 12;

    /// @param link where a click leads to on the page
    private record Node(String name, State state, String detail, String link) {}

    private final RunStory story;

    private GraphPicture(RunStory story) {
        this.story = story;
    }

    static Html draw(RunStory story) {
        var picture = new GraphPicture(story);
        return story.isPipeline() ? picture.pipeline() : picture.steps();
    }

    private Html pipeline() {
        var nodes = new LinkedHashMap<String, Node>();
        var before = new LinkedHashMap<String, List<String>>();
        var last = new ArrayList<Node>();
        for (int i = 0; i < story.tasks().size(); i++) {
            var task = story.tasks().get(i);
            var node = new Node(task.name(), task.outcome().state(), detail(task, story.told()), "task-" + i);
            if (task.last()) {
                last.add(node);
            } else {
                nodes.put(task.name(), node);
                before.put(task.name(), task.after());
            }
        }
        return picture(Layout.of(reduced(before)), nodes, last);
    }

    /// Without the edges that say no more than a longer way does.
    static Map<String, List<String>> reduced(Map<String, List<String>> before) {
        var all = new HashMap<String, Set<String>>();
        before.keySet().forEach(name -> ancestors(name, before, all));
        var reduced = new LinkedHashMap<String, List<String>>();
        before.forEach((name, direct) -> reduced.put(
                name,
                direct.stream()
                        .filter(each -> direct.stream()
                                .noneMatch(other -> !other.equals(each)
                                        && all.getOrDefault(other, Set.of()).contains(each)))
                        .toList()));
        return reduced;
    }

    private static Set<String> ancestors(String name, Map<String, List<String>> before, Map<String, Set<String>> all) {
        var known = all.get(name);
        if (known != null) {
            return known;
        }
        var found = new HashSet<String>();
        all.put(name, found);
        for (var each : before.getOrDefault(name, List.of())) {
            found.add(each);
            found.addAll(ancestors(each, before, all));
        }
        return found;
    }

    private static String detail(Task task, Instant now) {
        var words = new ArrayList<String>();
        if (task.outcome().began().isPresent()) {
            words.add(task.outcome().time(now).map(Times::words).orElse(""));
        } else {
            words.add(task.outcome().state().word());
        }
        if (task.parts().size() > 1) {
            words.add(task.parts().size() + " runs");
        }
        if (task.retries() > 0) {
            words.add(task.retries() == 1 ? "1 retry" : task.retries() + " retries");
        }
        return String.join(" · ", words);
    }

    private Html steps() {
        var nodes = new LinkedHashMap<String, Node>();
        var before = new LinkedHashMap<String, List<String>>();
        var steps =
                story.tasks().getFirst().parts().getFirst().attempts().getLast().steps();
        for (int i = 0; i < steps.size(); i++) {
            var step = steps.get(i);
            nodes.put("" + i, new Node(step.name(), step.outcome().state(), detail(step.outcome()), "task-0"));
            before.put("" + i, i == 0 || step.sidecar() ? List.of() : List.of("" + (i - 1)));
        }
        return picture(Layout.of(before), nodes, List.of());
    }

    private String detail(Outcome outcome) {
        return outcome.state() == State.SKIPPED
                ? outcome.state().word()
                : outcome.time(story.told())
                        .map(Times::words)
                        .orElse(outcome.state().word());
    }

    private Html picture(Layout.Drawing drawing, Map<String, Node> nodes, List<Node> last) {
        int top = last.isEmpty() ? 0 : TITLE_HEIGHT;
        int lastHeight = last.size() * FINALLY_ROW - 18 + 24;
        int height = Math.max(drawing.height(), last.isEmpty() ? 0 : lastHeight) + top;
        int width = drawing.width() + (last.isEmpty() ? 0 : FINALLY_GAP + Layout.WIDTH + 12);
        int shift = top + (height - top - drawing.height()) / 2;
        var html = new Html()
                .open(
                        "svg",
                        "class",
                        "graph",
                        "role",
                        "group",
                        "aria-label",
                        "Graph of the run: " + words(nodes, last),
                        "width",
                        "" + width,
                        "height",
                        "" + height,
                        "viewBox",
                        "0 0 " + width + " " + height,
                        "style",
                        "min-width:" + width * SMALLEST_PERCENT / 100 + "px")
                .line();
        drawing.edges()
                .forEach(edge -> html.open("path", "class", "edge", "d", curve(edge.points(), shift))
                        .close("path")
                        .line());
        nodes.forEach((name, node) -> {
            var place = drawing.places().getOrDefault(name, new Place(0, 0));
            node(html, node, place.x(), place.y() + shift);
        });
        if (!last.isEmpty()) {
            lastNodes(html, last, drawing.width(), top, height);
        }
        return html.close("svg").line();
    }

    /// For those who cannot see it.
    private static String words(Map<String, Node> nodes, List<Node> last) {
        var all = new ArrayList<>(nodes.values());
        all.addAll(last);
        return all.stream().map(node -> node.name() + " " + node.state().word()).collect(Collectors.joining(", "));
    }

    private static void lastNodes(Html html, List<Node> last, int from, int top, int height) {
        int x = from + FINALLY_GAP;
        int y = top + (height - top - last.size() * FINALLY_ROW + 18) / 2;
        html.open("path", "class", "fence", "d", "M" + (from + FINALLY_GAP / 2) + " 4V" + (height - 4))
                .close("path")
                .element("text", "finally", "class", "fence-title", "x", "" + x, "y", "15")
                .line();
        for (int i = 0; i < last.size(); i++) {
            node(html, last.get(i), x, y + i * FINALLY_ROW);
        }
    }

    private static void node(Html html, Node node, int x, int y) {
        var title = node.name() + ": " + node.state().word() + ", " + node.detail();
        html.open(
                        "a",
                        "href",
                        "#" + node.link(),
                        "class",
                        "node " + node.state().style(),
                        "aria-label",
                        title)
                .element("title", title)
                .open("rect", size("box", x, y, Layout.WIDTH, Layout.HEIGHT, 8))
                .close("rect")
                .open("rect", size("mark", x, y, 6, Layout.HEIGHT, 3))
                .close("rect")
                .sign(node.state(), x + 13, y + 9)
                .element("text", shortened(node.name(), NAME_SIZE), at("name", x + TEXT_FROM, y + 22))
                .element("text", shortened(node.detail(), DETAIL_SIZE), at("detail", x + TEXT_FROM, y + 40))
                .close("a")
                .line();
    }

    private static String[] size(String style, int x, int y, int width, int height, int corner) {
        return new String[] {
            "class", style, "x", "" + x, "y", "" + y, "width", "" + width, "height", "" + height, "rx", "" + corner
        };
    }

    private static String[] at(String style, int x, int y) {
        return new String[] {"class", style, "x", "" + x, "y", "" + y};
    }

    /// What fits into a box. The ends say more than the middle.
    ///
    /// @param size of the letters, as in the style sheet
    static String shortened(String text, int size) {
        var letters = text.codePoints().toArray();
        double room = (double) TEXT_ROOM / size;
        if (text.codePoints().mapToDouble(GraphPicture::width).sum() <= room) {
            return text;
        }
        room -= width('…');
        int head = 0;
        int end = letters.length;
        while (true) {
            boolean atHead = head <= letters.length - end;
            room -= width(letters[atHead ? head : end - 1]);
            if (room < 0) {
                return new String(letters, 0, head) + "…" + new String(letters, end, letters.length - end);
            }
            head += atHead ? 1 : 0;
            end -= atHead ? 0 : 1;
        }
    }

    /// How wide a letter is at most, as a part of the size of the font: which one a browser takes is not known, and
    /// those
    /// of DejaVu, in bold, are among the widest.
    private static double width(int letter) {
        if ("fijlrt-.,:;|'·! ()".indexOf(letter) >= 0) {
            return 0.5;
        }
        if ("mw@%MW…".indexOf(letter) >= 0) {
            return 1.1;
        }
        if (letter >= 0x250) {
            return 1.4;
        }
        return Character.isUpperCase(letter) ? 0.85 : 0.72;
    }

    private static String curve(List<Place> points, int shift) {
        var start = points.getFirst();
        var path = new StringBuilder("M" + start.x() + " " + (start.y() + shift));
        for (int i = 1; i < points.size(); i++) {
            var from = points.get(i - 1);
            var to = points.get(i);
            if (from.y() == to.y()) {
                path.append("H").append(to.x());
            } else {
                int middle = (from.x() + to.x()) / 2;
                path.append("C%d %d %d %d %d %d"
                        .formatted(middle, from.y() + shift, middle, to.y() + shift, to.x(), to.y() + shift));
            }
        }
        return path.toString();
    }
}

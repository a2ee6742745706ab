package dev.towtank.app.report;

import java.util.List;
import java.util.regex.Pattern;

/// The little of Markdown that notebooks are written in: headings, lists, code, bold and italics. All else is text.
final class Markdown {

    private static final Pattern HEADING = Pattern.compile("(#{1,4})\\s+(.*)");
    private static final Pattern ITEM = Pattern.compile("\\s*([-*+]|\\d{1,3}[.)])\\s+(.*)");
    private static final Pattern MARKED = Pattern.compile("`([^`\\n]+)`|\\*\\*([^*]+)\\*\\*|\\*([^*\\n]+)\\*");

    private Markdown() {}

    static void write(Html html, String text) {
        var lines = text.lines().toList();
        int at = 0;
        while (at < lines.size()) {
            var line = lines.get(at);
            if (line.startsWith("```")) {
                at = code(html, lines, at + 1);
            } else if (ITEM.matcher(line).matches()) {
                at = list(html, lines, at);
            } else if (line.isBlank()) {
                at++;
            } else {
                at = heading(html, line) ? at + 1 : paragraph(html, lines, at);
            }
        }
    }

    private static int code(Html html, List<String> lines, int from) {
        int end = from;
        while (end < lines.size() && !lines.get(end).startsWith("```")) {
            end++;
        }
        html.element("pre", String.join("\n", lines.subList(from, end)));
        return end + 1;
    }

    private static boolean heading(Html html, String line) {
        var heading = HEADING.matcher(line);
        if (!heading.matches()) {
            return false;
        }
        var element = "h" + Math.min(4, heading.group(1).length() + 1);
        html.open(element);
        inline(html, heading.group(2));
        html.close(element);
        return true;
    }

    private static int list(Html html, List<String> lines, int from) {
        html.open("ul");
        int at = from;
        for (; at < lines.size(); at++) {
            var item = ITEM.matcher(lines.get(at));
            if (!item.matches()) {
                break;
            }
            html.open("li");
            inline(html, item.group(2));
            html.close("li");
        }
        html.close("ul");
        return at;
    }

    private static int paragraph(Html html, List<String> lines, int from) {
        int end = from;
        while (end < lines.size()
                && !lines.get(end).isBlank()
                && !lines.get(end).startsWith("```")) {
            end++;
        }
        html.open("p");
        inline(html, String.join("\n", lines.subList(from, end)));
        html.close("p");
        return end;
    }

    private static void inline(Html html, String text) {
        var marked = MARKED.matcher(text);
        int at = 0;
        while (marked.find()) {
            html.text(text.substring(at, marked.start()));
            if (marked.group(1) != null) {
                html.element("code", marked.group(1));
            } else if (marked.group(2) != null) {
                html.element("strong", marked.group(2));
            } else {
                html.element("em", marked.group(3));
            }
            at = marked.end();
        }
        html.text(text.substring(at));
    }
}

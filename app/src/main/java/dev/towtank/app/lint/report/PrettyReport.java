package dev.towtank.app.lint.report;

import dev.towtank.app.lint.finding.Finding;
import dev.towtank.app.lint.finding.Level;
import dev.towtank.app.lint.finding.Report;
import dev.towtank.app.lint.finding.SourcePlace;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/// For people: by file, with the line and a mark below it. What repeats itself in a file is shown a few times and
/// counted.
///
/// @param colour whether the terminal shows colours
/// @param infos whether to show what is only good to know
public record PrettyReport(boolean colour, boolean infos) {

    private static final int MOST_ALIKE = 3;
    private static final Pattern PARTICULAR = Pattern.compile("\"[^\"]*\"|\\d+");

    private static final int WIDEST = 110;
    private static final String MARGIN = " ".repeat(11);

    private enum Style {
        BOLD("1"),
        DIM("2"),
        RED("1;31"),
        YELLOW("33"),
        BLUE("34"),
        GREEN("32");

        private final String code;

        Style(String code) {
            this.code = code;
        }
    }

    public String text(Report report) {
        var text = new StringBuilder();
        var file = "";
        var said = new HashSet<String>();
        SourcePlace before = null;
        var alike = new LinkedHashMap<String, Integer>();
        for (var finding : Shown.of(report, infos)) {
            if (!finding.place().file().equals(file)) {
                more(alike, text);
                file = finding.place().file();
                said.clear();
                text.append(text.isEmpty() ? "" : "\n")
                        .append(style(Style.BOLD, file))
                        .append("\n");
            }
            var pattern = finding.rule().id() + " "
                    + PARTICULAR.matcher(finding.message()).replaceAll("…");
            if (alike.merge(pattern, 1, Integer::sum) > MOST_ALIKE) {
                continue;
            }
            head(finding, text);
            if (!finding.place().equals(before)) {
                excerpt(finding.place(), finding.level(), text);
            }
            if (said.add(finding.rule() + finding.advice())) {
                advice(finding.advice(), text);
            }
            before = finding.place();
        }
        more(alike, text);
        for (var note : report.notes()) {
            text.append(text.isEmpty() ? "" : "\n")
                    .append("note: ")
                    .append(note)
                    .append("\n");
        }
        return text.append(text.isEmpty() ? "" : "\n")
                .append(summary(report))
                .append("\n")
                .toString();
    }

    private void more(Map<String, Integer> alike, StringBuilder text) {
        alike.forEach((pattern, count) -> {
            if (count > MOST_ALIKE) {
                int space = pattern.indexOf(' ');
                text.append("  ")
                        .append(style(Style.DIM, "and " + (count - MOST_ALIKE) + " more in this file:"))
                        .append(pattern.substring(space))
                        .append("  ")
                        .append(style(Style.DIM, pattern.substring(0, space)))
                        .append("\n");
            }
        });
        alike.clear();
    }

    private void head(Finding finding, StringBuilder text) {
        var place = finding.place();
        text.append("  ")
                .append(style(Style.DIM, "%-8s".formatted(place.line() + ":" + place.column())))
                .append(style(
                        colourOf(finding.level()),
                        "%-7s".formatted(finding.level().word())))
                .append("  ")
                .append(finding.message())
                .append("  ")
                .append(style(Style.DIM, finding.rule().id()))
                .append("\n");
    }

    private void advice(String advice, StringBuilder text) {
        var mark = "→ ";
        for (var line : advice.lines().toList()) {
            text.append(MARGIN).append(style(Style.DIM, mark)).append(line).append("\n");
            mark = "  ";
        }
    }

    // A long line is shown around the place, a tab as one space, so that the mark is below what it is about.
    private void excerpt(SourcePlace place, Level level, StringBuilder text) {
        if (place.excerpt().isBlank()) {
            return;
        }
        var points =
                place.excerpt().stripTrailing().replace('\t', ' ').codePoints().toArray();
        int column = Math.min(place.column() - 1, points.length);
        int from = points.length <= WIDEST ? 0 : Math.max(0, Math.min(column - 20, points.length - WIDEST));
        int indent = 0;
        while (from == 0 && indent < points.length && indent < column && points[indent] == ' ') {
            indent++;
        }
        int start = Math.max(from, indent);
        int end = Math.min(points.length, start + WIDEST);
        int width = Math.max(1, Math.min(place.endColumn() - 1, end) - column);
        text.append(MARGIN)
                .append(style(Style.DIM, "│ "))
                .append(new String(points, start, end - start))
                .append("\n")
                .append(MARGIN)
                .append(style(Style.DIM, "│ "))
                .append(" ".repeat(Math.max(0, column - start)))
                .append(style(colourOf(level), "^" + "~".repeat(width - 1)))
                .append("\n");
    }

    private String summary(Report report) {
        var counts = new ArrayList<String>();
        count(report, Level.ERROR, "error", counts);
        count(report, Level.WARNING, "warning", counts);
        if (infos) {
            count(report, Level.INFO, "remark", counts);
        }
        long hidden = infos ? 0 : report.count(Level.INFO);
        var looked = plural(report.files(), "file")
                + (hidden == 0 ? "" : style(Style.DIM, " (--infos shows " + plural(hidden, "remark") + ")"));
        // What was not looked at is not fine.
        if (counts.isEmpty() && report.objects() == 0) {
            return "nothing to complain about, as no object was checked in " + looked;
        }
        looked = plural(report.objects(), "object") + " in " + looked;
        if (counts.isEmpty()) {
            return style(Style.GREEN, "✓ nothing to complain about") + " in " + looked;
        }
        long fixes = report.findings().stream()
                .filter(each -> each.fix().isPresent())
                .count();
        return String.join(", ", counts) + " in " + looked
                + (fixes == 0 ? "" : style(Style.DIM, " (--fix can repair " + fixes + ")"));
    }

    private void count(Report report, Level level, String word, List<String> counts) {
        if (report.count(level) > 0) {
            counts.add(style(colourOf(level), plural(report.count(level), word)));
        }
    }

    private static String plural(long number, String word) {
        return number + " " + word + (number == 1 ? "" : "s");
    }

    private static Style colourOf(Level level) {
        return switch (level) {
            case ERROR -> Style.RED;
            case WARNING -> Style.YELLOW;
            case INFO -> Style.BLUE;
        };
    }

    private String style(Style style, String text) {
        return colour ? "\033[" + style.code + "m" + text + "\033[0m" : text;
    }
}

package dev.towtank.app.lint.report;

import dev.towtank.app.lint.finding.Finding;
import dev.towtank.app.lint.finding.Level;
import dev.towtank.app.lint.finding.Report;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/// For CI servers: JUnit's XML, a suite per file with findings, a failed test per error.
public final class JunitReport {

    private JunitReport() {}

    /// @param infos whether to show what is only good to know
    /// @param strict whether warnings fail as well
    public static String of(Report report, boolean infos, boolean strict) {
        var shown = Shown.of(report, infos);
        Map<String, List<Finding>> byFile = shown.stream()
                .collect(Collectors.groupingBy(
                        finding -> finding.place().file(), LinkedHashMap::new, Collectors.toList()));
        long failures = shown.stream().filter(finding -> fails(finding, strict)).count();
        var text = new StringBuilder("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
        int tests = Math.max(1, shown.size());
        text.append("<testsuites name=\"towtank lint\" tests=\"%d\" failures=\"%d\">%n".formatted(tests, failures));
        if (byFile.isEmpty()) {
            text.append("  <testsuite name=\"all files\" tests=\"1\" failures=\"0\">\n")
                    .append("    <testcase classname=\"all files\" name=\"lint\"/>\n  </testsuite>\n");
        }
        byFile.forEach((file, findings) -> suite(file, findings, strict, text));
        return text.append("</testsuites>\n").toString();
    }

    private static void suite(String file, List<Finding> findings, boolean strict, StringBuilder text) {
        long failures =
                findings.stream().filter(finding -> fails(finding, strict)).count();
        text.append("  <testsuite name=\"%s\" tests=\"%d\" failures=\"%d\">%n"
                .formatted(escaped(file), findings.size(), failures));
        for (var finding : findings) {
            var place = finding.place();
            text.append("    <testcase classname=\"%s\" name=\"%s\" file=\"%s\" line=\"%d\">%n"
                    .formatted(
                            escaped(file),
                            escaped(finding.rule().id() + " at " + place.line() + ":" + place.column()),
                            escaped(file),
                            place.line()));
            var words = "%s:%d:%d: %s: %s%s"
                    .formatted(
                            file,
                            place.line(),
                            place.column(),
                            finding.level().word(),
                            finding.message(),
                            finding.advice().isEmpty() ? "" : "\n" + finding.advice());
            if (fails(finding, strict)) {
                text.append("      <failure type=\"%s\" message=\"%s\">%s</failure>%n"
                        .formatted(finding.rule().id(), escaped(finding.message()), escaped(words)));
            } else {
                text.append("      <system-out>%s</system-out>%n".formatted(escaped(words)));
            }
            text.append("    </testcase>\n");
        }
        text.append("  </testsuite>\n");
    }

    private static boolean fails(Finding finding, boolean strict) {
        return finding.level() == Level.ERROR || (strict && finding.level() == Level.WARNING);
    }

    // XML has no way to write most control characters.
    private static String escaped(String text) {
        var result = new StringBuilder();
        text.codePoints().forEach(point -> {
            switch (point) {
                case '<' -> result.append("&lt;");
                case '>' -> result.append("&gt;");
                case '&' -> result.append("&amp;");
                case '"' -> result.append("&quot;");
                case '\n' -> result.append("&#10;");
                default -> result.appendCodePoint(isXml(point) ? point : '\uFFFD');
            }
        });
        return result.toString();
    }

    private static boolean isXml(int point) {
        return point == '\t'
                || (point >= 0x20 && point <= 0xD7FF)
                || (point >= 0xE000 && point <= 0xFFFD)
                || point >= 0x10000;
    }
}

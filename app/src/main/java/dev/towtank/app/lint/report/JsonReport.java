package dev.towtank.app.lint.report;

import dev.towtank.app.lint.finding.Finding;
import dev.towtank.app.lint.finding.Level;
import dev.towtank.app.lint.finding.Report;
import dev.towtank.model.Json;

/// For scripts: one object with the findings, and how many there are of each level.
public final class JsonReport {

    private JsonReport() {}

    /// @param infos whether to show what is only good to know
    public static Json.Obj of(Report report, boolean infos) {
        var findings =
                Shown.of(report, infos).stream().<Json>map(JsonReport::finding).toList();
        return Json.Obj.builder()
                .put(
                        "summary",
                        Json.Obj.builder()
                                .put("files", report.files())
                                .put("objects", report.objects())
                                .put("errors", report.count(Level.ERROR))
                                .put("warnings", report.count(Level.WARNING))
                                .put("infos", report.count(Level.INFO))
                                .build())
                .put("findings", new Json.Arr(findings))
                .put("notes", Json.Arr.ofStrings(report.notes()))
                .build();
    }

    private static Json.Obj finding(Finding finding) {
        var place = finding.place();
        return Json.Obj.builder()
                .put("file", place.file())
                .put("line", place.line())
                .put("column", place.column())
                .put("endColumn", place.endColumn())
                .put("level", finding.level().word())
                .put("rule", finding.rule().id())
                .put("message", finding.message())
                .putNonEmpty("advice", finding.advice())
                .put("fixable", finding.fix().isPresent())
                .build();
    }
}

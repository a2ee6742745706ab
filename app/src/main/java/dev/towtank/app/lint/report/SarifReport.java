package dev.towtank.app.lint.report;

import dev.towtank.app.lint.finding.Edit;
import dev.towtank.app.lint.finding.Finding;
import dev.towtank.app.lint.finding.Level;
import dev.towtank.app.lint.finding.Report;
import dev.towtank.app.lint.finding.Rule;
import dev.towtank.model.Json;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.stream.Stream;

/// For code scanning: SARIF 2.1.0.
public final class SarifReport {

    private SarifReport() {}

    /// @param infos whether to show what is only good to know
    /// @param version of the program
    public static Json.Obj of(Report report, boolean infos, String version) {
        var rules = Stream.of(Rule.values()).<Json>map(SarifReport::rule).toList();
        var driver = Json.Obj.builder()
                .put("name", "towtank")
                .put("semanticVersion", version)
                .put("rules", new Json.Arr(rules))
                .build();
        var results =
                Shown.of(report, infos).stream().<Json>map(SarifReport::result).toList();
        var run = Json.Obj.builder()
                .put("tool", Json.Obj.of("driver", driver))
                .put("columnKind", "unicodeCodePoints")
                .put("results", new Json.Arr(results))
                .build();
        return Json.Obj.builder()
                .put("$schema", "https://json.schemastore.org/sarif-2.1.0.json")
                .put("version", "2.1.0")
                .put("runs", Json.Arr.of(run))
                .build();
    }

    private static Json.Obj rule(Rule rule) {
        return Json.Obj.builder()
                .put("id", rule.id())
                .put("shortDescription", Json.Obj.of("text", Json.of(rule.summary())))
                .put("defaultConfiguration", Json.Obj.of("level", Json.of(level(rule.level()))))
                .build();
    }

    private static Json.Obj result(Finding finding) {
        var text = finding.advice().isEmpty() ? finding.message() : finding.message() + ". " + finding.advice();
        var result = Json.Obj.builder()
                .put("ruleId", finding.rule().id())
                .put("ruleIndex", List.of(Rule.values()).indexOf(finding.rule()))
                .put("level", level(finding.level()))
                .put("message", Json.Obj.of("text", Json.of(text)))
                .put("locations", Json.Arr.of(Json.Obj.of("physicalLocation", location(finding))));
        finding.fix().ifPresent(edit -> result.put("fixes", Json.Arr.of(fix(finding, edit))));
        return result.build();
    }

    private static Json.Obj location(Finding finding) {
        var place = finding.place();
        return Json.Obj.of(
                "artifactLocation",
                artifact(place.file()),
                "region",
                region(place.line(), place.column(), place.endColumn()));
    }

    private static Json.Obj fix(Finding finding, Edit edit) {
        var replacement = Json.Obj.of(
                "deletedRegion",
                region(edit.line(), edit.column(), edit.endColumn()),
                "insertedContent",
                Json.Obj.of("text", Json.of(edit.text())));
        var change = Json.Obj.of(
                "artifactLocation", artifact(finding.place().file()), "replacements", Json.Arr.of(replacement));
        return Json.Obj.of("artifactChanges", Json.Arr.of(change));
    }

    private static Json.Obj region(int line, int column, int endColumn) {
        return Json.Obj.builder()
                .put("startLine", line)
                .put("startColumn", column)
                .put("endColumn", Math.max(column, endColumn))
                .build();
    }

    private static Json.Obj artifact(String file) {
        try {
            return Json.Obj.of("uri", Json.of(new URI(null, null, file, null).getRawPath()));
        } catch (URISyntaxException e) {
            return Json.Obj.of("uri", Json.of(file));
        }
    }

    private static String level(Level level) {
        return switch (level) {
            case ERROR -> "error";
            case WARNING -> "warning";
            case INFO -> "note";
        };
    }
}

package dev.towtank.app.lint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.app.lint.finding.Finding;
import dev.towtank.app.lint.finding.Report;
import dev.towtank.app.lint.finding.Rule;
import dev.towtank.app.lint.finding.SourcePlace;
import dev.towtank.app.lint.report.JsonReport;
import dev.towtank.app.lint.report.JunitReport;
import dev.towtank.app.lint.report.PrettyReport;
import dev.towtank.app.lint.report.SarifReport;
import dev.towtank.app.lint.settings.Target;
import dev.towtank.model.Json;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;

final class ReportsTest {

    private static final Target NAMED = new Target(Target.CURRENT.releases(), Set.of(Target.Component.ESO));

    private static final Report REPORT = Linting.lint(Linting.linter(NAMED, Set.of()), """
            apiVersion: external-secrets.io/v1beta1
            kind: ExternalSecret
            metadata: {name: keys}
            """, """
            apiVersion: v1
            kind: Pod
            metadata: {name: "<&\\"'>"}
            spec: {containers: [{name: a, image: busybox}]}
            """);

    private static final Report NOTHING = Linting.lint("a: 1");

    @Test
    void prettyShowsTheLineAndWhatToWrite() {
        assertThat(new PrettyReport(false, true).text(REPORT)).isEqualTo("""
                file0.yaml
                  1:13    error    external-secrets.io/v1beta1 ExternalSecret is not served by External Secrets 2.0 \
                (gone since 0.17)  unserved-version
                           │ apiVersion: external-secrets.io/v1beta1
                           │             ^~~~~~~~~~~~~~~~~~~~~~~~~~~
                           → Write external-secrets.io/v1.

                file1.yaml
                  3:18    error    metadata.name: Invalid value: "<&\\"'>": a lowercase RFC 1123 subdomain must consist \
                of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character \
                (e.g. 'example.com', regex used for validation is \
                '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')  refused
                           │ metadata: {name: "<&\\"'>"}
                           │                  ^~~~~~~~
                  4:38    warning  the image "busybox" has no tag, which means latest: it changes from run to run  image-latest
                           │ spec: {containers: [{name: a, image: busybox}]}
                           │                                      ^~~~~~~
                           → Name a version or a digest.

                2 errors, 1 warning in 2 objects in 2 files (--fix can repair 1)
                """);
        assertThat(new PrettyReport(false, true).text(NOTHING))
                .isEqualTo("nothing to complain about, as no object was checked in 1 file\n");
    }

    @Test
    void remarksAreInEveryFormWhereTheyAreAskedFor() {
        var report = Linting.lint("# nothing");
        assertThat(report.findings()).hasSize(1);

        assertThat(JsonReport.of(report, false).objects("findings")).isEmpty();
        assertThat(JsonReport.of(report, false).integer("summary", "infos")).isEqualTo(1);
        assertThat(JsonReport.of(report, true).objects("findings")).hasSize(1);
        assertThat(results(SarifReport.of(report, false, "1"))).isEmpty();
        assertThat(results(SarifReport.of(report, true, "1"))).hasSize(1);
        assertThat(JunitReport.of(report, false, false)).doesNotContain("empty-file");
        assertThat(JunitReport.of(report, true, false)).contains("empty-file");
    }

    private static List<Json.Obj> results(Json.Obj sarif) {
        return sarif.objects("runs").getFirst().objects("results");
    }

    @Test
    void coloursChangeNothingButColours() {
        var coloured = new PrettyReport(true, true).text(REPORT);

        assertThat(coloured).contains("\033[1;31merror  \033[0m");
        assertThat(coloured.replaceAll("\033\\[[0-9;]*m", "")).isEqualTo(new PrettyReport(false, true).text(REPORT));
    }

    @Test
    void longLinesAreShownAroundThePlace() {
        var line = "image: " + "x".repeat(300) + " # and more";
        var place = new SourcePlace("f", 1, 200, 210, line, Set.of());
        var report = new Report(List.of(Finding.of(Rule.REFUSED, place, "m", "")), 1, 1, List.of());

        var lines = new PrettyReport(false, true).text(report).lines().toList();
        assertThat(lines.get(2)).hasSizeLessThan(130);
        assertThat(lines.get(3)).endsWith(" ^~~~~~~~~~");
    }

    @Test
    void jsonHasEverything() {
        var json = JsonReport.of(REPORT, false);

        assertThat(json.integer("summary", "errors")).isEqualTo(2);
        assertThat(json.objects("findings").getFirst())
                .isEqualTo(Json.Obj.builder()
                        .put("file", "file0.yaml")
                        .put("line", 1)
                        .put("column", 13)
                        .put("endColumn", 40)
                        .put("level", "error")
                        .put("rule", "unserved-version")
                        .put(
                                "message",
                                "external-secrets.io/v1beta1 ExternalSecret is not served by External Secrets 2.0"
                                        + " (gone since 0.17)")
                        .put("advice", "Write external-secrets.io/v1.")
                        .put("fixable", true)
                        .build());
    }

    @Test
    void sarifIsWhatCodeScanningWants() {
        var sarif = SarifReport.of(REPORT, false, "1.2.3");

        assertThat(sarif.string("version")).isEqualTo("2.1.0");
        var run = sarif.objects("runs").getFirst();
        var rules = run.objects("tool", "driver", "rules");
        assertThat(rules).hasSize(Rule.values().length).allSatisfy(rule -> {
            assertThat(rule.string("id")).isNotEmpty();
            assertThat(rule.string("shortDescription", "text")).endsWith(".");
        });
        assertThat(run.objects("results")).hasSize(3).allSatisfy(result -> {
            assertThat(rules.get((int) result.integer("ruleIndex")).string("id"))
                    .isEqualTo(result.string("ruleId"));
            assertThat(result.string("level")).isIn("error", "warning", "note");
            assertThat(result.string("message", "text")).isNotEmpty();
            var place = result.objects("locations").getFirst().object("physicalLocation");
            assertThat(place.string("artifactLocation", "uri")).matches("file[01]\\.yaml");
            assertThat(place.integer("region", "startLine")).isPositive();
            assertThat(place.integer("region", "endColumn"))
                    .isGreaterThanOrEqualTo(place.integer("region", "startColumn"));
        });
        var fix = run.objects("results").getFirst().objects("fixes").getFirst();
        var replacement = fix.objects("artifactChanges")
                .getFirst()
                .objects("replacements")
                .getFirst();
        assertThat(replacement.string("insertedContent", "text")).isEqualTo("external-secrets.io/v1");
    }

    @Test
    void junitIsXmlWithAFailurePerError() throws Exception {
        var factory = DocumentBuilderFactory.newInstance();
        factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
        var xml = factory.newDocumentBuilder()
                .parse(new ByteArrayInputStream(
                        JunitReport.of(REPORT, false, false).getBytes(StandardCharsets.UTF_8)));

        assertThat(xml.getDocumentElement().getAttribute("tests")).isEqualTo("3");
        assertThat(xml.getDocumentElement().getAttribute("failures")).isEqualTo("2");
        assertThat(xml.getElementsByTagName("failure").getLength()).isEqualTo(2);
        assertThat(xml.getElementsByTagName("failure").item(1).getTextContent()).contains("\"<&\\\"'>\"");
        assertThat(JunitReport.of(REPORT, false, true)).contains("failures=\"3\"");
        assertThat(JunitReport.of(NOTHING, false, true)).contains("tests=\"1\" failures=\"0\"");
    }
}

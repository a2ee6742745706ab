package dev.towtank.app.lint;

import dev.towtank.app.lint.finding.Finding;
import dev.towtank.app.lint.finding.Report;
import dev.towtank.app.lint.finding.Rule;
import dev.towtank.app.lint.script.ScriptJudge;
import dev.towtank.app.lint.settings.Target;
import dev.towtank.app.lint.source.SourceFiles.Content;
import dev.towtank.app.lint.source.SourceText;
import dev.towtank.app.lint.standing.Named;
import dev.towtank.controllers.pipelines.api.settings.Settings;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/// A linter for tests: a machine that knows most images and has no shell.
final class Linting {

    /// Delivers all that is tried: without, nothing is an error that nobody named.
    static final Content DELIVERY = new Content.Text(new SourceText("delivery.yaml", """
            apiVersion: kustomize.toolkit.fluxcd.io/v1
            kind: Kustomization
            metadata: {name: all}
            spec: {path: ./, interval: 1h, prune: true, sourceRef: {kind: GitRepository, name: all}}
            """));

    /// No server takes it that still has what went in 1.25.
    static final String OF_A_NEW_CLUSTER = """
            apiVersion: admissionregistration.k8s.io/v1
            kind: ValidatingAdmissionPolicyBinding
            metadata: {name: all}
            spec: {policyName: all, validationActions: [Deny]}
            """;

    private static final ScriptJudge.Verdicts NONE = new ScriptJudge.Verdicts(List.of(), List.of());

    private Linting() {}

    static Linter linter() {
        return linter(Target.CURRENT, Set.of());
    }

    static Linter linter(Target target, Set<Rule> disabled) {
        return new Linter(target, Settings.INITIAL, disabled, Linting::image, _ -> NONE, List::of);
    }

    private static Optional<String> image(String name) {
        return name.startsWith("example.com/")
                ? Optional.of("image \"" + name + "\" is not in the image map. To run it, add it.")
                : Optional.empty();
    }

    static Report lint(String... files) {
        return lint(linter(), files);
    }

    static Report lint(Linter linter, String... files) {
        var inputs = new ArrayList<Supplier<Content>>();
        for (int i = 0; i < files.length; i++) {
            var text = new SourceText("file" + i + ".yaml", files[i]);
            inputs.add(() -> new Content.Text(text));
        }
        return linter.lint(inputs, names(files.length));
    }

    /// Of files that somebody named, and means as they are.
    private static Named names(int files) {
        return new Named(
                IntStream.range(0, files).mapToObj(i -> "file" + i + ".yaml").toList());
    }

    /// A finding on one line: `3:5-9 error rule: message → advice`.
    static String line(Finding finding) {
        var place = finding.place();
        return "%d:%d-%d %s %s: %s%s"
                .formatted(
                        place.line(),
                        place.column(),
                        place.endColumn(),
                        finding.level().word(),
                        finding.rule().id(),
                        finding.message(),
                        finding.advice().isEmpty()
                                ? ""
                                : " → " + finding.advice().replace("\n", " / "));
    }

    static List<String> rules(Report report) {
        return report.findings().stream().map(each -> each.rule().id()).toList();
    }
}

package dev.towtank.app.lint;

import dev.towtank.app.lint.finding.Rule;
import dev.towtank.app.lint.finding.Similar;
import dev.towtank.app.lint.source.Document;
import java.util.Set;

/// NotebookValidationJobs: fields that the operator does not have, although its documents once said so.
final class NotebookJobs implements Check {

    private static final Set<String> FIELDS = Set.of(
            "notebook",
            "goldenNotebook",
            "timeout",
            "podConfig",
            "validationConfig",
            "comparisonConfig",
            "modelValidation");

    @Override
    public void check(Document document, Observations seen) {
        var spec = document.root().at("spec");
        if (spec == null
                || !document.kind().equals("NotebookValidationJob")
                || !document.group().equals("mlops.mlops.dev")) {
            return;
        }
        spec.fields().forEach((name, field) -> {
            if (!FIELDS.contains(name)) {
                seen.add(
                        Rule.UNKNOWN_FIELD,
                        document.key(field),
                        "NotebookValidationJob has no field \"spec." + name + "\"",
                        name.equals("build")
                                ? "Write podConfig.buildConfig: {enabled: true, strategy: …}."
                                : Similar.to(name, FIELDS)
                                        .map(each -> "Did you mean \"" + each + "\"?")
                                        .orElse(""));
            }
        });
    }
}

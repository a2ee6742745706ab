package dev.towtank.controllers.pipelines.validation;

import dev.towtank.controllers.pipelines.api.PipelineResult;
import dev.towtank.controllers.pipelines.api.PipelineSpec;
import dev.towtank.controllers.pipelines.substitution.ResultReference;
import java.util.Set;

/// Checks of the results of a pipeline.
final class PipelineResultChecks {

    private PipelineResultChecks() {}

    static Problems of(PipelineSpec spec) {
        var tasks = PipelineChecks.names(spec.tasks());
        var finals = PipelineChecks.names(spec.finals());
        var problems = Problems.none();
        for (int i = 0; i < spec.results().size(); i++) {
            problems.add(of(spec.results().get(i), tasks, finals).via("value").viaFieldIndex("results", i));
        }
        return problems;
    }

    private static Problems of(PipelineResult result, Set<String> tasks, Set<String> finals) {
        var names = ResultReference.in(result.value());
        var references = names.stream().filter(ResultReference::looksLike).toList();
        var parsed = references.stream()
                .filter(name -> ResultReference.parse(name).isPresent())
                .toList();
        var start = "invalid value: expected pipeline results to be task result expressions but ";
        return Problems.none()
                .addIf(names.isEmpty(), start + "no expressions were found", "")
                .addIf(references.isEmpty(), start + "an invalid expressions was found", "")
                .addIf(
                        references.size() != parsed.size(),
                        "invalid value: expected all of the expressions " + GoText.list(references)
                                + " to be result expressions but only " + GoText.list(parsed) + " were",
                        "")
                .addIf(
                        !namesKnownTasks(result.value().textOrEmpty(), tasks, finals),
                        "invalid value: referencing a nonexistent task",
                        "");
    }

    private static boolean namesKnownTasks(String text, Set<String> tasks, Set<String> finals) {
        for (var part : text.split("\\$", -1)) {
            if (part.isEmpty()) {
                continue;
            }
            var open = part.startsWith("(") ? part.substring(1) : "$" + part;
            var name = open.endsWith(")") ? open.substring(0, open.length() - 1) : open;
            var reference = ResultReference.parse(name).orElse(null);
            if (reference == null || !(reference.isFinal() ? finals : tasks).contains(reference.task())) {
                return false;
            }
        }
        return true;
    }
}

package dev.towtank.app.lint;

import dev.towtank.app.lint.finding.Rule;
import dev.towtank.app.lint.source.Document;
import dev.towtank.app.lint.source.TektonTree;
import dev.towtank.model.Json;
import dev.towtank.model.Located;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Tasks that can never run: a condition between constants that does not hold, or a result of a task that never
/// runs.
final class UnreachableTasks implements Check {

    @Override
    public boolean needsWhole() {
        return true;
    }

    @Override
    public void check(Document document, Observations seen) {
        TektonTree.pipelineSpecs(document).forEach(spec -> pipeline(document, spec, seen));
    }

    private static void pipeline(Document document, Located spec, Observations seen) {
        var tasks = new HashMap<String, Located>();
        TektonTree.tasks(spec).forEach(task -> tasks.put(task.text("name"), task));
        var unreachable = new HashSet<String>();
        for (var task : TektonTree.tasks(spec)) {
            for (var when : task.list("when")) {
                if (isNever(when) && unreachable.add(task.text("name"))) {
                    seen.add(
                            Rule.UNREACHABLE_TASK,
                            document.place(when.start(), when.end()),
                            "task \"" + task.text("name") + "\" never runs: this condition can never hold",
                            "Compare with a param, as in input: $(params.name), or take the task away.");
                }
            }
        }
        dependents(document, spec, unreachable, seen);
    }

    private static void dependents(Document document, Located spec, Set<String> unreachable, Observations seen) {
        boolean grows = !unreachable.isEmpty();
        while (grows) {
            grows = false;
            for (var task : spec.list("tasks")) {
                var name = task.text("name");
                var cause = unreachable.stream()
                        .filter(each -> task.json().toString().contains("$(tasks." + each + ".results"))
                        .findFirst();
                var key = task.at("name");
                if (cause.isPresent() && key != null && unreachable.add(name)) {
                    grows = true;
                    seen.add(
                            Rule.UNREACHABLE_TASK,
                            document.value(key),
                            "task \"" + name + "\" never runs: it needs a result of \"" + cause.get()
                                    + "\", which never runs",
                            "");
                }
            }
        }
    }

    private static boolean isNever(Located when) {
        var input = when.text("input");
        var values = when.at("values");
        if (values == null || isFilledIn(input) || when.field("input") == null || when.field("cel") != null) {
            return false;
        }
        var constants = values.json() instanceof Json.Arr list ? list.strings() : List.<String>of();
        if (constants.size() != values.items().size() || constants.stream().anyMatch(UnreachableTasks::isFilledIn)) {
            return false;
        }
        return switch (when.text("operator")) {
            case "in" -> !constants.contains(input);
            case "notin" -> constants.contains(input);
            default -> false;
        };
    }

    /// By Tekton, or by Pipelines as Code before.
    private static boolean isFilledIn(String text) {
        return text.contains("$(") || text.contains("{{");
    }
}

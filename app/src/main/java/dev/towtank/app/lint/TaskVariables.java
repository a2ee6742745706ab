package dev.towtank.app.lint;

import dev.towtank.app.lint.finding.Rule;
import dev.towtank.app.lint.finding.Similar;
import dev.towtank.app.lint.source.Document;
import dev.towtank.app.lint.source.TektonTree;
import dev.towtank.model.Json;
import dev.towtank.model.Located;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.regex.Pattern;

/// Workspaces and results that a task speaks of and does not declare, which Tekton leaves in the text as they are, and
/// results
/// that it declares and never writes.
final class TaskVariables implements Check {

    private static final Pattern VARIABLE =
            Pattern.compile("\\$\\((workspaces|results)\\.([A-Za-z][\\w-]*)\\.(path|bound|claim|volume)\\)");

    /// A script, or a line of it, that comes from whoever runs the task.
    private static final Pattern GIVEN = Pattern.compile("(?im)^\\s*\\$\\(params[.\\[][^()]*\\)\\s*$|\\beval\\b");

    private static final Pattern PUT_TOGETHER = Pattern.compile("\\$\\(results\\.[^()]*\\$\\{?\\w");

    @Override
    public boolean needsWhole() {
        return true;
    }

    @Override
    public void check(Document document, Observations seen) {
        if (TektonTree.taskSpecs(document).isEmpty() || document.kind().equals("TaskRun")) {
            return;
        }
        for (var task : TektonTree.taskSpecs(document)) {
            undeclared(document, task, seen);
            unwritten(document, task, seen);
        }
    }

    private static void undeclared(Document document, Located task, Observations seen) {
        for (var step : task.list("steps")) {
            // A StepAction has results of its own, a step's own results are declared in it.
            var own = names(step, "results");
            for (var text : step.all()) {
                if (!(text.json() instanceof Json.Str(var value)) || !value.contains("$(")) {
                    continue;
                }
                var matcher = VARIABLE.matcher(value);
                while (matcher.find()) {
                    var list = matcher.group(1);
                    var name = matcher.group(2);
                    boolean isWorkspace = list.equals("workspaces");
                    var declared = names(task, list);
                    // Those of a pipeline reach the tasks written into it.
                    boolean isWider = isWorkspace && !document.kind().equals("Task");
                    if (!declared.contains(name) && !own.contains(name) && !isWider) {
                        seen.add(
                                Rule.UNDEFINED_VARIABLE,
                                document.within(text, value, matcher.start(), matcher.end()),
                                "nothing declares " + matcher.group(),
                                Similar.to(name, declared)
                                        .map(each -> "Did you mean \"" + each + "\"?")
                                        .orElse("Declare it under '" + list + "'."));
                    }
                }
            }
        }
    }

    private static Set<String> names(Located holder, String list) {
        var names = new LinkedHashSet<String>();
        holder.list(list).forEach(each -> names.add(each.text("name")));
        return names;
    }

    private static void unwritten(Document document, Located task, Observations seen) {
        // What a program of an image writes, nobody sees.
        boolean isVisible = task.list("steps").stream()
                .map(step -> step.text("script"))
                .allMatch(script -> !script.isEmpty() && !GIVEN.matcher(script).find());
        if (!isVisible || task.list("steps").isEmpty()) {
            return;
        }
        for (var result : task.list("results")) {
            var name = result.at("name");
            if (name == null || result.field("value") != null || !(name.json() instanceof Json.Str(var text))) {
                continue;
            }
            if (!isMentioned(task, text)) {
                seen.add(
                        Rule.UNWRITTEN_RESULT,
                        document.value(name),
                        "no step writes the result \"" + text + "\"",
                        "Write it to $(results." + text + ".path), or take it away.");
            }
        }
    }

    /// Generously: a name may be put together, and files below /tekton/results be written by a program.
    private static boolean isMentioned(Located task, String name) {
        for (var part : new String[] {"steps", "sidecars", "stepTemplate", "volumes"}) {
            var there = task.at(part);
            if (there == null) {
                continue;
            }
            for (var text : there.all()) {
                if (text.json() instanceof Json.Str(var value)
                        && (value.contains(name)
                                || value.contains("/tekton/results")
                                || value.contains("$(results[")
                                || PUT_TOGETHER.matcher(value).find())) {
                    return true;
                }
            }
        }
        return false;
    }
}

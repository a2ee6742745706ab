package dev.towtank.app.lint;

import dev.towtank.app.lint.finding.Rule;
import dev.towtank.app.lint.finding.Similar;
import dev.towtank.app.lint.source.Document;
import dev.towtank.app.lint.source.TektonTree;
import dev.towtank.model.Json;
import dev.towtank.model.Located;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Workspaces and results that a task speaks of and does not declare, which Tekton leaves in the text as they are, and
/// results
/// that it declares and never writes.
final class TaskVariables implements Check {

    private static final Pattern VARIABLE =
            Pattern.compile("\\$\\((workspaces|results)\\.([A-Za-z][\\w-]*)\\.(path|bound|claim|volume)\\)");

    private static final Pattern ALL_OR_ITEM =
            Pattern.compile("\\$\\(params\\.([A-Za-z_][\\w-]*)\\[(?:\\*|\\d+)\\]\\)");
    /// In a pipeline all of a text is the text.
    private static final Pattern ITEM = Pattern.compile("\\$\\(params\\.([A-Za-z_][\\w-]*)\\[\\d+\\]\\)");

    /// A script, or a line of it, that comes from whoever runs the task.
    private static final Pattern GIVEN = Pattern.compile("(?im)^\\s*\\$\\(params[.\\[][^()]*\\)\\s*$|\\beval\\b");

    private static final Pattern PUT_TOGETHER = Pattern.compile("\\$\\(results\\.[^()]*\\$\\{?\\w");

    @Override
    public boolean needsWhole() {
        return true;
    }

    @Override
    public void check(Document document, Observations seen) {
        for (var pipeline : TektonTree.pipelineSpecs(document)) {
            var users = TektonTree.tasks(pipeline).stream()
                    .flatMap(task -> Stream.of("params", "when", "matrix").map(task::at))
                    .filter(Objects::nonNull)
                    .toList();
            listsOfTexts(document, pipeline, users, ITEM, seen);
        }
        if (TektonTree.taskSpecs(document).isEmpty() || document.kind().equals("TaskRun")) {
            return;
        }
        for (var task : TektonTree.taskSpecs(document)) {
            undeclared(document, task, seen);
            listsOfTexts(document, task, List.of(task), ALL_OR_ITEM, seen);
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

    /// Texts of which somebody takes items: Tekton leaves such a variable as it is.
    private static void listsOfTexts(
            Document document, Located declaring, List<Located> users, Pattern variable, Observations seen) {
        var types = ParamType.declared(declaring);
        for (var text : users.stream().flatMap(user -> user.all().stream()).toList()) {
            if (!(text.json() instanceof Json.Str(var value)) || !value.contains("$(params")) {
                continue;
            }
            var matcher = variable.matcher(value);
            while (matcher.find()) {
                if (types.get(matcher.group(1)) == ParamType.STRING) {
                    seen.add(
                            Rule.PARAM_TYPE,
                            document.within(text, value, matcher.start(), matcher.end()),
                            "param \"" + matcher.group(1) + "\" is of type string, and " + matcher.group()
                                    + " takes it for a list",
                            "Write $(params." + matcher.group(1) + "), or declare the param as 'type: array'.");
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

package dev.towtank.app.lint;

import dev.towtank.app.lint.Reference.ResultUse;
import dev.towtank.app.lint.Reference.Use;
import dev.towtank.app.lint.finding.Finding;
import dev.towtank.app.lint.finding.Level;
import dev.towtank.app.lint.finding.Rule;
import dev.towtank.app.lint.source.Document;
import dev.towtank.app.lint.source.TektonTree;
import dev.towtank.model.Json;
import dev.towtank.model.Located;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Who defines tasks, pipelines and step actions, and who uses them with what.
final class TektonReferences implements Check {

    private static final Pattern RESULT = Pattern.compile(
            "\\$\\(tasks\\.([\\w-]+)\\.results(?:\\.([\\w-]+)|\\['([\\w.-]+)'\\]|\\[\"([\\w.-]+)\"\\])");
    private static final Pattern FETCHES = Pattern.compile("pipelinesascode\\.tekton\\.dev/(task|pipeline)(-\\d+)?");
    private static final Set<String> DEFINING = Set.of("Task", "Pipeline", "StepAction");

    @Override
    public void check(Document document, Observations seen) {
        // The oldest version writes params and workspaces elsewhere, and no server takes it.
        if (!document.isTekton() || document.apiVersion().equals("tekton.dev/v1alpha1")) {
            return;
        }
        var spec = document.root().at("spec");
        if (spec == null) {
            return;
        }
        if (DEFINING.contains(document.kind())) {
            seen.add(Definition.of(document.kind(), document.name(), Connections.folder(document), spec));
        }
        if (document.kind().equals("TaskRun")) {
            run(document, spec, "Task", "taskRef", seen);
        }
        if (document.kind().equals("PipelineRun")) {
            run(document, spec, "Pipeline", "pipelineRef", seen);
        }
        TektonTree.pipelineSpecs(document).forEach(pipeline -> pipeline(document, pipeline, seen));
        for (var task : TektonTree.taskSpecs(document)) {
            task.list("steps").forEach(step -> refer(document, "StepAction", step.at("ref"), Optional.empty(), seen));
        }
    }

    private static void run(Document document, Located spec, String kind, String field, Observations seen) {
        var use = use(
                document,
                spec,
                "the " + document.kind(),
                document.root().at("kind"),
                List.of(),
                ParamType.Around.NOTHING);
        refer(document, kind, spec.at(field), use, seen);
        var embedded = spec.at(field.replace("Ref", "Spec"));
        if (embedded != null && document.origin() != Document.Origin.WITH_GAPS) {
            var definition = Definition.of(kind, "of this run", Connections.folder(document), embedded);
            seen.embedded.add(
                    new Reference.Embedded(definition, ParamType.given(document, spec, ParamType.Around.NOTHING)));
        }
    }

    private static void pipeline(Document document, Located pipeline, Observations seen) {
        var results = results(document, pipeline);
        var around = ParamType.within(pipeline);
        for (var task : TektonTree.tasks(pipeline)) {
            var name = task.text("name");
            var used = results.getOrDefault(name, List.of());
            var embedded = task.at("taskSpec");
            if (embedded != null && embedded.field("steps") != null) {
                var definition = Definition.of("Task", name, Connections.folder(document), embedded);
                embeddedResults(name, definition, used, seen);
                if (document.origin() != Document.Origin.WITH_GAPS) {
                    seen.embedded.add(new Reference.Embedded(definition, ParamType.given(document, task, around)));
                }
            }
            var use = use(document, task, "pipeline task \"" + name + "\"", task.at("name"), used, around);
            refer(document, "Task", task.at("taskRef"), use, seen);
            var nested = task.at("pipelineRef");
            refer(document, "Pipeline", nested, use, seen);
        }
    }

    private static void embeddedResults(String task, Definition definition, List<ResultUse> used, Observations seen) {
        used.stream()
                .filter(each -> !definition.results().containsKey(each.result()))
                .forEach(each -> seen.add(References.undefinedResult(definition, each, task)));
    }

    /// The results that a pipeline uses, by the task that makes them.
    private static Map<String, List<ResultUse>> results(Document document, Located pipeline) {
        var found = new HashMap<String, List<ResultUse>>();
        for (var text : pipeline.all()) {
            if (!(text.json() instanceof Json.Str(var value)) || !value.contains("$(tasks.")) {
                continue;
            }
            var matcher = RESULT.matcher(value);
            while (matcher.find()) {
                var result = firstOf(matcher.group(2), matcher.group(3), matcher.group(4));
                found.computeIfAbsent(matcher.group(1), _ -> new ArrayList<>())
                        .add(new ResultUse(result, document.within(text, value, matcher.start(), matcher.end())));
            }
        }
        return found;
    }

    private static String firstOf(@Nullable String... names) {
        for (var name : names) {
            if (name != null) {
                return name;
            }
        }
        return "";
    }

    private static Optional<Use> use(
            Document document,
            Located user,
            String words,
            @Nullable Located place,
            List<ResultUse> results,
            ParamType.Around around) {
        if (document.origin() == Document.Origin.WITH_GAPS || place == null) {
            return Optional.empty();
        }
        var params = new LinkedHashSet<String>();
        user.list("params").forEach(each -> params.add(each.text("name")));
        var matrix = user.at("matrix");
        if (matrix != null) {
            for (var each : matrix.all()) {
                params.add(each.text("name"));
            }
        }
        var workspaces = new LinkedHashSet<String>();
        user.list("workspaces").forEach(each -> workspaces.add(each.text("name")));
        var given = ParamType.given(document, user, around);
        return Optional.of(new Use(words, document.value(place), params, given, workspaces, results));
    }

    /// Whether Pipelines-as-Code fetches what the object refers to.
    private static boolean isFetched(Document document) {
        var annotations = document.root().at("metadata", "annotations");
        return document.source().file().matches("(.*/)?\\.tekton/.*")
                || (annotations != null
                        && annotations.fields().keySet().stream()
                                .anyMatch(key -> FETCHES.matcher(key).matches()));
    }

    private static void refer(
            Document document, String kind, @Nullable Located ref, Optional<Use> use, Observations seen) {
        var name = ref == null ? null : ref.at("name");
        if (ref == null || name == null || !(name.json() instanceof Json.Str(var text)) || text.contains("$")) {
            return;
        }
        if (!isOf(kind, ref)) {
            return;
        }
        var otherwise = Finding.of(
                Rule.UNDEFINED_TASK,
                document.value(name),
                "no file here defines the " + kind + " \"" + text + "\"",
                "It must be on the cluster already; if not, add it.");
        seen.add(new Reference(kind, text, isFetched(document) ? otherwise.at(Level.INFO) : otherwise, use));
    }

    /// Whether it refers to an object of this kind by its name. A version means that something else is put there before
    /// it is applied.
    static boolean isOf(String kind, Located ref) {
        return ref.field("resolver") == null
                && ref.field("bundle") == null
                && ref.field("version") == null
                && (ref.text("apiVersion").isEmpty() || ref.text("apiVersion").startsWith("tekton.dev/"))
                && (ref.text("kind").isEmpty() || ref.text("kind").equals(kind));
    }
}

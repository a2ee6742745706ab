package dev.towtank.app.lint;

import dev.towtank.app.lint.Reference.ResultUse;
import dev.towtank.app.lint.finding.Finding;
import dev.towtank.app.lint.finding.Level;
import dev.towtank.app.lint.finding.Rule;
import dev.towtank.app.lint.finding.Similar;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// Matches what is referred to with what is defined, over all files.
final class References {

    /// What every namespace has without anybody writing it; `pipeline` comes with OpenShift Pipelines.
    private static final Map<String, Set<String>> ALWAYS = Map.of(
            "ServiceAccount", Set.of("default", "pipeline"),
            "ConfigMap", Set.of("kube-root-ca.crt", "openshift-service-ca.crt"));

    private static final Set<Rule> OFTEN_ON_THE_CLUSTER = Set.of(
            Rule.UNDEFINED_TASK,
            Rule.UNDEFINED_SECRET,
            Rule.UNDEFINED_CONFIGMAP,
            Rule.UNDEFINED_SERVICEACCOUNT,
            Rule.UNDEFINED_CLAIM,
            Rule.UNDEFINED_STORE);

    private final Map<String, Map<String, List<Definition>>> byKind = new HashMap<>();

    private References(List<Definition> definitions) {
        for (var definition : definitions) {
            byKind.computeIfAbsent(definition.kind(), _ -> new HashMap<>())
                    .computeIfAbsent(definition.name(), _ -> new ArrayList<>())
                    .add(definition);
        }
    }

    static List<Finding> match(Observations seen) {
        var references = new References(seen.definitions);
        var found = new ArrayList<Finding>();
        seen.references.forEach(each -> references.match(each, found));
        for (var each : seen.embedded) {
            var results = references.resultsFor(each.definition().folder());
            found.addAll(ParamType.mismatches(each.definition(), each.values(), results));
        }
        return found;
    }

    private void match(Reference reference, List<Finding> found) {
        var named = byKind.getOrDefault(reference.kind(), Map.of());
        var matching = named.getOrDefault(reference.name(), List.of());
        if (!matching.isEmpty()) {
            matching(reference, matching, found);
        } else if (!ALWAYS.getOrDefault(reference.kind(), Set.of()).contains(reference.name())) {
            found.add(undefined(reference, named.keySet()));
        }
    }

    /// What results of Tasks are, as far as all Tasks of a name that may be meant agree: those of the folder first.
    private ParamType.Results resultsFor(String folder) {
        return result -> {
            var all = byKind.getOrDefault("Task", Map.of()).getOrDefault(result.task(), List.of());
            var near = all.stream().filter(each -> each.folder().equals(folder)).toList();
            var meant = near.isEmpty() ? all : near;
            var types = meant.stream()
                    .map(each -> Optional.ofNullable(each.results().get(result.result())))
                    .distinct()
                    .toList();
            return types.size() == 1
                    ? types.getFirst().map(type -> new ParamType.Typed(type, !near.isEmpty()))
                    : Optional.empty();
        };
    }

    private static Finding undefined(Reference reference, Set<String> names) {
        var finding = reference.otherwise();
        return Similar.to(reference.name(), names)
                .filter(each -> !isVariant(each, reference.name()))
                .map(each -> Finding.of(
                                finding.rule(), finding.place(), finding.message(), "Did you mean \"" + each + "\"?")
                        .at(finding.level()))
                // What is on the cluster is nobody's mistake: of a name that resembles no other there is nothing to
                // say.
                .orElseGet(() -> OFTEN_ON_THE_CLUSTER.contains(finding.rule()) ? finding.at(Level.INFO) : finding);
    }

    /// Whether one is called after the other, such as `data` and `data-2`: nobody mistakes them.
    private static boolean isVariant(String one, String other) {
        return one.startsWith(other + "-") || other.startsWith(one + "-");
    }

    // Where several files define the same name, as for several namespaces, any that fits is the one that is meant.
    private void matching(Reference reference, List<Definition> matching, List<Finding> found) {
        if (reference.use().isEmpty()) {
            return;
        }
        var problems = matching.stream()
                .map(each -> problems(each, reference.use().get()))
                .toList();
        if (problems.stream().noneMatch(List::isEmpty)) {
            found.addAll(problems.getFirst());
        }
    }

    private List<Finding> problems(Definition definition, Reference.Use use) {
        var folder = Connections.folder(use.place().file());
        var found = new ArrayList<Finding>();
        var params = missing(definition.needs(), use.params());
        if (!params.isEmpty()) {
            found.add(Finding.of(
                    Rule.MISSING_PARAM,
                    use.place(),
                    use.user() + " gives no value for " + params + ", which " + definition.kind() + " \""
                            + definition.name() + "\" needs",
                    "Add it under 'params', or give it a default in the " + definition.kind() + "."));
        }
        var workspaces = missing(definition.workspaces(), use.workspaces());
        if (!workspaces.isEmpty()) {
            found.add(Finding.of(
                            Rule.MISSING_WORKSPACE,
                            use.place(),
                            use.user() + " binds no workspace " + workspaces + ", which " + definition.kind() + " \""
                                    + definition.name() + "\" needs",
                            "Add it under 'workspaces', or make it 'optional: true' in the " + definition.kind() + ".")
                    .at(workspaceLevel(definition)));
        }
        found.addAll(ParamType.mismatches(definition, use.values(), resultsFor(folder)));
        use.results().stream()
                .filter(each -> !definition.results().containsKey(each.result()))
                .forEach(each -> found.add(undefinedResult(definition, each, definition.name())));
        if (!definition.folder().equals(folder)) {
            // The one that is meant may be another of the same name.
            found.replaceAll(each -> each.level() == Level.ERROR ? each.at(Level.WARNING) : each);
        }
        return found;
    }

    // An installation may have a workspace for tasks that get none (default-task-run-workspace-binding).
    private static Level workspaceLevel(Definition definition) {
        return definition.kind().equals("Task") ? Level.WARNING : Level.ERROR;
    }

    private static String missing(Set<String> needed, Set<String> given) {
        return needed.stream()
                .filter(each -> !given.contains(each))
                .sorted()
                .map(each -> '"' + each + '"')
                .collect(Collectors.joining(", "));
    }

    static Finding undefinedResult(Definition definition, ResultUse use, String task) {
        return Finding.of(
                Rule.UNDEFINED_RESULT,
                use.place(),
                definition.kind() + " \"" + task + "\" has no result \"" + use.result() + "\"",
                Similar.to(use.result(), definition.results().keySet())
                        .map(each -> "Did you mean \"" + each + "\"?")
                        .orElse(
                                definition.results().isEmpty()
                                        ? "It declares none."
                                        : "It has "
                                                + definition.results().keySet().stream()
                                                        .sorted()
                                                        .collect(Collectors.joining(", "))
                                                + "."));
    }
}

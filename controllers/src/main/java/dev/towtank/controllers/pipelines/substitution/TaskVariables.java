package dev.towtank.controllers.pipelines.substitution;

import dev.towtank.controllers.pipelines.api.Param;
import dev.towtank.controllers.pipelines.api.ParamSpec;
import dev.towtank.controllers.pipelines.api.ParamValue;
import dev.towtank.controllers.pipelines.api.WorkspaceBinding;
import dev.towtank.controllers.pipelines.api.WorkspaceDeclaration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// What the variables of a task stand for.
public final class TaskVariables {

    private static final String REFERENCE = "$(params.";

    private TaskVariables() {}

    /// Given values win over defaults; an object is the default's keys with the given ones over them. A default
    /// may name other params; what it names and nobody knows stays in it.
    public static Replacements params(List<ParamSpec> declared, List<Param> given) {
        var variables = Replacements.builder();
        var waiting = new ArrayList<ParamSpec>();
        var growth = new Growth();
        for (var spec : declared) {
            var value = spec.defaultValue();
            if (value.isPresent() && value.get().textOrEmpty().contains(REFERENCE)) {
                waiting.add(spec);
            } else {
                value.ifPresent(known -> put(variables, spec.name(), known));
            }
        }
        given.forEach(param -> putOver(variables, param.name(), param.value()));
        waiting.removeIf(spec -> given.stream().anyMatch(param -> param.name().equals(spec.name())));
        while (waiting.removeIf(spec -> isReady(variables, spec) && resolve(variables, spec, growth))) {
            // Each round makes known what others wait for.
        }
        waiting.forEach(spec -> resolve(variables, spec, growth));
        return variables.build();
    }

    private static boolean isReady(Replacements.Builder variables, ParamSpec spec) {
        return references(spec).allMatch(variables::hasString);
    }

    private static boolean resolve(Replacements.Builder variables, ParamSpec spec, Growth growth) {
        var values = new HashMap<String, String>();
        references(spec).forEach(name -> variables.string(name).ifPresent(value -> values.put(name, value)));
        put(
                variables,
                spec.name(),
                new ParamValue.Text(Replacements.ofStrings(values).apply(text(spec), growth)));
        return true;
    }

    private static Stream<String> references(ParamSpec spec) {
        return VariableNames.in(text(spec)).stream().filter(name -> name.startsWith("params."));
    }

    private static String text(ParamSpec spec) {
        return spec.defaultValue().map(ParamValue::textOrEmpty).orElse("");
    }

    private static void putOver(Replacements.Builder variables, String name, ParamValue value) {
        if (value instanceof ParamValue.Keyed(var entries)) {
            var merged = new HashMap<>(variables.object("params." + name));
            merged.putAll(entries);
            put(variables, name, new ParamValue.Keyed(merged));
        } else {
            put(variables, name, value);
        }
    }

    private static void put(Replacements.Builder variables, String name, ParamValue value) {
        for (var pattern : patterns(name)) {
            putAt(variables, pattern, value);
        }
        if (value instanceof ParamValue.Keyed(var entries)) {
            entries.forEach((key, text) -> variables.put("params." + name + "." + key, text));
        }
    }

    static void putAt(Replacements.Builder variables, String pattern, ParamValue value) {
        switch (value) {
            case ParamValue.Text(var text) -> variables.put(pattern, text);
            case ParamValue.Keyed(var entries) -> variables.put(pattern, entries);
            case ParamValue.Array(var items) -> {
                variables.put(pattern, items);
                for (int i = 0; i < items.size(); i++) {
                    variables.put(pattern + "[" + i + "]", items.get(i));
                }
            }
        }
    }

    private static List<String> patterns(String name) {
        var patterns = new ArrayList<>(VariableNames.quoted("params", name));
        patterns.add("inputs.params." + name);
        return patterns;
    }

    /// @param retries how many attempts there were before this one
    public static Replacements context(String taskName, String runName, String namespace, String uid, int retries) {
        return Replacements.ofStrings(Map.of(
                "context.taskRun.name", runName,
                "context.task.name", taskName,
                "context.taskRun.namespace", namespace,
                "context.taskRun.uid", uid,
                "context.task.retry-count", String.valueOf(retries)));
    }

    /// @param volumes the name of the volume of each bound workspace
    public static Replacements workspaces(
            List<WorkspaceDeclaration> declarations, List<WorkspaceBinding> bindings, Map<String, String> volumes) {
        var variables = Replacements.builder();
        var bound = bindings.stream().map(WorkspaceBinding::name).collect(Collectors.toSet());
        for (var declaration : declarations) {
            boolean isBound = !declaration.optional() || bound.contains(declaration.name());
            var prefix = "workspaces." + declaration.name();
            variables.put(prefix + ".bound", String.valueOf(isBound));
            variables.put(prefix + ".path", isBound ? declaration.path() : "");
        }
        volumes.forEach((name, volume) -> variables.put("workspaces." + name + ".volume", volume));
        for (var binding : bindings) {
            var claim = binding.persistentVolumeClaim().map(source -> source.string("claimName"));
            variables.put("workspaces." + binding.name() + ".claim", claim.orElse(""));
        }
        return variables.build();
    }
}

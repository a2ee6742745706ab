package dev.towtank.controllers.pipelines.substitution;

import dev.towtank.controllers.pipelines.api.Param;
import dev.towtank.controllers.pipelines.api.ParamSpec;
import dev.towtank.controllers.pipelines.api.ParamValue;
import dev.towtank.controllers.pipelines.api.WorkspaceBinding;
import dev.towtank.controllers.pipelines.api.WorkspaceDeclaration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// What the variables of a pipeline stand for.
public final class PipelineVariables {

    private static final int DEEPEST_REFERENCE = 10;

    private PipelineVariables() {}

    /// Either the params, or why there are none.
    public sealed interface Resolution {
        record Resolved(Replacements replacements) implements Resolution {}

        record Failed(String message) implements Resolution {}
    }

    /// Given values win over defaults. A default may name other params, whose defaults may name others.
    public static Resolution params(List<ParamSpec> declared, List<Param> given) {
        var resolved = given(given);
        var defaults = new LinkedHashMap<String, String>();
        for (var spec : declared) {
            if (spec.effectiveType().equals(ParamValue.STRING) && isLeftOut(spec, given)) {
                spec.defaultValue()
                        .ifPresent(value -> VariableNames.quoted("params", spec.name())
                                .forEach(pattern -> defaults.put(pattern, value.textOrEmpty())));
            }
        }
        var growth = new Growth();
        try {
            defaults.forEach((pattern, text) -> new Chain(resolved, defaults, growth).resolve(pattern, text, 0));
        } catch (Unresolvable e) {
            return new Resolution.Failed("parameter resolution failed: " + e.getMessage());
        }
        var texts = resolved.build();
        for (var spec : declared) {
            if (isLeftOut(spec, given)) {
                spec.defaultValue()
                        .filter(value -> !(value instanceof ParamValue.Text))
                        .ifPresent(value -> put(resolved, spec.name(), onlyTexts(value, texts, growth)));
            }
        }
        return new Resolution.Resolved(resolved.build());
    }

    // A value of another type than declared does not stand in for the default, as in Tekton, where it fails later.
    private static boolean isLeftOut(ParamSpec spec, List<Param> given) {
        return given.stream()
                .noneMatch(param ->
                        param.name().equals(spec.name()) && param.value().type().equals(spec.effectiveType()));
    }

    private static ParamValue onlyTexts(ParamValue value, Replacements texts, Growth growth) {
        return switch (value) {
            case ParamValue.Array(var items) ->
                new ParamValue.Array(
                        items.stream().map(item -> texts.apply(item, growth)).toList());
            case ParamValue.Keyed _, ParamValue.Text _ -> texts.onlyStrings().apply(value, growth);
        };
    }

    /// The given params alone, for the workspaces of a run.
    public static Replacements givenParams(List<Param> given) {
        return given(given).build();
    }

    private static Replacements.Builder given(List<Param> given) {
        var variables = Replacements.builder();
        given.forEach(param -> put(variables, param.name(), param.value()));
        return variables;
    }

    private static void put(Replacements.Builder variables, String name, ParamValue value) {
        for (var pattern : VariableNames.quoted("params", name)) {
            TaskVariables.putAt(variables, pattern, value);
            if (value instanceof ParamValue.Keyed(var entries)) {
                entries.forEach((key, text) -> variables.put(pattern + "." + key, text));
            }
        }
    }

    private static final class Unresolvable extends RuntimeException {
        private static final long serialVersionUID = 1;

        Unresolvable(String message) {
            super(message, null, false, false);
        }
    }

    /// Follows the references from one default to the next.
    private record Chain(
            Replacements.Builder resolved, Map<String, String> defaults, Set<String> visiting, Growth growth) {

        Chain(Replacements.Builder resolved, Map<String, String> defaults, Growth growth) {
            this(resolved, defaults, new HashSet<>(), growth);
        }

        void resolve(String name, String text, int depth) {
            if (resolved.hasString(name)) {
                return;
            }
            if (!visiting.add(name)) {
                throw new Unresolvable("circular dependency detected in param " + quote(name));
            }
            if (depth > DEEPEST_REFERENCE) {
                throw new Unresolvable(
                        "maximum recursion depth (" + DEEPEST_REFERENCE + ") exceeded for param " + quote(name));
            }
            var values = new HashMap<String, String>();
            for (var reference : VariableNames.in(text)) {
                if (reference.startsWith("params.")) {
                    values.put(reference, value(name, reference, depth));
                }
            }
            resolved.put(name, Replacements.ofStrings(values).apply(text, growth));
            visiting.remove(name);
        }

        private String value(String name, String reference, int depth) {
            if (!resolved.hasString(reference)) {
                var text = defaults.get(reference);
                if (text == null) {
                    throw new Unresolvable("param " + quote(name) + " references undefined param " + quote(reference));
                }
                resolve(reference, text, depth + 1);
            }
            return resolved.string(reference).orElse("");
        }

        private static String quote(String name) {
            return "\"" + name.replace("\"", "\\\"") + "\"";
        }
    }

    public static Replacements context(String pipelineName, String runName, String namespace, String uid) {
        return Replacements.ofStrings(Map.of(
                "context.pipelineRun.name", runName,
                "context.pipeline.name", pipelineName,
                "context.pipelineRun.namespace", namespace,
                "context.pipelineRun.uid", uid));
    }

    public static Replacements workspaces(List<WorkspaceDeclaration> declarations, List<WorkspaceBinding> bindings) {
        var variables = Replacements.builder();
        declarations.forEach(declared -> variables.put("workspaces." + declared.name() + ".bound", "false"));
        bindings.forEach(bound -> variables.put("workspaces." + bound.name() + ".bound", "true"));
        return variables.build();
    }
}

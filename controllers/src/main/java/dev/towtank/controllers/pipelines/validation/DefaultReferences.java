package dev.towtank.controllers.pipelines.validation;

import dev.towtank.controllers.pipelines.api.ParamSpec;
import dev.towtank.controllers.pipelines.api.ParamValue;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// What the defaults of params refer to: params that are there, and never themselves, however far around.
final class DefaultReferences {

    private static final String DOTTED = "$(params.";

    private DefaultReferences() {}

    static Problems of(List<ParamSpec> params) {
        var names = ParamChecks.names(params);
        var problems = Problems.none();
        var settled = new HashSet<String>();
        var waiting = new LinkedHashMap<String, List<String>>();
        for (var param : params) {
            var used = usedBy(param);
            if (used.isEmpty()) {
                settled.add(param.name());
            } else if (names.containsAll(used)) {
                waiting.put(param.name(), used);
            }
            used.stream()
                    .filter(name -> !names.contains(name))
                    .forEach(name -> problems.add(Problems.generic(
                            "param " + GoText.quote(param.name()) + " default value references param "
                                    + GoText.quote(name) + " which is not defined",
                            "params")));
        }
        return problems.add(circular(waiting, settled));
    }

    private static List<String> usedBy(ParamSpec param) {
        return param.defaultValue().orElse(ParamValue.of("")) instanceof ParamValue.Text(var text)
                ? Variables.in(text, "params").expressions().stream()
                        .map(DefaultReferences::name)
                        .toList()
                : List.of();
    }

    // A name in brackets is none for Tekton here, whether there is such a param or not.
    private static String name(String expression) {
        var name = expression.startsWith(DOTTED) ? expression.substring(DOTTED.length()) : expression;
        return name.substring(0, name.length() - 1);
    }

    // Round by round those go whose references are all settled; what is left when none does refers to itself.
    private static Problems circular(Map<String, List<String>> waiting, Set<String> settled) {
        boolean goesOn = true;
        while (goesOn) {
            goesOn = waiting.entrySet()
                    .removeIf(entry -> settled.containsAll(entry.getValue()) && settled.add(entry.getKey()));
        }
        var problems = Problems.none();
        waiting.keySet()
                .forEach(name -> problems.add(Problems.generic(
                        "param " + GoText.quote(name) + " default value has a circular dependency", "params")));
        return problems;
    }
}

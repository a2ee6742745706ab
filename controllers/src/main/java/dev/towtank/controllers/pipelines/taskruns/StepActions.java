package dev.towtank.controllers.pipelines.taskruns;

import dev.towtank.cluster.Plan;
import dev.towtank.controllers.pipelines.api.Param;
import dev.towtank.controllers.pipelines.api.ParamSpec;
import dev.towtank.controllers.pipelines.api.ParamValue;
import dev.towtank.controllers.pipelines.api.Ref;
import dev.towtank.controllers.pipelines.runs.Fetched;
import dev.towtank.controllers.pipelines.runs.ParamChecks;
import dev.towtank.controllers.pipelines.substitution.Growth;
import dev.towtank.controllers.pipelines.substitution.Replacements;
import dev.towtank.controllers.pipelines.substitution.TaskSubstitution;
import dev.towtank.controllers.pipelines.substitution.TaskVariables;
import dev.towtank.model.Json;
import dev.towtank.model.Records;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// Puts step actions in the place of the steps that name them.
///
/// @param given the params of the run
/// @param growth of all steps of the task together
record StepActions(Json.Obj taskSpec, List<Param> given, Growth growth) {

    private static final Pattern STEP_RESULT =
            Pattern.compile("\\$\\((steps\\.[^.()]+\\.results\\.[^.()\\[]+)(\\[\\*])?\\)");
    private static final int MOST_ITEMS = 64;
    private static final List<String> TAKEN = List.of("image", "securityContext", "workingDir");
    private static final List<String> TAKEN_WHEN_THERE =
            List.of("command", "args", "script", "env", "volumeMounts", "results");

    sealed interface Result {
        record Resolved(Json.Obj step, Optional<Json.Obj> source) implements Result {}

        record Waiting(Plan ask) implements Result {}

        record Failed(String message) implements Result {}
    }

    Result resolve(Json.Obj step, Function<Ref, Fetched> actions) {
        var variables = taskVariables();
        var reference = Records.read(Ref.class, step.object("ref"));
        var params = reference.params().stream()
                .map(param -> Param.of(param.name(), variables.apply(param.value())))
                .toList();
        var wanted = new Ref(reference.name(), reference.kind(), reference.apiVersion(), reference.resolver(), params);
        return switch (actions.apply(wanted)) {
            case Fetched.Requested(var ask) -> new Result.Waiting(ask);
            case Fetched.Missing(var message) -> new Result.Failed(message);
            case Fetched.Found found -> merged(step, found);
        };
    }

    private Replacements taskVariables() {
        var declared = specs(taskSpec.objects("params"));
        return TaskVariables.params(declared, given);
    }

    private static List<ParamSpec> specs(List<Json.Obj> params) {
        return params.stream()
                .map(param -> Records.read(ParamSpec.class, param))
                .toList();
    }

    private Result merged(Json.Obj step, Fetched.Found found) {
        var declared = specs(found.spec().objects("params"));
        var params = step.objects("params").stream()
                .map(param -> Records.read(Param.class, param))
                .map(param -> Param.of(param.name(), taskVariables().apply(param.value())))
                .toList();
        var problem = problem(declared, params);
        if (problem.isPresent()) {
            return new Result.Failed(problem.get());
        }
        var variables = TaskVariables.params(declared, params).and(laterValues(declared, params));
        var action = TaskSubstitution.applyToStep(found.spec(), variables, growth);
        var complete = step.without("ref").without("params");
        for (var field : TAKEN) {
            complete = complete.withOrWithout(field, action.get(field));
        }
        for (var field : TAKEN_WHEN_THERE) {
            var value = action.get(field);
            if (value != null && !value.isEmpty()) {
                complete = complete.with(field, value);
            }
        }
        return new Result.Resolved(complete, found.source());
    }

    private static Optional<String> problem(List<ParamSpec> declared, List<Param> params) {
        var missing = new ParamChecks(declared, params).missing();
        if (!missing.isEmpty()) {
            return Optional.of("non-existent params in Step: " + ParamChecks.goList(missing));
        }
        var names = declared.stream().map(ParamSpec::name).collect(Collectors.toSet());
        var extra = params.stream()
                .map(Param::name)
                .filter(name -> !names.contains(name))
                .toList();
        return extra.isEmpty()
                ? Optional.empty()
                : Optional.of("extra params passed by Step to StepAction: " + ParamChecks.goList(extra));
    }

    /// Lists and objects that another step will leave: their parts are named now and filled in while the pod runs.
    private static Replacements laterValues(List<ParamSpec> declared, List<Param> params) {
        var variables = Replacements.builder();
        for (var param : params) {
            var matcher = STEP_RESULT.matcher(param.value().textOrEmpty());
            if (!matcher.matches()) {
                continue;
            }
            var result = matcher.group(1);
            var name = "params." + param.name();
            declared.stream().filter(spec -> spec.name().equals(param.name())).forEach(spec -> {
                if (spec.effectiveType().equals(ParamValue.ARRAY)) {
                    variables.put(name + "[*]", "$(" + result + "[*])");
                    for (int i = 0; i < MOST_ITEMS; i++) {
                        variables.put(name + "[" + i + "]", "$(" + result + "[" + i + "])");
                    }
                }
                spec.properties()
                        .keySet()
                        .forEach(key -> variables.put(name + "." + key, "$(" + result + "." + key + ")"));
            });
        }
        return variables.build();
    }
}

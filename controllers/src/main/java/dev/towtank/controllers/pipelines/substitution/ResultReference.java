package dev.towtank.controllers.pipelines.substitution;

import dev.towtank.controllers.pipelines.api.EmbeddedTask;
import dev.towtank.controllers.pipelines.api.Matrix;
import dev.towtank.controllers.pipelines.api.Param;
import dev.towtank.controllers.pipelines.api.ParamValue;
import dev.towtank.controllers.pipelines.api.PipelineTask;
import dev.towtank.controllers.pipelines.api.When;
import dev.towtank.model.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// `tasks.<task>.results.<result>`, with `[i]`, `[*]` or `.key` behind it: a task uses what another one made.
///
/// @param isFinal whether it begins with `finally`, which only results of a pipeline may
/// @param index empty where there is none, and for `[*]`
/// @param key of an object, otherwise empty
public record ResultReference(
        boolean isFinal, String task, String result, OptionalInt index, boolean isWhole, String key) {

    private static final Pattern INDEX = Pattern.compile("\\[([0-9])*\\*?]");
    private static final int LONGEST_INDEX = 9;

    /// Whether a variable is meant as such a reference, well-formed or not.
    public static boolean looksLike(String variable) {
        var parts = variable.split("\\.", -1);
        return parts.length >= 4
                && (parts[0].equals("tasks") || parts[0].equals("finally"))
                && parts[2].equals("results");
    }

    public static Optional<ResultReference> parse(String variable) {
        if (!looksLike(variable)) {
            return Optional.empty();
        }
        var parts = variable.split("\\.", -1);
        boolean isFinal = parts[0].equals("finally");
        return switch (parts.length) {
            case 4 -> Optional.of(indexed(isFinal, parts[1], parts[3]));
            case 5 ->
                Optional.of(new ResultReference(isFinal, parts[1], parts[3], OptionalInt.empty(), false, parts[4]));
            default -> Optional.empty();
        };
    }

    private static ResultReference indexed(boolean isFinal, String task, String text) {
        var matcher = INDEX.matcher(text);
        var found = matcher.find() ? matcher.group() : "[]";
        var index = found.substring(1, found.length() - 1);
        var name = INDEX.matcher(text).replaceAll("");
        boolean isWhole = index.equals("*");
        return new ResultReference(isFinal, task, name, isWhole ? OptionalInt.empty() : number(index), isWhole, "");
    }

    private static OptionalInt number(String digits) {
        if (digits.isEmpty()) {
            return OptionalInt.empty();
        }
        return OptionalInt.of(digits.length() > LONGEST_INDEX ? Integer.MAX_VALUE : Integer.parseInt(digits));
    }

    /// What a pipeline task uses, in the places that make it wait for the other task.
    public static List<ResultReference> of(PipelineTask task) {
        return variables(task).stream().flatMap(name -> parse(name).stream()).toList();
    }

    /// All variables in those places.
    public static List<String> variables(PipelineTask task) {
        var found = new ArrayList<String>();
        paramsOf(task).forEach(param -> found.addAll(in(param.value())));
        task.when().forEach(when -> found.addAll(in(when)));
        task.taskSpec().ifPresent(spec -> found.addAll(in(spec)));
        return found;
    }

    /// Params, those of a matrix and those that it includes.
    public static List<Param> paramsOf(PipelineTask task) {
        var matrix = task.matrix();
        return Stream.of(
                        task.params().stream(),
                        matrix.stream().flatMap(each -> each.params().stream()),
                        matrix.stream()
                                .flatMap(each -> each.include().stream())
                                .map(Matrix.Include::params)
                                .flatMap(List::stream))
                .flatMap(each -> each)
                .toList();
    }

    public static List<String> in(ParamValue value) {
        return switch (value) {
            case ParamValue.Text(var text) -> VariableNames.in(text);
            case ParamValue.Array(var items) ->
                items.stream().flatMap(item -> VariableNames.in(item).stream()).toList();
            case ParamValue.Keyed(var entries) ->
                entries.keySet().stream()
                        .sorted()
                        .flatMap(key -> VariableNames.in(entries.getOrDefault(key, "")).stream())
                        .toList();
        };
    }

    public static List<String> in(When when) {
        var found = new ArrayList<>(VariableNames.in(when.input()));
        found.addAll(VariableNames.in(when.cel()));
        when.values().forEach(value -> found.addAll(VariableNames.in(value)));
        return found;
    }

    private static List<String> in(EmbeddedTask task) {
        var texts = new ArrayList<String>();
        task.steps().forEach(step -> {
            texts.addAll(List.of(step.name(), step.image(), step.imagePullPolicy(), step.script(), step.workingDir()));
            texts.addAll(step.command());
            texts.addAll(step.args());
            step.env().forEach(env -> environment(env, texts));
        });
        task.sidecars().forEach(sidecar -> {
            texts.addAll(List.of(
                    sidecar.name(),
                    sidecar.image(),
                    sidecar.imagePullPolicy(),
                    sidecar.script(),
                    sidecar.workingDir()));
            texts.addAll(sidecar.command());
            texts.addAll(sidecar.args());
            sidecar.env().forEach(env -> environment(env, texts));
        });
        return texts.stream().flatMap(text -> VariableNames.in(text).stream()).toList();
    }

    private static void environment(Json.Obj env, List<String> texts) {
        texts.add(env.string("value"));
        for (var source : List.of("secretKeyRef", "configMapKeyRef")) {
            texts.add(env.string("valueFrom", source, "key"));
            texts.add(env.string("valueFrom", source, "name"));
        }
    }
}

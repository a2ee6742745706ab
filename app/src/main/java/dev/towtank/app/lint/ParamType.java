package dev.towtank.app.lint;

import dev.towtank.app.lint.finding.Finding;
import dev.towtank.app.lint.finding.Level;
import dev.towtank.app.lint.finding.Rule;
import dev.towtank.app.lint.finding.SourcePlace;
import dev.towtank.app.lint.source.Document;
import dev.towtank.app.lint.source.TektonTree;
import dev.towtank.model.Json;
import dev.towtank.model.Located;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/// What a param of Tekton may be. Nothing converts one into another: a run with the wrong one fails before it starts.
enum ParamType {
    STRING,
    ARRAY,
    OBJECT;

    /// A whole param of the pipeline, handed on: of a list or an object it needs the star.
    private static final Pattern WHOLE =
            Pattern.compile("\\$\\(params(?:\\.([A-Za-z_][\\w-]*)|\\['([^']+)'\\]|\\[\"([^\"]+)\"\\])(\\[\\*])?\\)");
    /// Whatever else may turn out to be a list.
    private static final Pattern STAR = Pattern.compile("^\\$\\([^()]*\\[\\*]\\)$");

    private static final Pattern RESULT = Pattern.compile("^\\$\\(tasks\\.[^()]*\\.results[.\\[][^()]*\\)$");
    /// All of a result: Tekton takes it for what it is, with the star and without.
    private static final Pattern WHOLE_RESULT =
            Pattern.compile("^\\$\\((tasks\\.([\\w-]+)\\.results\\.([\\w-]+))(\\[\\*])?\\)$");

    /// What a value is.
    sealed interface Told {
        record Is(ParamType type) implements Told {}

        /// What a result of a Task is, which may be in another file.
        record AsResult(String task, String result) implements Told {}
    }

    /// @param place of the value
    record Given(String name, Told told, SourcePlace place) {}

    /// What a pipeline has for its tasks.
    ///
    /// @param types of params, and of results of tasks that are written into it
    /// @param tasks to which its other tasks refer, by their names in it
    record Around(Map<String, ParamType> types, Map<String, String> tasks) {
        static final Around NOTHING = new Around(Map.of(), Map.of());

        Around {
            types = Map.copyOf(types);
            tasks = Map.copyOf(tasks);
        }
    }

    /// What is known of the results of Tasks.
    interface Results {
        Optional<Typed> of(Told.AsResult result);
    }

    /// @param isNear whether the Task lies in the same folder as who uses it
    record Typed(ParamType type, boolean isNear) {}

    String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /// Of the params that a Task, Pipeline or StepAction declares.
    static Map<String, ParamType> declared(Located spec) {
        var types = new HashMap<String, ParamType>();
        for (var param : spec.list("params")) {
            typeOf(param).ifPresent(type -> types.put(param.text("name"), type));
        }
        return types;
    }

    static Around within(Located pipeline) {
        var types = new HashMap<>(declared(pipeline));
        var tasks = new HashMap<String, String>();
        for (var task : TektonTree.tasks(pipeline)) {
            results(task.list("taskSpec", "results"))
                    .forEach((name, type) -> types.put("tasks." + task.text("name") + ".results." + name, type));
            var ref = task.at("taskRef");
            if (ref != null && TektonReferences.isOf("Task", ref)) {
                tasks.put(task.text("name"), ref.text("name"));
            }
        }
        return new Around(types, tasks);
    }

    static Map<String, ParamType> results(List<Located> declared) {
        var types = new HashMap<String, ParamType>();
        declared.forEach(result -> types.put(result.text("name"), ofResult(result)));
        return types;
    }

    private static ParamType ofResult(Located result) {
        return switch (result.text("type")) {
            case "array" -> ARRAY;
            case "object" -> OBJECT;
            default -> result.field("properties") == null ? STRING : OBJECT;
        };
    }

    private static Optional<ParamType> typeOf(Located param) {
        var initial = param.at("default");
        return switch (param.text("type")) {
            case "string" -> Optional.of(STRING);
            case "array" -> Optional.of(ARRAY);
            case "object" -> Optional.of(OBJECT);
            case "" -> {
                if (param.field("properties") != null) {
                    yield Optional.of(OBJECT);
                }
                yield initial == null ? Optional.of(STRING) : Optional.of(literal(initial.json()));
            }
            default -> Optional.empty();
        };
    }

    /// Tekton takes a list or a map of anything but texts for one text, which is its JSON.
    private static ParamType literal(Json value) {
        return switch (value) {
            case Json.Arr list when list.items().stream().allMatch(Json.Str.class::isInstance) -> ARRAY;
            case Json.Obj map when map.keys().stream().allMatch(key -> map.get(key) instanceof Json.Str) -> OBJECT;
            default -> STRING;
        };
    }

    /// Of the values that somebody gives, as far as they can be told.
    ///
    /// @param around what the pipeline around it has
    static List<Given> given(Document document, Located user, Around around) {
        var found = new ArrayList<Given>();
        for (var param : user.list("params")) {
            var value = param.at("value");
            if (value != null) {
                told(value.json(), around)
                        .ifPresent(told -> found.add(new Given(param.text("name"), told, document.value(value))));
            }
        }
        return found;
    }

    private static Optional<Told> told(Json value, Around around) {
        if (!(value instanceof Json.Str(var text))) {
            return Optional.of(new Told.Is(literal(value)));
        }
        var whole = WHOLE.matcher(text.strip());
        if (whole.matches()) {
            var name =
                    whole.group(1) != null ? whole.group(1) : whole.group(2) != null ? whole.group(2) : whole.group(3);
            return Optional.ofNullable(around.types.get(name)).map(Told.Is::new);
        }
        var result = WHOLE_RESULT.matcher(text.strip());
        if (result.matches()) {
            return Optional.ofNullable(around.types.get(result.group(1)))
                    .<Told>map(Told.Is::new)
                    .or(() -> Optional.ofNullable(around.tasks.get(result.group(2)))
                            .map(task -> new Told.AsResult(task, result.group(3))));
        }
        // A result may be a list, which the task that has it says.
        return STAR.matcher(text.strip()).matches()
                        || RESULT.matcher(text.strip()).matches()
                        || text.contains("{{")
                ? Optional.empty()
                : Optional.of(new Told.Is(STRING));
    }

    /// What is given as another type than the definition wants.
    static List<Finding> mismatches(Definition definition, List<Given> given, Results results) {
        var found = new ArrayList<Finding>();
        for (var each : given) {
            var wanted = definition.types().get(each.name);
            if (wanted == null) {
                continue;
            }
            var param = "param \"" + each.name + "\" of " + definition.kind() + " \"" + definition.name()
                    + "\" is of type " + wanted.word() + ", and ";
            switch (each.told) {
                case Told.Is(var type)
                when type != wanted ->
                    found.add(mismatch(each, param + "this is of type " + type.word(), advice(wanted, type)));
                case Told.Is _ -> {}
                case Told.AsResult result ->
                    results.of(result).filter(it -> it.type != wanted).ifPresent(it -> {
                        var finding = mismatch(
                                each,
                                param + "result \"" + result.result + "\" of Task \"" + result.task + "\" is of type "
                                        + it.type.word(),
                                "Let one of the two be of the other's type.");
                        found.add(it.isNear ? finding : finding.at(Level.WARNING));
                    });
            }
        }
        return found;
    }

    private static Finding mismatch(Given given, String message, String advice) {
        return Finding.of(Rule.PARAM_TYPE, given.place, message, advice);
    }

    private static String advice(ParamType wanted, ParamType given) {
        return switch (wanted) {
            case ARRAY -> given == STRING ? "Write a list: [\"…\"]." : "Write a list.";
            case OBJECT -> "Write a map of texts: {key: \"…\"}.";
            case STRING -> "Write one text, or declare the param as 'type: " + given.word() + "'.";
        };
    }
}

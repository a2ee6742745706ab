package dev.towtank.app.lint;

import dev.towtank.app.lint.finding.Finding;
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
            Pattern.compile("^\\$\\((tasks\\.[\\w-]+\\.results\\.[\\w-]+)(\\[\\*])?\\)$");

    /// @param place of the value
    record Given(String name, ParamType type, SourcePlace place) {}

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

    /// What a pipeline has for its tasks: params, and results of the tasks that are written into it.
    static Map<String, ParamType> within(Located pipeline) {
        var types = new HashMap<>(declared(pipeline));
        for (var task : TektonTree.tasks(pipeline)) {
            for (var result : task.list("taskSpec", "results")) {
                types.put("tasks." + task.text("name") + ".results." + result.text("name"), ofResult(result));
            }
        }
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
    static List<Given> given(Document document, Located user, Map<String, ParamType> around) {
        var found = new ArrayList<Given>();
        for (var param : user.list("params")) {
            var value = param.at("value");
            if (value != null) {
                type(value.json(), around)
                        .ifPresent(type -> found.add(new Given(param.text("name"), type, document.value(value))));
            }
        }
        return found;
    }

    private static Optional<ParamType> type(Json value, Map<String, ParamType> around) {
        if (!(value instanceof Json.Str(var text))) {
            return Optional.of(literal(value));
        }
        var whole = WHOLE.matcher(text.strip());
        if (whole.matches()) {
            var name =
                    whole.group(1) != null ? whole.group(1) : whole.group(2) != null ? whole.group(2) : whole.group(3);
            return Optional.ofNullable(around.get(name));
        }
        var result = WHOLE_RESULT.matcher(text.strip());
        if (result.matches()) {
            return Optional.ofNullable(around.get(result.group(1)));
        }
        // A result may be a list, which the task that has it says.
        return STAR.matcher(text.strip()).matches()
                        || RESULT.matcher(text.strip()).matches()
                        || text.contains("{{")
                ? Optional.empty()
                : Optional.of(STRING);
    }

    /// What is given as another type than the definition wants.
    static List<Finding> mismatches(Definition definition, List<Given> given) {
        var found = new ArrayList<Finding>();
        for (var each : given) {
            var wanted = definition.types().get(each.name);
            if (wanted != null && wanted != each.type) {
                found.add(Finding.of(
                        Rule.PARAM_TYPE,
                        each.place,
                        "param \"" + each.name + "\" of " + definition.kind() + " \"" + definition.name()
                                + "\" is of type " + wanted.word() + ", and this is of type " + each.type.word(),
                        advice(wanted, each.type)));
            }
        }
        return found;
    }

    private static String advice(ParamType wanted, ParamType given) {
        return switch (wanted) {
            case ARRAY -> given == STRING ? "Write a list: [\"…\"]." : "Write a list.";
            case OBJECT -> "Write a map of texts: {key: \"…\"}.";
            case STRING -> "Write one text, or declare the param as 'type: " + given.word() + "'.";
        };
    }
}

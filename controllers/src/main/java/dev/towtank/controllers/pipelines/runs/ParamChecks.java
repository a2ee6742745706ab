package dev.towtank.controllers.pipelines.runs;

import dev.towtank.controllers.pipelines.api.Param;
import dev.towtank.controllers.pipelines.api.ParamSpec;
import dev.towtank.controllers.pipelines.api.ParamValue;
import dev.towtank.model.Json;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// Whether the params that are given fit those that are declared, with Tekton's words for what does not.
public record ParamChecks(List<ParamSpec> declared, List<Param> given) {

    private static final Pattern INDEXED =
            Pattern.compile("\\$\\(params(?:\\.([^\\[\\]()\"']+)|\\['([^']+)']|\\[\"([^\"]+)\"])\\[([0-9]+)]\\)");
    private static final Pattern VARIABLE = Pattern.compile("\\$\\([_a-zA-Z0-9.-]+(\\[([0-9]+|\\*)])?\\)");

    /// Those without a value; none is an error.
    public List<String> missing() {
        var names = given.stream().map(Param::name).collect(Collectors.toSet());
        return declared.stream()
                .filter(spec -> spec.defaultValue().isEmpty() && !names.contains(spec.name()))
                .map(ParamSpec::name)
                .toList();
    }

    /// Those of another type. A text that is a variable may still become a list or an object.
    public List<String> wrongTypes() {
        var types = types();
        return given.stream()
                .filter(param -> types.containsKey(param.name()))
                .filter(param -> !param.value().type().equals(types.get(param.name())))
                .filter(param -> !(param.value() instanceof ParamValue.Text(var text)
                        && VARIABLE.matcher(text).find()))
                .map(Param::name)
                .toList();
    }

    private Map<String, String> types() {
        var types = new LinkedHashMap<String, String>();
        declared.forEach(spec -> types.put(spec.name(), spec.effectiveType()));
        return types;
    }

    /// Keys of objects that neither the value nor the default has.
    public Map<String, List<String>> missingKeys() {
        var missing = new TreeMap<String, List<String>>();
        for (var spec : declared) {
            if (!spec.effectiveType().equals(ParamValue.OBJECT)) {
                continue;
            }
            var provided = new HashSet<String>();
            var any = new ArrayList<ParamValue>();
            spec.defaultValue().ifPresent(any::add);
            given.stream().filter(param -> param.name().equals(spec.name())).forEach(param -> any.add(param.value()));
            var isKeyed = false;
            for (var value : any) {
                if (value instanceof ParamValue.Keyed(var entries)) {
                    provided.addAll(entries.keySet());
                    isKeyed = true;
                }
            }
            var absent = spec.properties().keySet().stream()
                    .filter(key -> !provided.contains(key))
                    .sorted()
                    .toList();
            if (isKeyed && !absent.isEmpty()) {
                missing.put(spec.name(), absent);
            }
        }
        return missing;
    }

    /// A value that is not among those allowed.
    public Optional<String> enumProblem() {
        for (var param : given) {
            if (param.value() instanceof ParamValue.Text(var text) && !text.isEmpty()) {
                var refused = declared.stream()
                        .filter(spec -> spec.name().equals(param.name())
                                && !spec.allowed().isEmpty())
                        .anyMatch(spec -> !spec.allowed().contains(text));
                if (refused) {
                    return Optional.of("param `%s` value: %s is not in the enum list".formatted(param.name(), text));
                }
            }
        }
        return Optional.empty();
    }

    /// References in a spec to items that its arrays do not have.
    public Optional<String> indexProblem(Json.Obj spec) {
        var sizes = new LinkedHashMap<String, Integer>();
        declared.forEach(param -> param.defaultValue().ifPresent(value -> size(sizes, param.name(), value)));
        given.forEach(param -> size(sizes, param.name(), param.value()));
        var wrong = new LinkedHashSet<String>();
        var matcher = INDEXED.matcher(texts(spec));
        while (matcher.find()) {
            var name = matcher.group(1) != null
                    ? matcher.group(1)
                    : matcher.group(2) != null ? matcher.group(2) : String.valueOf(matcher.group(3));
            var size = sizes.get(name);
            if (size != null && (matcher.group(4).length() > 9 || Integer.parseInt(matcher.group(4)) >= size)) {
                wrong.add(matcher.group());
            }
        }
        return wrong.isEmpty()
                ? Optional.empty()
                : Optional.of("non-existent param references:" + goList(List.copyOf(wrong)));
    }

    private static void size(Map<String, Integer> sizes, String name, ParamValue value) {
        if (value instanceof ParamValue.Array(var items)) {
            sizes.put(name, items.size());
        }
    }

    private static String texts(Json json) {
        return switch (json) {
            case Json.Str(var text) -> text + "\n";
            case Json.Arr list -> list.items().stream().map(ParamChecks::texts).collect(Collectors.joining());
            case Json.Obj object -> {
                var all = new StringBuilder();
                object.forEach((_, value) -> all.append(texts(value)));
                yield all.toString();
            }
            case Json.Null _, Json.Bool _, Json.Int _, Json.Real _ -> "";
        };
    }

    /// As Go prints a list.
    public static String goList(List<String> items) {
        return "[" + String.join(" ", items) + "]";
    }

    /// As Go prints a map of lists.
    public static String goMap(Map<String, List<String>> map) {
        return new TreeMap<>(map)
                .entrySet().stream()
                        .map(entry -> entry.getKey() + ":" + goList(entry.getValue()))
                        .collect(Collectors.joining(" ", "map[", "]"));
    }

    /// What keeps a task from taking these params.
    public Optional<String> taskProblem(String task) {
        var prefix = "invalid input params for task " + task + ": ";
        if (!missing().isEmpty()) {
            return Optional.of(
                    prefix + "missing values for these params which have no default values: " + goList(missing()));
        }
        if (!wrongTypes().isEmpty()) {
            return Optional.of(prefix + "param types don't match the user-specified type: " + goList(wrongTypes()));
        }
        return missingKeys().isEmpty()
                ? Optional.empty()
                : Optional.of(prefix + "missing keys for these params which are required in ParamSpec's properties "
                        + goMap(missingKeys()));
    }
}

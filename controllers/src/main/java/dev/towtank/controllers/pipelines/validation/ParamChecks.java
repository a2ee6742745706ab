package dev.towtank.controllers.pipelines.validation;

import dev.towtank.controllers.pipelines.api.Param;
import dev.towtank.controllers.pipelines.api.ParamSpec;
import dev.towtank.controllers.pipelines.api.ParamValue;
import dev.towtank.controllers.pipelines.api.PropertySpec;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// Checks of declared and given params.
final class ParamChecks {

    private static final Pattern NAME = Pattern.compile("[_a-zA-Z][_a-zA-Z0-9.-]*");
    private static final Pattern OBJECT_NAME = Pattern.compile("[_a-zA-Z][_a-zA-Z0-9-]*");
    private static final Set<String> TYPES = Set.of(ParamValue.STRING, ParamValue.ARRAY, ParamValue.OBJECT);

    private ParamChecks() {}

    static Set<String> names(List<ParamSpec> params) {
        return params.stream().map(ParamSpec::name).collect(Collectors.toSet());
    }

    static Set<String> namesOf(String type, List<ParamSpec> params) {
        return names(ofType(type, params));
    }

    static List<ParamSpec> ofType(String type, List<ParamSpec> params) {
        return params.stream().filter(param -> param.type().equals(type)).toList();
    }

    static Problems types(List<ParamSpec> params) {
        var problems = Problems.none();
        params.forEach(param -> problems.add(type(param)));
        return problems;
    }

    private static Problems type(ParamSpec param) {
        if (!TYPES.contains(param.type())) {
            return Problems.invalid(param.type(), param.name() + ".type");
        }
        var given = param.defaultValue().map(ParamValue::type).orElse(param.type());
        if (!given.equals(param.type())) {
            return Problems.generic(
                    "\"" + param.type() + "\" type does not match default value's type: \"" + given + "\"",
                    param.name() + ".type",
                    param.name() + ".default.type");
        }
        return properties(param.name(), param.properties(), "The value type specified for these keys %s is invalid");
    }

    static Problems properties(String name, Map<String, PropertySpec> properties, String message) {
        var wrong = new TreeSet<String>();
        properties.forEach((key, property) -> {
            if (!property.type().equals(ParamValue.STRING)) {
                wrong.add(key);
            }
        });
        return wrong.isEmpty()
                ? Problems.none()
                : Problems.generic(message.formatted(GoText.list(wrong)), name + ".properties");
    }

    /// Names, enums, and arrays that are used where only one text can stand.
    static Problems declarations(List<ParamSpec> params, List<StepUsage> steps, AllowedFeatures gate) {
        var problems = unique(params).add(enums(params, gate).via("params")).add(nameFormats(params));
        return problems.add(StepUsage.arrays(steps, namesOf(ParamValue.ARRAY, params)));
    }

    static Problems unique(List<ParamSpec> params) {
        var problems = Problems.none();
        repeated(params.stream().map(ParamSpec::name).toList())
                .forEach(name -> problems.add(
                        Problems.generic("parameter appears more than once", "").viaFieldKey("params", name)));
        return problems;
    }

    private static Set<String> repeated(List<String> names) {
        var seen = new HashSet<String>();
        return names.stream().filter(name -> !seen.add(name)).collect(Collectors.toCollection(TreeSet::new));
    }

    static Problems enums(List<ParamSpec> params, AllowedFeatures gate) {
        var problems = Problems.none();
        for (var param : params) {
            if (!param.allowed().isEmpty()) {
                problems.add(allowed(param, gate).viaKey(param.name()));
            }
        }
        return problems;
    }

    private static Problems allowed(ParamSpec param, AllowedFeatures gate) {
        var problems = Problems.none()
                .addIf(
                        !gate.flags().enableParamEnum(),
                        "feature flag `enable-param-enum` should be set to true to use Enum",
                        "")
                .addIf(!param.type().equals(ParamValue.STRING), "enum can only be set with string type param", "");
        repeated(param.allowed())
                .forEach(value -> problems.add(
                        Problems.generic("parameter enum value " + value + " appears more than once", "")));
        var otherwise = param.defaultValue().map(ParamValue::textOrEmpty).orElse("");
        return problems.addIf(
                !otherwise.isEmpty() && !param.allowed().contains(otherwise),
                "param default value " + otherwise + " not in the enum list",
                "");
    }

    static Problems nameFormats(List<ParamSpec> params) {
        var problems = Problems.none();
        var wrong = params.stream()
                .filter(param -> !param.type().equals(ParamValue.OBJECT))
                .map(ParamSpec::name)
                .filter(name -> !NAME.matcher(name).matches())
                .collect(Collectors.toCollection(TreeSet::new));
        if (!wrong.isEmpty()) {
            problems.add(Problems.of(
                    "The format of following array and string variable names is invalid: " + GoText.list(wrong),
                    "String/Array Names: \nMust only contain alphanumeric characters, hyphens (-), underscores (_), and"
                            + " dots (.)\nMust begin with a letter or an underscore (_)",
                    "params"));
        }
        var wrongObjects = new TreeMap<String, List<String>>();
        ofType(ParamValue.OBJECT, params).forEach(param -> wrongKeys(param, wrongObjects));
        if (!wrongObjects.isEmpty()) {
            problems.add(Problems.of(
                    "Object param name and key name format is invalid: " + GoText.map(wrongObjects),
                    "Object Names: \nMust only contain alphanumeric characters, hyphens (-), underscores (_) \nMust begin"
                            + " with a letter or an underscore (_)",
                    "params"));
        }
        return problems;
    }

    private static void wrongKeys(ParamSpec param, Map<String, List<String>> wrong) {
        if (!OBJECT_NAME.matcher(param.name()).matches()) {
            wrong.put(param.name(), new ArrayList<>());
        }
        param.properties().keySet().stream()
                .sorted()
                .filter(key -> !OBJECT_NAME.matcher(key).matches())
                .forEach(key -> wrong.computeIfAbsent(param.name(), _ -> new ArrayList<>())
                        .add(key));
    }

    /// That every variable of the steps is declared, and objects are used by their keys.
    static Problems usage(List<ParamSpec> params, List<StepUsage> steps) {
        var problems = StepUsage.unknown(steps, "params", names(params));
        var objects = ofType(ParamValue.OBJECT, params);
        for (var object : objects) {
            problems.add(StepUsage.unknown(
                    steps, "params\\." + object.name(), object.properties().keySet()));
        }
        problems.add(StepUsage.wholeObjects(steps, names(objects)));
        return problems.add(objectsHaveProperties(params));
    }

    static Problems objectsHaveProperties(List<ParamSpec> params) {
        var problems = Problems.none();
        ofType(ParamValue.OBJECT, params).stream()
                .filter(param -> param.properties().isEmpty())
                .forEach(param -> problems.add(Problems.missing(param.name() + ".properties")));
        return problems;
    }

    /// Names of what is given; they differ in more than case.
    static Problems given(List<Param> params) {
        return distinct(
                params.stream().map(Param::name).toList(),
                index -> "[" + params.get(index).name() + "]");
    }

    static Problems distinctByIndex(List<String> names) {
        return distinct(names, index -> "[" + index + "]");
    }

    private static Problems distinct(List<String> names, Function<Integer, String> place) {
        var problems = Problems.none();
        var seen = new HashSet<String>();
        for (int i = 0; i < names.size(); i++) {
            if (!seen.add(names.get(i).toLowerCase(Locale.ROOT))) {
                problems.add(Problems.multipleOneOf("name").via(place.apply(i)));
            }
        }
        return problems;
    }

    /// Params of a pipeline task.
    static Problems ofTask(List<Param> params) {
        var problems = Problems.none();
        var seen = new HashSet<String>();
        for (int i = 0; i < params.size(); i++) {
            var name = params.get(i).name();
            problems.addIf(
                    !seen.add(name),
                    "parameter names must be unique, the parameter \"" + name + "\" is also defined at",
                    "[" + i + "].name");
        }
        return problems;
    }
}

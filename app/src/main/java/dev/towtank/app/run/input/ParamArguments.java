package dev.towtank.app.run.input;

import dev.towtank.controllers.pipelines.api.Param;
import dev.towtank.controllers.pipelines.api.ParamSpec;
import dev.towtank.controllers.pipelines.api.ParamValue;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/// Params from the command line, in the types that the pipeline or task declares.
final class ParamArguments {

    private final Optional<List<ParamSpec>> declared;
    private final List<String> problems = new ArrayList<>();

    /// @param declared empty where nobody knows yet, as with a pipeline that is fetched from elsewhere
    ParamArguments(Optional<List<ParamSpec>> declared) {
        this.declared = declared;
    }

    /// The given params over those that the run has already.
    ///
    /// @throws BadInput what is unknown, given twice, missing or of the wrong form
    List<Param> merge(List<Param> ofRun, List<String> arguments) {
        var given = split(arguments);
        var merged = new LinkedHashMap<String, Param>();
        ofRun.forEach(param -> merged.put(param.name(), param));
        given.forEach((name, text) -> {
            var spec = spec(name);
            if (declared.isPresent() && spec.isEmpty()) {
                problems.add("--param " + name + ": there is no such param. " + choices());
            } else {
                value(name, text, spec).ifPresent(value -> merged.put(name, Param.of(name, value)));
            }
        });
        for (var spec : declared.orElse(List.of())) {
            if (spec.rawDefault().isEmpty() && !merged.containsKey(spec.name()) && !given.containsKey(spec.name())) {
                problems.add("param " + spec.name() + " has no value: give one with --param " + spec.name() + "="
                        + example(spec) + (spec.description().isBlank() ? "" : "  (" + firstLine(spec) + ")"));
            }
        }
        if (!problems.isEmpty()) {
            throw new BadInput(problems);
        }
        return List.copyOf(merged.values());
    }

    private static String firstLine(ParamSpec spec) {
        return spec.description().strip().lines().findFirst().orElse("");
    }

    private static String example(ParamSpec spec) {
        return switch (spec.effectiveType()) {
            case ParamValue.ARRAY -> "VALUE,VALUE";
            case ParamValue.OBJECT -> "KEY:VALUE,KEY:VALUE";
            default -> "VALUE";
        };
    }

    private Map<String, String> split(List<String> arguments) {
        var given = new LinkedHashMap<String, String>();
        for (var argument : arguments) {
            int equals = argument.indexOf('=');
            if (equals <= 0) {
                problems.add("--param " + argument + ": expected name=value");
            } else if (given.put(argument.substring(0, equals), argument.substring(equals + 1)) != null) {
                problems.add("--param " + argument.substring(0, equals) + " is given twice: give it once");
            }
        }
        return given;
    }

    private Optional<ParamSpec> spec(String name) {
        return declared.orElse(List.of()).stream()
                .filter(spec -> spec.name().equals(name))
                .findFirst();
    }

    private String choices() {
        var names = declared.orElse(List.of()).stream().map(ParamSpec::name).collect(Collectors.joining(", "));
        return names.isEmpty() ? "There are no params at all." : "There are: " + names + ".";
    }

    private Optional<ParamValue> value(String name, String text, Optional<ParamSpec> spec) {
        var type = spec.map(ParamSpec::effectiveType).orElse(ParamValue.STRING);
        if (type.equals(ParamValue.STRING)) {
            return Optional.of(ParamValue.of(text));
        }
        boolean isArray = type.equals(ParamValue.ARRAY);
        if (text.startsWith(isArray ? "[" : "{")) {
            return json(name, text, isArray);
        }
        if (isArray) {
            return Optional.of(new ParamValue.Array(text.isEmpty() ? List.of() : List.of(text.split(",", -1))));
        }
        var entries = new LinkedHashMap<String, String>();
        for (var entry : text.split(",", -1)) {
            int colon = entry.indexOf(':');
            if (colon <= 0) {
                problems.add("--param " + name + ": \"" + entry + "\" is no KEY:VALUE, and the param is an object");
                return Optional.empty();
            }
            entries.put(entry.substring(0, colon), entry.substring(colon + 1));
        }
        return Optional.of(new ParamValue.Keyed(entries));
    }

    private Optional<ParamValue> json(String name, String text, boolean isArray) {
        try {
            var value = ParamValue.read(JsonText.parse(text));
            if (isArray ? value instanceof ParamValue.Array : value instanceof ParamValue.Keyed) {
                return Optional.of(value);
            }
        } catch (JsonText.Malformed e) {
            // said below
        }
        problems.add("--param " + name + ": the value is no JSON " + (isArray ? "list" : "object") + " of strings");
        return Optional.empty();
    }

    static List<Param> read(Json.Obj spec) {
        return spec.objects("params").stream()
                .map(param -> new Param(
                        param.string("name"),
                        Optional.ofNullable(param.get("value")).orElse(Json.Null.NULL)))
                .toList();
    }
}

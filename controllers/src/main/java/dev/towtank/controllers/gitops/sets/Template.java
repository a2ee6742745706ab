package dev.towtank.controllers.gitops.sets;

import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.YamlText;
import dev.towtank.model.template.Functions;
import dev.towtank.model.template.GoTemplate;
import dev.towtank.model.template.TemplateError;
import dev.towtank.model.template.TemplateSettings;
import dev.towtank.model.template.Values;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Fills in parameters: wherever a text is, in a tree.
///
/// @param isGo whether texts are Go templates; otherwise `{{ name }}` stands for a parameter, and what is none stays
/// @param missing what a Go template makes of a parameter that there is not
record Template(boolean isGo, TemplateSettings.MissingKey missing, Functions functions) {

    private static final Pattern TAG = Pattern.compile("\\{\\{\\s*([^{}]*?)\\s*}}");

    static Template of(Json.Obj spec, Functions functions) {
        var missing = TemplateSettings.MissingKey.INVALID;
        for (var option : spec.array("goTemplateOptions").strings()) {
            missing = switch (option) {
                case "missingkey=error" -> TemplateSettings.MissingKey.ERROR;
                case "missingkey=zero" -> TemplateSettings.MissingKey.ZERO;
                case "missingkey=default", "missingkey=invalid" -> TemplateSettings.MissingKey.INVALID;
                default -> throw new SetError("spec.goTemplateOptions: there is no option " + option);
            };
        }
        return new Template(spec.flag("goTemplate"), missing, functions);
    }

    Json.Obj fill(Json.Obj tree, Json.Obj params) {
        return (Json.Obj) filled(tree, params, isGo ? Map.of() : flat(params));
    }

    String fill(String text, Json.Obj params) {
        return filled(text, params, isGo ? Map.of() : flat(params));
    }

    private Json filled(Json tree, Json.Obj params, Map<String, String> flat) {
        return switch (tree) {
            case Json.Str(var text) -> Json.of(filled(text, params, flat));
            case Json.Arr list -> list.map(item -> filled(item, params, flat));
            case Json.Obj object -> {
                var builder = Json.Obj.builder();
                object.forEach((key, value) -> builder.put(filled(key, params, flat), filled(value, params, flat)));
                yield builder.build();
            }
            case Json other -> other;
        };
    }

    private String filled(String text, Json.Obj params, Map<String, String> flat) {
        if (!text.contains("{{")) {
            return text;
        }
        if (!isGo) {
            return TAG.matcher(text)
                    .replaceAll(tag -> Matcher.quoteReplacement(flat.getOrDefault(tag.group(1), tag.group())));
        }
        try {
            return GoTemplate.parse("", text, functions)
                    .execute(Values.mapOf(params), TemplateSettings.of(functions, missing));
        } catch (TemplateError e) {
            throw new SetError("failed to execute go template " + text + ": " + e.text());
        }
    }

    /// `{a: {b: 1}}` as `a.b`, as templates of the old kind name it.
    static Map<String, String> flat(Json.Obj params) {
        var flat = new TreeMap<String, String>();
        params.forEach((key, value) -> flatten(key, value, flat));
        // A git generator's path itself is called by the name of what it is in.
        new TreeMap<>(flat).forEach((key, value) -> {
            if (key.equals("path.path") || key.endsWith(".path.path")) {
                flat.put(key.substring(0, key.length() - ".path".length()), value);
            } else if (key.contains("path.segments[")) {
                flat.put(key.replace("path.segments[", "path["), value);
            }
        });
        return flat;
    }

    private static void flatten(String key, Json value, Map<String, String> flat) {
        switch (value) {
            case Json.Obj object -> object.forEach((name, inner) -> flatten(key + "." + name, inner, flat));
            case Json.Arr(var items) -> {
                for (int i = 0; i < items.size(); i++) {
                    flatten(key + "[" + i + "]", items.get(i), flat);
                }
            }
            case Json.Null _ -> {}
            case Json scalar -> flat.put(key, scalar.display());
        }
    }

    /// One tree over another: what the upper one says counts, lists as a whole.
    static Json.Obj merged(Json.Obj lower, Json.Obj upper) {
        var result = lower.toBuilder();
        upper.forEach((key, value) -> {
            if (value instanceof Json.Obj object && lower.get(key) instanceof Json.Obj below) {
                result.put(key, merged(below, object));
            } else if (!value.isEmpty()) {
                result.put(key, value);
            }
        });
        return result.build();
    }

    static List<Json> documents(String where, String text) {
        try {
            return YamlText.parseAll(text.getBytes(StandardCharsets.UTF_8));
        } catch (JsonText.Malformed e) {
            throw new SetError(where + " cannot be read: " + e.getMessage());
        }
    }
}

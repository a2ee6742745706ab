package dev.towtank.model.template.functions;

import static dev.towtank.model.template.GoType.ANY;
import static dev.towtank.model.template.GoType.STRING;

import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.YamlText;
import dev.towtank.model.template.Arguments;
import dev.towtank.model.template.FunctionError;
import dev.towtank.model.template.Functions;
import dev.towtank.model.template.GoText;
import dev.towtank.model.template.TemplateError;
import dev.towtank.model.template.Values;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The functions that Helm has beyond Sprig's.
public final class HelmFunctions {
    /// What `required` and `fail` put around their words, by which Helm finds them again.
    public static final String WARNING_START = "HELM_ERR_START";

    public static final String WARNING_END = "HELM_ERR_END";

    /// What Helm calls the templates of a chart together, and those of `tpl`.
    public static final String ALL_TOGETHER = "gotpl";

    private static final Functions DATA = Functions.builder()
            .add("toYaml", HelmFunctions::toYaml, ANY)
            .add("toYamlPretty", HelmFunctions::toYamlPretty, ANY)
            .add("fromYaml", HelmFunctions::fromYaml, STRING)
            .add("fromYamlArray", HelmFunctions::fromYamlArray, STRING)
            .add("fromJson", HelmFunctions::fromJson, STRING)
            .add("fromJsonArray", HelmFunctions::fromJsonArray, STRING)
            .add("toToml", call -> Toml.write(call.any(0), call.render().meter()), ANY)
            .add("fromToml", HelmFunctions::fromToml, STRING)
            .build();

    private static final Functions TEMPLATES = Functions.builder()
            .add("include", call -> call.render().execute(call.string(0), call.any(1)), STRING, ANY)
            .add("tpl", HelmFunctions::template, STRING, ANY)
            .add("required", HelmFunctions::required, STRING, ANY)
            .add("fail", call -> warn(call.string(0)), STRING)
            .add("lookup", _ -> new TreeMap<String, @Nullable Object>(), STRING, STRING, STRING, STRING)
            .add("getHostByName", _ -> "", STRING)
            .build();

    private HelmFunctions() {}

    /// YAML to and from data, which External Secrets and application sets have as well.
    static Functions yaml() {
        return DATA.without("fromJson", "fromJsonArray", "toToml", "fromToml", "toYamlPretty");
    }

    /// All that a chart may call.
    public static Functions chart(Ambient ambient) {
        return Sprig.functions(ambient).and(DATA).and(TEMPLATES);
    }

    private static Object toYaml(Arguments call) {
        var text = Documents.yaml(call.any(0), call.render().meter());
        return text.endsWith("\n") ? text.substring(0, text.length() - 1) : text;
    }

    private static Object toYamlPretty(Arguments call) {
        var text = PrettyYaml.write(Documents.json(call.any(0), call.render().meter()));
        return text.endsWith("\n") ? text.substring(0, text.length() - 1) : text;
    }

    // A mistake is told in the result, so that a template can ask for it.
    private static Object fromYaml(Arguments call) {
        return map(call, "error unmarshaling JSON: while decoding JSON: ", HelmFunctions::yaml);
    }

    private static Object fromJson(Arguments call) {
        return map(call, "", JsonText::parse);
    }

    private static Object fromYamlArray(Arguments call) {
        return list(call, "error unmarshaling JSON: while decoding JSON: ", HelmFunctions::yaml);
    }

    private static Object fromJsonArray(Arguments call) {
        return list(call, "", JsonText::parse);
    }

    private static Object fromToml(Arguments call) {
        try {
            return TomlReader.read(call.string(0), call.render().meter());
        } catch (TomlReader.Malformed e) {
            var map = new TreeMap<String, @Nullable Object>();
            map.put("Error", String.valueOf(e.getMessage()));
            return map;
        }
    }

    // Of a key that stands twice the last one counts.
    private static Json yaml(String text) {
        return YamlText.parse(GoText.bytes(text), _ -> {});
    }

    private interface Parse {
        Json parse(String text);
    }

    private static Object map(Arguments call, String before, Parse parse) {
        var map = new TreeMap<String, @Nullable Object>();
        try {
            switch (parse.parse(call.string(0))) {
                case Json.Obj object -> map.putAll(Values.mapOf(object));
                case Json.Null _ -> {}
                case Json other -> map.put("Error", before + unmarshal(other) + "map[string]interface {}");
            }
        } catch (JsonText.Malformed e) {
            map.put("Error", String.valueOf(e.getMessage()));
        }
        return map;
    }

    private static Object list(Arguments call, String before, Parse parse) {
        try {
            return switch (parse.parse(call.string(0))) {
                case Json.Arr list -> {
                    var items = new ArrayList<@Nullable Object>();
                    list.items().forEach(item -> items.add(Values.of(item)));
                    yield items;
                }
                case Json.Null _ -> new ArrayList<>();
                case Json other -> new ArrayList<>(List.of(before + unmarshal(other) + "[]interface {}"));
            };
        } catch (JsonText.Malformed e) {
            return new ArrayList<>(List.of(String.valueOf(e.getMessage())));
        }
    }

    private static String unmarshal(Json json) {
        var what = switch (json) {
            case Json.Arr _ -> "array";
            case Json.Obj _ -> "object";
            case Json.Str _ -> "string";
            case Json.Bool _ -> "bool";
            case Json.Int _, Json.Real _, Json.Null _ -> "number";
        };
        return "json: cannot unmarshal " + what + " into Go value of type ";
    }

    private static Object template(Arguments call) {
        var text = call.string(0);
        try {
            return call.render()
                    .executeText(
                            ALL_TOGETHER,
                            text,
                            call.any(1),
                            problem ->
                                    new FunctionError("cannot parse template " + GoText.quote(text) + ": " + problem))
                    .replace("<no value>", "");
        } catch (TemplateError e) {
            if (e.isExhausted()) {
                throw e;
            }
            throw new FunctionError("error during tpl function execution for " + GoText.quote(text) + ": " + e.text());
        }
    }

    private static @Nullable Object required(Arguments call) {
        var value = call.any(1);
        return value == null || value.equals("") ? warn(call.string(0)) : value;
    }

    private static Object warn(String message) {
        throw new FunctionError(WARNING_START + message + WARNING_END);
    }
}

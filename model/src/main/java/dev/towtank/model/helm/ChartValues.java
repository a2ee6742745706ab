package dev.towtank.model.helm;

import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.template.Values;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// What a chart says about its values, for those who choose some of them before anything is rendered.
///
/// @param defaults the content of `values.yaml`, and what others have put over it
/// @param schema of its values; empty where it has none
public record ChartValues(Map<String, @Nullable Object> defaults, Json.Obj schema) {

    /// In a schema: why a value is accepted and has no effect.
    private static final String IGNORED = "x-towtank-ignored";

    /// @param value a whole number, `true`, `false` or `null` is what it looks like, unless the schema wants a text
    public record Parameter(String name, String value) {}

    /// @throws HelmError one of them cannot be read
    public static ChartValues of(String values, String schema) {
        try {
            var known = schema.isBlank() ? Json.Obj.EMPTY : JsonText.parseObject(schema);
            return new ChartValues(new TreeMap<>(), known).over("values.yaml", values);
        } catch (JsonText.Malformed e) {
            throw new HelmError("values.schema.json cannot be read: " + e.getMessage());
        }
    }

    /// With the values of a file over them.
    public ChartValues over(String file, String text) {
        var all = ValueTables.copy(defaults);
        ValueFiles.override(all, file, text.getBytes(StandardCharsets.UTF_8));
        return new ChartValues(all, schema);
    }

    public ChartValues over(Json.Obj values) {
        var all = ValueTables.copy(defaults);
        ValueTables.override(all, Values.mapOf(values));
        return new ChartValues(all, schema);
    }

    /// What the schema has against these, such as `at '/replicas': got string, want integer`; later ones count more.
    public List<String> problems(List<Parameter> parameters) {
        var all = ValueTables.copy(defaults);
        try {
            for (var each : parameters) {
                var text = each.name() + "=" + each.value().replace(",", "\\,");
                if (isText(each.name())) {
                    SetValues.setString(text, all);
                } else {
                    SetValues.set(text, all);
                }
            }
            return schema.size() == 0 ? List.of() : JsonSchema.validate(schema, ValueTables.json(all));
        } catch (HelmError e) {
            return List.of(e.text());
        }
    }

    /// Whether the chart has ever heard of a parameter.
    public boolean knows(String name) {
        var first = name.split("[.\\[]", 2)[0];
        return defaults.containsKey(first) || schema.object("properties").has(first);
    }

    /// Why a parameter has no effect; empty where it has one.
    public String ignored(String name) {
        return property(name).string(IGNORED);
    }

    /// Whether a value is a text whatever it looks like: a version 4 is no number.
    public boolean isText(String name) {
        return property(name).string("type").equals("string");
    }

    private Json.Obj property(String name) {
        var here = schema;
        for (var part : name.split("\\.", -1)) {
            here = here.object("properties", part);
        }
        return here;
    }
}

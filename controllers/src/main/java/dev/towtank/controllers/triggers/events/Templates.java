package dev.towtank.controllers.triggers.events;

import dev.towtank.controllers.triggers.events.EventRefusal.Code;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/// From an event to objects: the values of parameters, and templates with these values in them.
public final class Templates {

    /// On a TriggerTemplate: quotes in values are escaped once more, as they were long ago.
    public static final String OLD_ESCAPE = "triggers.tekton.dev/old-escape-quotes";

    /// An object larger than this would not be stored either.
    private static final int LARGEST = 8 << 20;

    private static final Pattern VARIABLE = Pattern.compile("\\$\\((?:tt\\.params\\.([^()]+)|uid)\\)");

    private Templates() {}

    /// The values of all parameters by name: those of the bindings, and the defaults of the template where there is
    /// none.
    ///
    /// @param bindings name and value of each
    /// @param template its spec
    public static Map<String, String> params(List<Json.Obj> bindings, Json.Obj template, Event event)
            throws EventRefusal {
        var values = new LinkedHashMap<String, String>();
        for (var param : template.objects("params")) {
            if (param.get("default") instanceof Json.Str(var text)) {
                values.put(param.string("name"), text);
            }
        }
        var defaults = Map.copyOf(values);
        Json.Obj readable;
        try {
            readable = event.readable();
        } catch (JsonText.Malformed e) {
            throw new EventRefusal(Code.INVALID_ARGUMENT, "failed to unmarshal request body: " + e.getMessage());
        }
        for (var binding : bindings) {
            values.put(binding.string("name"), filled(binding, defaults, readable));
        }
        return values;
    }

    private static String filled(Json.Obj binding, Map<String, String> defaults, Json.Obj event) throws EventRefusal {
        var name = binding.string("name");
        var written = binding.string("value");
        var value = written;
        for (var expression : new LinkedHashSet<>(BindingExpressions.in(written))) {
            String found;
            try {
                found = BindingExpressions.value(event, expression);
            } catch (EventRefusal e) {
                var fallback = defaults.get(name);
                if (fallback == null) {
                    throw new EventRefusal(
                            e.code(),
                            "failed to replace JSONPath value for param " + name + ": " + written + ": " + e.text());
                }
                found = fallback;
            }
            value = bounded(value.replace("$(" + expression + ")", found));
        }
        return value;
    }

    /// The objects of a template.
    ///
    /// @param uid what `$(uid)` stands for in all of them
    public static List<Json.Obj> objects(Json.Obj template, Map<String, String> params, String uid, boolean oldEscape)
            throws EventRefusal {
        var objects = new ArrayList<Json.Obj>();
        for (var written : template.array("resourcetemplates")) {
            var text = substituted(JsonText.write(written), params, uid, oldEscape);
            try {
                objects.add(JsonText.parseObject(text));
            } catch (JsonText.Malformed e) {
                throw new EventRefusal(
                        Code.INVALID_ARGUMENT,
                        "couldn't unmarshal json from the TriggerTemplate: " + e.getMessage()
                                + "; a value with quotes or line breaks in it does not fit where it is used");
            }
        }
        return objects;
    }

    // In one go: a value that looks like a variable is no variable.
    private static String substituted(String text, Map<String, String> params, String uid, boolean oldEscape)
            throws EventRefusal {
        var result = new StringBuilder();
        var variables = VARIABLE.matcher(text);
        int at = 0;
        while (variables.find()) {
            var name = variables.group(1);
            var value = name == null ? uid : params.get(name);
            if (value != null) {
                result.append(text, at, variables.start()).append(name == null ? value : escaped(value, oldEscape));
                at = variables.end();
            }
            bounded(result);
        }
        return result.append(text, at, text.length()).toString();
    }

    // What Tekton Pipelines would take for a variable of its own is text.
    private static String escaped(String value, boolean oldEscape) {
        var quoted = oldEscape ? value.replace("\"", "\\\"") : value;
        return quoted.replace("$(", "$$(");
    }

    private static <T extends CharSequence> T bounded(T text) throws EventRefusal {
        if (text.length() > LARGEST) {
            throw new EventRefusal(
                    Code.INVALID_ARGUMENT,
                    "the values of this event make an object of more than " + LARGEST + " bytes");
        }
        return text;
    }
}

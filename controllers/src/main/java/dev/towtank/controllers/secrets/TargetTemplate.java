package dev.towtank.controllers.secrets;

import dev.towtank.controllers.secrets.reading.Decoding;
import dev.towtank.controllers.secrets.reading.NameExpressions;
import dev.towtank.controllers.secrets.reading.ReadProblem;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.YamlText;
import dev.towtank.model.template.Functions;
import dev.towtank.model.template.GoTemplate;
import dev.towtank.model.template.GoText;
import dev.towtank.model.template.TemplateError;
import dev.towtank.model.template.TemplateSettings;
import dev.towtank.model.template.TypedMap;
import dev.towtank.model.template.functions.Ambient;
import dev.towtank.model.template.functions.ExternalSecretsFunctions;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/// The template of a target, filled in with what was read.
final class TargetTemplate {

    /// What a target shall have.
    record Filled(
            NavigableMap<String, byte[]> data,
            NavigableMap<String, String> labels,
            NavigableMap<String, String> annotations) {

        /// Values are nobody's business.
        @Override
        public String toString() {
            return "values of " + data.keySet();
        }
    }

    private final TypedMap values;
    private final Functions functions;
    private final TemplateSettings settings;
    private final Filled filled = new Filled(new TreeMap<>(), new TreeMap<>(), new TreeMap<>());

    private TargetTemplate(NavigableMap<String, byte[]> read, Ambient ambient) {
        var texts = new TreeMap<String, String>();
        read.forEach((key, value) -> texts.put(key, GoText.of(value)));
        this.values = TypedMap.strings(texts);
        this.functions = ExternalSecretsFunctions.functions(ambient);
        this.settings = TemplateSettings.of(functions, TemplateSettings.MissingKey.ERROR);
    }

    /// @param template of the target
    /// @param objects what `templateFrom` names, as `ConfigMap name` and `Secret name`
    /// @throws ReadProblem with what is wrong, without values
    static Filled fill(
            Json.Obj template,
            NavigableMap<String, byte[]> read,
            Map<String, NavigableMap<String, byte[]>> objects,
            Ambient ambient) {
        var filling = new TargetTemplate(read, ambient);
        var from = template.objects("templateFrom");
        var data = template.stringMap("data");
        if (template.string("mergePolicy").equals("Merge") || (data.isEmpty() && from.isEmpty())) {
            filling.filled.data.putAll(read);
        }
        try {
            from.forEach(source -> filling.addFrom(source, objects));
        } catch (ReadProblem e) {
            throw e.inside("error fetching templateFrom data: ");
        }
        filling.addAll(data, "data");
        filling.addAll(template.stringMap("metadata", "labels"), "labels");
        filling.addAll(template.stringMap("metadata", "annotations"), "annotations");
        return filling.filled;
    }

    private void addAll(Map<String, String> templates, String target) {
        try {
            templates.forEach((key, text) -> put(target, key, GoText.bytes(execute(key, text))));
        } catch (ReadProblem e) {
            throw e.inside("could not execute template: could not execute template: ");
        }
    }

    private void addFrom(Json.Obj source, Map<String, NavigableMap<String, byte[]>> objects) {
        var target = source.string("target").isEmpty()
                ? "data"
                : source.string("target").toLowerCase(Locale.ROOT);
        var decoding = new Decoding(source.string("valuesDecodingStrategy"), false);
        for (var kind : new String[] {"ConfigMap", "Secret"}) {
            var reference = source.object(kind.equals("Secret") ? "secret" : "configMap");
            if (reference.size() > 0) {
                addObject(kind, reference, objects, target, decoding);
            }
        }
        if (source.has("literal")) {
            addMap(source.string("literal"), target, decoding);
        }
    }

    private void addObject(
            String kind,
            Json.Obj reference,
            Map<String, NavigableMap<String, byte[]>> objects,
            String target,
            Decoding decoding) {
        var name = reference.string("name");
        var object = objects.get(kind + " " + name);
        if (object == null) {
            throw ReadProblem.of(kind + " " + Json.of(name) + " not found");
        }
        for (var item : reference.objects("items")) {
            var key = item.string("key");
            var found = object.get(key);
            if (found == null) {
                throw ReadProblem.of(
                        "error in %s %s: missing key %s".formatted(kind.toLowerCase(Locale.ROOT), name, key));
            }
            var text = new String(found, StandardCharsets.UTF_8);
            if (item.string("templateAs").equals("KeysAndValues")) {
                addMap(text, target, decoding);
            } else {
                put(target, key, decoding.decode(GoText.bytes(execute(key, text))));
            }
        }
    }

    /// A template that is YAML of many keys when it is filled in.
    private void addMap(String text, String target, Decoding decoding) {
        Json parsed;
        try {
            parsed = YamlText.parse(execute("literal", text));
        } catch (JsonText.Malformed e) {
            // What the parser says may quote the secret.
            throw notAMap();
        }
        if (parsed instanceof Json.Null) {
            return;
        }
        if (!(parsed instanceof Json.Obj entries)) {
            throw notAMap();
        }
        entries.forEach((key, value) -> {
            if (value instanceof Json.Obj || value instanceof Json.Arr) {
                throw notAMap();
            }
            put(target, key, decoding.decode(value.display().getBytes(StandardCharsets.UTF_8)));
        });
    }

    private static ReadProblem notAMap() {
        return ReadProblem.of("could not unmarshal template to 'map[string][]byte': the filled template is no YAML"
                + " of keys and texts");
    }

    private void put(String target, String key, byte[] value) {
        switch (target) {
            case "labels" -> filled.labels.put(key, new String(value, StandardCharsets.UTF_8));
            case "annotations" -> filled.annotations.put(key, new String(value, StandardCharsets.UTF_8));
            default -> filled.data.put(key, value);
        }
    }

    private String execute(String key, String text) {
        GoTemplate template;
        try {
            template = GoTemplate.parse(key, text, functions);
        } catch (TemplateError e) {
            throw problem("unable to parse template at key %s: %s", key, e);
        }
        try {
            return template.execute(values, settings);
        } catch (TemplateError e) {
            throw problem("unable to execute template at key %s: %s", key, e);
        }
    }

    private ReadProblem problem(String words, String key, TemplateError error) {
        return ReadProblem.of(words.formatted(key, NameExpressions.withoutValues(error.text(), values.values())));
    }
}

package dev.towtank.model.openapi;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.towtank.model.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/// What `kubectl explain` says of kinds and fields, in our own words. The file explains its form.
final class Descriptions {

    private static final Map<String, Map<String, String>> ALL = read();

    private Descriptions() {}

    private static Map<String, Map<String, String>> read() {
        try (var in = Descriptions.class.getResourceAsStream("descriptions.txt")) {
            return parse(new String(Objects.requireNonNull(in).readAllBytes(), UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Map<String, Map<String, String>> parse(String text) {
        var all = new HashMap<String, Map<String, String>>();
        List<Map<String, String>> open = List.of();
        for (var line : text.lines().toList()) {
            if (line.isEmpty() || line.startsWith("#")) {
                continue;
            }
            if (line.startsWith("[")) {
                open = new ArrayList<>();
                for (var name : line.substring(1, line.length() - 1).split(" ", -1)) {
                    open.add(all.computeIfAbsent(name, _ -> new LinkedHashMap<>()));
                }
                continue;
            }
            int colon = line.indexOf(": ");
            open.forEach(fields -> fields.put(line.substring(0, colon), line.substring(colon + 2)));
        }
        return all;
    }

    /// The names of definitions that something is said about, and the paths in them.
    static Map<String, Map<String, String>> all() {
        return ALL;
    }

    /// Adds what is known, wherever the definition says nothing itself.
    static Json.Obj describe(String definition, Json.Obj schema) {
        var described = schema;
        for (var entry : ALL.getOrDefault(definition, Map.of()).entrySet()) {
            var path = entry.getKey().equals(".")
                    ? List.<String>of()
                    : List.of(entry.getKey().split("\\.", -1));
            described = at(described, path, entry.getValue());
        }
        return described;
    }

    private static Json.Obj at(Json.Obj schema, List<String> path, String text) {
        if (path.isEmpty()) {
            return schema.has("description") ? schema : schema.with("description", Json.of(text));
        }
        if (schema.has("items")) {
            return schema.with("items", at(schema.object("items"), path, text));
        }
        var properties = schema.object("properties");
        if (!properties.has(path.getFirst())) {
            return schema;
        }
        var field = at(properties.object(path.getFirst()), path.subList(1, path.size()), text);
        return schema.with("properties", properties.with(path.getFirst(), field));
    }
}

package dev.towtank.controllers.triggers.events;

import dev.towtank.model.Json;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// The headers of an event by their canonical names: `X-Github-Event`.
public record Headers(Map<String, List<String>> values) {

    public Headers {
        var canonical = new TreeMap<String, List<String>>();
        values.forEach((name, all) -> canonical.put(canonical(name), List.copyOf(all)));
        values = Map.copyOf(canonical);
    }

    /// Upper case at the beginning and behind hyphens; a name with other signs than a header may have stays as it is.
    public static String canonical(String name) {
        var text = new StringBuilder();
        boolean isFirst = true;
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            boolean isToken = c < 128 && (Character.isLetterOrDigit(c) || "!#$%&'*+-.^_`|~".indexOf(c) >= 0);
            if (!isToken) {
                return name;
            }
            text.append(isFirst ? Character.toUpperCase(c) : Character.toLowerCase(c));
            isFirst = c == '-';
        }
        return text.toString();
    }

    /// The first value, or an empty text.
    public String first(String name) {
        var all = values.getOrDefault(canonical(name), List.of());
        return all.isEmpty() ? "" : all.getFirst();
    }

    /// Each with all its values in a list.
    public Json.Obj lists() {
        var all = Json.Obj.builder();
        new TreeMap<>(values).forEach((name, list) -> all.put(name, Json.Arr.ofStrings(list)));
        return all.build();
    }

    /// Each with its values in one text.
    public Json.Obj joined() {
        var all = Json.Obj.builder();
        new TreeMap<>(values).forEach((name, list) -> all.put(name, String.join(",", list)));
        return all.build();
    }

    /// Neither names nor values, which may be secrets.
    @Override
    public String toString() {
        return values.size() + " headers";
    }
}

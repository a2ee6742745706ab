package dev.towtank.apiserver;

import dev.towtank.model.StatusError;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The query parameters of a request. Typed on reading, so that a mistake in one is told in Kubernetes' words.
public record Params(Map<String, List<String>> values) {

    public static final Params NONE = new Params(Map.of());

    public Params {
        values = Map.copyOf(values);
    }

    public static Params of(String name, String value) {
        return new Params(Map.of(name, List.of(value)));
    }

    public String text(String name) {
        var found = values.get(name);
        return found == null || found.isEmpty() ? "" : found.getFirst();
    }

    public List<String> all(String name) {
        return values.getOrDefault(name, List.of());
    }

    public boolean has(String name) {
        return values.containsKey(name);
    }

    /// Like Kubernetes: present without a value is true, as are all words but `false` and `0`.
    public boolean flag(String name) {
        if (!has(name)) {
            return false;
        }
        var value = text(name);
        return !value.equals("false") && !value.equals("0");
    }

    public Optional<Long> number(String name) {
        var value = text(name);
        if (value.isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(Long.parseLong(value));
        } catch (NumberFormatException e) {
            throw StatusError.badRequest("strconv.ParseInt: parsing \"" + value + "\": invalid syntax");
        }
    }
}

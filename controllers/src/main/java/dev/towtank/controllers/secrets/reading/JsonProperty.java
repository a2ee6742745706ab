package dev.towtank.controllers.secrets.reading;

import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// A value inside a JSON text, by a path such as `users.0.name`; a dot in a key is written `\.`.
final class JsonProperty {

    private JsonProperty() {}

    static Optional<byte[]> find(byte[] text, String path) {
        Json found;
        try {
            found = JsonText.parse(text);
        } catch (JsonText.Malformed e) {
            return Optional.empty();
        }
        for (var step : steps(path)) {
            var next = step(found, step);
            if (next.isEmpty()) {
                return Optional.empty();
            }
            found = next.get();
        }
        return Optional.of(bytes(found));
    }

    /// A text as it is, and everything else as JSON.
    static byte[] bytes(Json value) {
        return value instanceof Json.Null ? new byte[0] : value.display().getBytes(StandardCharsets.UTF_8);
    }

    private static Optional<Json> step(Json value, String step) {
        return switch (value) {
            case Json.Obj object -> Optional.ofNullable(object.get(step));
            case Json.Arr array when step.equals("#") -> Optional.of(Json.of(array.size()));
            case Json.Arr array
            when step.matches("[0-9]{1,9}") && Integer.parseInt(step) < array.size() ->
                Optional.of(array.get(Integer.parseInt(step)));
            default -> Optional.empty();
        };
    }

    private static List<String> steps(String path) {
        var steps = new ArrayList<String>();
        var step = new StringBuilder();
        for (int i = 0; i < path.length(); i++) {
            char c = path.charAt(i);
            if (c == '\\' && i + 1 < path.length()) {
                step.append(path.charAt(++i));
            } else if (c == '.') {
                steps.add(step.toString());
                step.setLength(0);
            } else {
                step.append(c);
            }
        }
        steps.add(step.toString());
        return steps;
    }
}

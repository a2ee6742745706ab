package dev.towtank.app.lint.finding;

import dev.towtank.model.Json;
import dev.towtank.model.Schema;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/// The names that fields may have at a place in an object: `spec.steps[0]`.
public final class FieldNames {

    private static final Pattern INDEX = Pattern.compile("\\[[^]]*]");

    private FieldNames() {}

    /// In an object of a built-in type.
    public static List<String> at(Schema.Type type, String path) {
        var here = type;
        for (var step : steps(path)) {
            var field = here.field(step);
            var inner = field == null ? Optional.<Schema.Type>empty() : objectIn(field.value());
            if (inner.isEmpty()) {
                return List.of();
            }
            here = inner.get();
        }
        return here.jsonFields().stream().map(Schema.Field::name).toList();
    }

    /// In an object of a custom kind.
    ///
    /// @param schema the `openAPIV3Schema` of its definition
    public static List<String> at(Json.Obj schema, String path) {
        var here = schema;
        for (var step : steps(path)) {
            var properties = here.object("properties");
            here = properties.has(step) ? properties.object(step) : here.object("additionalProperties");
            while (here.has("items")) {
                here = here.object("items");
            }
        }
        return List.copyOf(here.object("properties").keys());
    }

    private static List<String> steps(String path) {
        return path.isEmpty()
                ? List.of()
                : List.of(INDEX.matcher(path).replaceAll("").split("\\.", -1));
    }

    private static Optional<Schema.Type> objectIn(Schema.Value value) {
        return switch (value) {
            case Schema.Value.ObjectOf(var type) -> Optional.of(type);
            case Schema.Value.ListOf(var element, var _, var _) -> objectIn(element);
            case Schema.Value.MapOf(var element, var _) -> objectIn(element);
            case Schema.Value.ScalarOf _ -> Optional.empty();
        };
    }
}

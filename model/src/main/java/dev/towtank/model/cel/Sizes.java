package dev.towtank.model.cel;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// How large the parts of a value may get, by its schema.
///
/// @param most elements of a list or map, or characters of a text; 0 for anything else
/// @param fields of an object, by the name that expressions use
/// @param elements of a list, or the values of a map
/// @param keys of a map
public record Sizes(
        long most,
        Map<String, Sizes> fields,
        @Nullable Sizes elements,
        @Nullable Sizes keys) {

    public Sizes {
        fields = Map.copyOf(fields);
    }

    public static Sizes of(long most) {
        return new Sizes(most, Map.of(), null, null);
    }

    /// The part at a path through an expression; the first step is the variable, whatever it is called.
    Optional<Sizes> at(List<String> path) {
        if (path.isEmpty()) {
            return Optional.empty();
        }
        Sizes found = this;
        for (var step : path.subList(1, path.size())) {
            found = switch (step) {
                case "@items", "@values" -> found.elements;
                case "@keys" -> found.keys;
                default -> found.fields.get(step);
            };
            if (found == null) {
                return Optional.empty();
            }
        }
        return Optional.of(found);
    }
}

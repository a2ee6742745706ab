package dev.towtank.model;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A value, and where in its text it stands. What an alias or a merge key brings in stands where its anchor is.
///
/// @param start of the value; of a block of text, the `|` or `>` before it
/// @param end just behind it
/// @param fields of an object, in the order of the text
/// @param items of a list
public record Located(Json json, Mark start, Mark end, Style style, Map<String, Field> fields, List<Located> items) {

    /// Line and column count from 1, columns in code points.
    public record Mark(int line, int column) {}

    /// How a value is written.
    public enum Style {
        PLAIN,
        SINGLE_QUOTED,
        DOUBLE_QUOTED,
        /// A block of text that keeps its lines: `|`.
        LITERAL,
        /// A block of text whose lines are joined: `>`.
        FOLDED,
        COLLECTION
    }

    /// @param start of the key
    public record Field(Mark start, Mark end, Located value) {}

    /// A key that stands a second time in the same object; the last one counts.
    public record Duplicate(String key, Mark first, Mark second) {}

    public record Document(Located root, List<Duplicate> duplicates) {
        public Document {
            duplicates = List.copyOf(duplicates);
        }
    }

    public Located {
        fields = Collections.unmodifiableMap(new LinkedHashMap<>(fields));
        items = List.copyOf(items);
    }

    public @Nullable Field field(String name) {
        return fields.get(name);
    }

    /// The value at a path of fields, or null.
    public @Nullable Located at(String... path) {
        var here = this;
        for (var name : path) {
            var field = here.fields.get(name);
            if (field == null) {
                return null;
            }
            here = field.value;
        }
        return here;
    }

    /// The text at a path of fields; empty where there is none.
    public String text(String... path) {
        var found = at(path);
        return found != null && found.json instanceof Json.Str(var value) ? value : "";
    }

    /// The items of the list at a path of fields.
    public List<Located> list(String... path) {
        var found = at(path);
        return found == null ? List.of() : found.items;
    }

    /// The value itself and all below it, from the top.
    public List<Located> all() {
        var found = new ArrayList<Located>();
        collect(found);
        return found;
    }

    private void collect(List<Located> found) {
        found.add(this);
        fields.values().forEach(field -> field.value.collect(found));
        items.forEach(item -> item.collect(found));
    }
}

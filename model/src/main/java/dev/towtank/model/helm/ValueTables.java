package dev.towtank.model.helm;

import dev.towtank.model.Json;
import dev.towtank.model.template.SizedInteger;
import dev.towtank.model.template.Values;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Values of charts, and how several of them become one.
///
/// Two kinds of merge: *coalescing* takes away what is null, *merging* keeps the null, because another merge comes that
/// has to see it.
final class ValueTables {
    static final String GLOBAL = "global";

    private ValueTables() {}

    static Map<String, @Nullable Object> copy(Map<String, @Nullable Object> table) {
        var copied = new TreeMap<String, @Nullable Object>();
        table.forEach((key, value) -> copied.put(key, copyValue(value)));
        return copied;
    }

    private static @Nullable Object copyValue(@Nullable Object value) {
        return switch (value) {
            case Map<?, ?> map -> copy(table(map));
            case List<?> list -> {
                var items = new ArrayList<@Nullable Object>(list.size());
                list.forEach(item -> items.add(copyValue(item)));
                yield items;
            }
            case null, default -> value;
        };
    }

    @SuppressWarnings("unchecked")
    static Map<String, @Nullable Object> table(Map<?, ?> map) {
        return (Map<String, @Nullable Object>) map;
    }

    /// The table at a path of keys with dots between them, or null.
    static @Nullable Map<String, @Nullable Object> find(Map<String, @Nullable Object> table, String path) {
        return at(table, path) instanceof Map<?, ?> found ? table(found) : null;
    }

    static @Nullable Object at(Map<String, @Nullable Object> table, String path) {
        Object here = table;
        for (var key : path.split("\\.", -1)) {
            if (!(here instanceof Map<?, ?> map)) {
                return null;
            }
            here = map.get(key);
        }
        return here;
    }

    /// Puts one source of values over another: tables are merged, everything else is replaced.
    static void override(Map<String, @Nullable Object> base, Map<String, @Nullable Object> over) {
        over.forEach((key, value) -> {
            if (value instanceof Map<?, ?> inner && base.get(key) instanceof Map<?, ?> known) {
                override(table(known), table(inner));
            } else {
                base.put(key, value);
            }
        });
    }

    /// Fills up the values for a chart and the charts below it with their own.
    static void coalesce(Chart chart, Map<String, @Nullable Object> values, boolean keepsNull) {
        fill(chart, values, keepsNull);
        for (var dependency : chart.dependencies()) {
            var inner = values.computeIfAbsent(dependency.name(), _ -> new TreeMap<String, @Nullable Object>());
            if (!(inner instanceof Map<?, ?> map)) {
                throw new HelmError(
                        "type mismatch on " + dependency.name() + ": the values for a chart must be a mapping");
            }
            var table = table(map);
            shareGlobals(values, table);
            coalesce(dependency, table, keepsNull);
        }
    }

    private static void fill(Chart chart, Map<String, @Nullable Object> values, boolean keepsNull) {
        Values.mapOf(chart.values()).forEach((key, value) -> {
            if (!values.containsKey(key)) {
                values.put(key, value);
                return;
            }
            var given = values.get(key);
            if (given == null && !keepsNull) {
                values.remove(key);
            } else if (given instanceof Map<?, ?> into && value instanceof Map<?, ?> from) {
                boolean isChart = chart.dependencies().stream()
                        .anyMatch(each -> each.name().equals(key));
                coalesceTables(table(into), table(from), keepsNull || isChart);
            }
        });
    }

    /// Fills up a table from another; the first one counts where both have a key.
    static void coalesceTables(
            Map<String, @Nullable Object> into, Map<String, @Nullable Object> from, boolean keepsNull) {
        from.forEach((key, value) -> {
            if (!keepsNull && value != null && into.containsKey(key) && into.get(key) == null) {
                // A null says that there is to be nothing, whatever the other has.
                into.remove(key);
            } else if (!into.containsKey(key)) {
                into.put(key, value);
                return;
            }
            var known = into.get(key);
            if (known instanceof Map<?, ?> left && value instanceof Map<?, ?> right) {
                coalesceTables(table(left), table(right), keepsNull);
            }
        });
    }

    // What is global above is global below, unless it says something of its own.
    private static void shareGlobals(Map<String, @Nullable Object> from, Map<String, @Nullable Object> into) {
        var source = from.getOrDefault(GLOBAL, new TreeMap<String, @Nullable Object>());
        var target = into.getOrDefault(GLOBAL, new TreeMap<String, @Nullable Object>());
        if (!(source instanceof Map<?, ?> globals) || !(target instanceof Map<?, ?> own)) {
            return;
        }
        var merged = table(own);
        table(globals).forEach((key, value) -> {
            if (value instanceof Map<?, ?> shared) {
                var copied = copy(table(shared));
                if (!merged.containsKey(key)) {
                    merged.put(key, copied);
                } else if (merged.get(key) instanceof Map<?, ?> known) {
                    coalesceTables(copied, table(known), true);
                    merged.put(key, copied);
                }
            } else if (!(merged.get(key) instanceof Map)) {
                merged.put(key, value);
            }
        });
        into.put(GLOBAL, merged);
    }

    /// Values as JSON, for a chart to keep.
    static Json.Obj json(Map<String, @Nullable Object> table) {
        var builder = Json.Obj.builder();
        table.forEach((key, value) -> builder.put(key, jsonValue(value)));
        return builder.build();
    }

    private static Json jsonValue(@Nullable Object value) {
        return switch (value) {
            case null -> Json.Null.NULL;
            case Map<?, ?> map -> json(table(map));
            case List<?> list ->
                new Json.Arr(list.stream().map(ValueTables::jsonValue).toList());
            case String text -> Json.of(text);
            case Boolean bool -> Json.of(bool);
            case Long number -> Json.of(number);
            case SizedInteger number -> Json.of(number.value());
            case Double number
            when number == Math.rint(number) && Math.abs(number) < 1e15 -> Json.of(number.longValue());
            case Double number -> new Json.Real(number);
            default -> throw new IllegalArgumentException("no value: " + value.getClass());
        };
    }
}

package dev.towtank.model;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Collects the fields of an object; a key put twice keeps its first place and its last value, as JSON parsers do.
public final class ObjectBuilder {
    private static final int EXPECTED_FIELDS = 6;

    private String[] keys = new String[EXPECTED_FIELDS];
    private Json[] values = new Json[EXPECTED_FIELDS];
    private int size;
    private @Nullable Map<String, Integer> positions;

    ObjectBuilder() {}

    /// Begins with fields that are known to be different.
    ObjectBuilder(String[] keys, Json[] values) {
        this.keys = Arrays.copyOf(keys, keys.length + EXPECTED_FIELDS / 2);
        this.values = Arrays.copyOf(values, this.keys.length);
        this.size = keys.length;
    }

    public ObjectBuilder put(String key, Json value) {
        int found = find(key);
        if (found >= 0) {
            values[found] = value;
            return this;
        }
        if (size == keys.length) {
            keys = Arrays.copyOf(keys, size * 2);
            values = Arrays.copyOf(values, size * 2);
        }
        keys[size] = key;
        values[size] = value;
        if (positions != null) {
            positions.put(key, size);
        }
        size++;
        return this;
    }

    public ObjectBuilder put(String key, String value) {
        return put(key, new Json.Str(value));
    }

    public ObjectBuilder put(String key, long value) {
        return put(key, new Json.Int(value));
    }

    public ObjectBuilder put(String key, boolean value) {
        return put(key, Json.of(value));
    }

    public ObjectBuilder putAll(Json.Obj fields) {
        fields.forEach(this::put);
        return this;
    }

    /// Leaves the field out where the value is empty, as Go's `omitempty` does.
    public ObjectBuilder putNonEmpty(String key, Json value) {
        return value.isEmpty() ? this : put(key, value);
    }

    public ObjectBuilder putNonEmpty(String key, String value) {
        return value.isEmpty() ? this : put(key, value);
    }

    public boolean has(String key) {
        return find(key) >= 0;
    }

    private int find(String key) {
        if (positions != null) {
            return positions.getOrDefault(key, -1);
        }
        for (int i = 0; i < size; i++) {
            if (keys[i].equals(key)) {
                return i;
            }
        }
        if (size > KeyIndex.SCAN_LIMIT) {
            positions = new LinkedHashMap<>();
            for (int i = 0; i < size; i++) {
                positions.put(keys[i], i);
            }
        }
        return -1;
    }

    public Json.Obj build() {
        return size == 0 ? Json.Obj.EMPTY : new Json.Obj(Arrays.copyOf(keys, size), Arrays.copyOf(values, size));
    }
}

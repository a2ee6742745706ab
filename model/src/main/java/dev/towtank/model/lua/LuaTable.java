package dev.towtank.model.lua;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/// Lua's only structure: what has the keys 1 to n lies in an array, the rest in the order in which it came.
final class LuaTable {

    private static final long EMPTY_BYTES = 64;
    private static final long ITEM_BYTES = 16;
    private static final long FIELD_BYTES = 96;
    private static final Object[] NONE = {};

    private final Run run;
    private Object[] items = NONE;
    private int length;
    // Position in keys and values. What was removed keeps its place with a nil, so that it can be removed while
    // somebody iterates.
    private final Map<Object, Integer> positions = new HashMap<>();
    private Object[] keys = NONE;
    private Object[] values = NONE;
    private int used;
    Object metatable = Nil.NIL;

    LuaTable(Run run) {
        this.run = run;
        run.allocate(EMPTY_BYTES);
    }

    int length() {
        return length;
    }

    Object get(Object key) {
        if (key instanceof Double number) {
            int index = (int) (double) number;
            if (index == number) {
                return get(index);
            }
        }
        return field(key);
    }

    Object get(int index) {
        return index >= 1 && index <= length ? items[index - 1] : used == 0 ? Nil.NIL : field((double) index);
    }

    private Object field(Object key) {
        var position = used == 0 ? null : positions.get(key);
        return position == null ? Nil.NIL : values[position];
    }

    /// @param key neither nil nor NaN
    void set(Object key, Object value) {
        if (key instanceof Double number) {
            int index = (int) (double) number;
            if (index == number) {
                set(index, value);
                return;
            }
        }
        setField(key, value);
    }

    void set(int index, Object value) {
        if (index >= 1 && index <= length) {
            items[index - 1] = value;
            trim();
        } else if (index == length + 1 && value != Nil.NIL) {
            append(value);
        } else {
            setField((double) index, value);
        }
    }

    void append(Object value) {
        if (value == Nil.NIL) {
            return;
        }
        setField((double) (length + 1), Nil.NIL);
        push(value);
        // What waited for this gap to close.
        while (used > 0) {
            var next = (Object) (double) (length + 1);
            var waiting = field(next);
            if (waiting == Nil.NIL) {
                break;
            }
            setField(next, Nil.NIL);
            push(waiting);
        }
    }

    private void push(Object value) {
        if (length == items.length) {
            int capacity = Math.max(4, length * 2);
            run.allocate(ITEM_BYTES * (capacity - length));
            items = Arrays.copyOf(items, capacity);
        }
        items[length++] = value;
    }

    private void trim() {
        while (length > 0 && items[length - 1] == Nil.NIL) {
            length--;
        }
    }

    private void setField(Object key, Object value) {
        var position = used == 0 ? null : positions.get(key);
        if (position != null) {
            values[position] = value;
        } else if (value != Nil.NIL) {
            add(key, value);
        }
    }

    private void add(Object key, Object value) {
        run.allocate(FIELD_BYTES);
        if (used == keys.length) {
            compact();
        }
        keys[used] = key;
        values[used] = value;
        positions.put(key, used++);
    }

    private void compact() {
        int living = 0;
        for (int i = 0; i < used; i++) {
            if (values[i] != Nil.NIL) {
                living++;
            }
        }
        int capacity = Math.max(4, living * 2);
        var newKeys = new Object[capacity];
        var newValues = new Object[capacity];
        positions.clear();
        int next = 0;
        for (int i = 0; i < used; i++) {
            if (values[i] != Nil.NIL) {
                newKeys[next] = keys[i];
                newValues[next] = values[i];
                positions.put(keys[i], next++);
            }
        }
        run.steps(used);
        keys = newKeys;
        values = newValues;
        used = next;
    }

    /// The key that follows, nil at the end.
    Object next(Object key) {
        int index = 0;
        int position = 0;
        if (key != Nil.NIL) {
            var known = positions.get(key);
            if (known != null) {
                index = length;
                position = known + 1;
            } else if (key instanceof Double number && number >= 1 && number <= items.length) {
                index = (int) (double) number;
            } else {
                throw run.error("invalid key to 'next'");
            }
        }
        for (; index < length; index++) {
            if (items[index] != Nil.NIL) {
                return (double) (index + 1);
            }
        }
        for (; position < used; position++) {
            run.step();
            if (values[position] != Nil.NIL) {
                return keys[position];
            }
        }
        return Nil.NIL;
    }

    /// Makes room at a place of the list, or adds at its end.
    void insert(int place, Object value) {
        if (place < 1 || place > length || value == Nil.NIL) {
            set(place, value);
            return;
        }
        run.steps(1 + (length - place) / 8);
        push(items[length - 1]);
        System.arraycopy(items, place - 1, items, place, length - 1 - place);
        items[place - 1] = value;
    }

    Object remove(int place) {
        if (place < 1 || place > length) {
            return Nil.NIL;
        }
        run.steps(1 + (length - place) / 8);
        var removed = items[place - 1];
        System.arraycopy(items, place, items, place - 1, length - place);
        length--;
        trim();
        return removed;
    }

    /// The list itself, to sort it in place.
    Object[] list() {
        return Arrays.copyOf(items, length);
    }

    void replace(Object[] sorted) {
        System.arraycopy(sorted, 0, items, 0, Math.min(sorted.length, length));
        trim();
    }

    double largestIndex() {
        double largest = length;
        for (int i = 0; i < used; i++) {
            if (values[i] != Nil.NIL && keys[i] instanceof Double number) {
                largest = Math.max(largest, number);
            }
        }
        return largest;
    }
}

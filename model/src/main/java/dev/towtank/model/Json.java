package dev.towtank.model;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// A JSON value. Immutable through and through, so one tree can be shared by every thread without copies.
///
/// Reading follows Kubernetes' habit of zero values: a missing string reads as `""`, a missing object as an empty one.
/// Where absent and empty must be told apart, use [Obj#get] or [Obj#at], which return null.
public sealed interface Json {

    static Json of(@Nullable String value) {
        return value == null ? Null.NULL : new Str(value);
    }

    static Json of(long value) {
        return new Int(value);
    }

    static Json of(boolean value) {
        return value ? Bool.TRUE : Bool.FALSE;
    }

    /// The text of a string, otherwise the JSON text of the value: what a person expects to see in a cell or a message.
    default String display() {
        return this instanceof Str(var value) ? value : toString();
    }

    /// True for null and for empty strings, objects and arrays, zero and false: what Go calls `omitempty`.
    default boolean isEmpty() {
        return switch (this) {
            case Null _ -> true;
            case Bool(var value) -> !value;
            case Int(var value) -> value == 0;
            case Real(var value) -> value == 0;
            case Str(var value) -> value.isEmpty();
            case Arr arr -> arr.size() == 0;
            case Obj obj -> obj.size() == 0;
        };
    }

    record Null() implements Json {
        public static final Null NULL = new Null();

        @Override
        public String toString() {
            return "null";
        }
    }

    record Bool(boolean value) implements Json {
        public static final Bool TRUE = new Bool(true);
        public static final Bool FALSE = new Bool(false);

        @Override
        public String toString() {
            return Boolean.toString(value);
        }
    }

    /// A number without fraction or exponent; Kubernetes keeps these apart from floating point as well.
    record Int(long value) implements Json {
        @Override
        public String toString() {
            return Long.toString(value);
        }
    }

    record Real(double value) implements Json {
        public Real {
            if (Double.isNaN(value) || Double.isInfinite(value)) {
                throw new IllegalArgumentException("JSON has no " + value);
            }
        }

        @Override
        public String toString() {
            return JsonText.write(this);
        }
    }

    record Str(String value) implements Json {
        @Override
        public String toString() {
            return JsonText.write(this);
        }
    }

    record Arr(List<Json> items) implements Json, Iterable<Json> {
        public static final Arr EMPTY = new Arr(List.of());

        public Arr {
            items = List.copyOf(items);
        }

        public static Arr of(Json... items) {
            return new Arr(List.of(items));
        }

        public static Arr ofStrings(List<String> items) {
            return new Arr(items.stream().map(Json::of).toList());
        }

        public int size() {
            return items.size();
        }

        public Json get(int index) {
            return items.get(index);
        }

        /// The items that are objects; anything else in the list is passed over.
        public List<Obj> objects() {
            var found = new ArrayList<Obj>(items.size());
            for (var item : items) {
                if (item instanceof Obj obj) {
                    found.add(obj);
                }
            }
            return found;
        }

        /// The items that are strings; anything else in the list is passed over.
        public List<String> strings() {
            var found = new ArrayList<String>(items.size());
            for (var item : items) {
                if (item instanceof Str(var value)) {
                    found.add(value);
                }
            }
            return found;
        }

        /// The items that are whole numbers; anything else in the list is passed over.
        public List<Long> integers() {
            var found = new ArrayList<Long>(items.size());
            for (var item : items) {
                if (item instanceof Int(var value)) {
                    found.add(value);
                }
            }
            return found;
        }

        public Arr plus(Json item) {
            var more = new ArrayList<Json>(items.size() + 1);
            more.addAll(items);
            more.add(item);
            return new Arr(more);
        }

        public Arr map(UnaryOperator<Json> change) {
            return new Arr(items.stream().map(change).toList());
        }

        @Override
        public Iterator<Json> iterator() {
            return items.iterator();
        }

        @Override
        public String toString() {
            return JsonText.write(this);
        }
    }

    /// An object whose fields keep their order. Two objects are equal when they have the same fields in any order.
    ///
    /// Kept as two arrays: most objects have a handful of fields, where a scan beats hashing in time and in memory.
    final class Obj implements Json, Iterable<Map.Entry<String, Json>> {
        public static final Obj EMPTY = new Obj(new String[0], new Json[0]);

        private final String[] keys;
        private final Json[] values;
        // Volatile: a thread that sees the array must see what is in it.
        private volatile int @Nullable [] index;

        /// @param keys all different, and not changed any more, nor are the values
        Obj(String[] keys, Json[] values) {
            this(keys, values, null);
        }

        private Obj(String[] keys, Json[] values, int @Nullable [] index) {
            this.keys = keys;
            this.values = values;
            this.index = index;
        }

        public static Obj of(String key, Json value) {
            return new Obj(new String[] {key}, new Json[] {value});
        }

        public static Obj of(String key, Json value, String key2, Json value2) {
            return builder().put(key, value).put(key2, value2).build();
        }

        public static Obj of(String key, Json value, String key2, Json value2, String key3, Json value3) {
            return builder().put(key, value).put(key2, value2).put(key3, value3).build();
        }

        public static Obj ofStrings(Map<String, String> fields) {
            var builder = builder();
            fields.forEach((key, value) -> builder.put(key, Json.of(value)));
            return builder.build();
        }

        public static Obj copyOf(Map<String, ? extends Json> fields) {
            var builder = builder();
            fields.forEach(builder::put);
            return builder.build();
        }

        public static ObjectBuilder builder() {
            return new ObjectBuilder();
        }

        public ObjectBuilder toBuilder() {
            return new ObjectBuilder(keys, values);
        }

        public int size() {
            return keys.length;
        }

        public String key(int position) {
            return keys[position];
        }

        public Json value(int position) {
            return values[position];
        }

        public List<String> keys() {
            return List.of(keys);
        }

        public boolean has(String key) {
            return find(key) >= 0;
        }

        public @Nullable Json get(String key) {
            int found = find(key);
            return found < 0 ? null : values[found];
        }

        /// The value at a path of object keys, or null where any step is missing or not an object.
        public @Nullable Json at(String... path) {
            Json here = this;
            for (var key : path) {
                if (!(here instanceof Obj obj)) {
                    return null;
                }
                var next = obj.get(key);
                if (next == null) {
                    return null;
                }
                here = next;
            }
            return here;
        }

        // Short paths have methods of their own: they are read so often that an array for each is felt.
        public @Nullable Json at(String key, String key2) {
            return get(key) instanceof Obj inner ? inner.get(key2) : null;
        }

        public String string(String key) {
            return get(key) instanceof Str(var value) ? value : "";
        }

        public String string(String key, String key2) {
            return at(key, key2) instanceof Str(var value) ? value : "";
        }

        public String string(String... path) {
            return at(path) instanceof Str(var value) ? value : "";
        }

        public long integer(String key) {
            return get(key) instanceof Int(var value) ? value : 0;
        }

        public long integer(String... path) {
            return at(path) instanceof Int(var value) ? value : 0;
        }

        public long integerOr(long fallback, String... path) {
            return at(path) instanceof Int(var value) ? value : fallback;
        }

        public boolean flag(String key) {
            return get(key) instanceof Bool(var value) && value;
        }

        public boolean flag(String... path) {
            return at(path) instanceof Bool(var value) && value;
        }

        public Obj object(String key) {
            return get(key) instanceof Obj value ? value : EMPTY;
        }

        public Obj object(String key, String key2) {
            return at(key, key2) instanceof Obj value ? value : EMPTY;
        }

        public Obj object(String... path) {
            return at(path) instanceof Obj value ? value : EMPTY;
        }

        public Arr array(String key) {
            return get(key) instanceof Arr value ? value : Arr.EMPTY;
        }

        public Arr array(String key, String key2) {
            return at(key, key2) instanceof Arr value ? value : Arr.EMPTY;
        }

        public Arr array(String... path) {
            return at(path) instanceof Arr value ? value : Arr.EMPTY;
        }

        /// The objects in the list at a path.
        public List<Obj> objects(String key) {
            return array(key).objects();
        }

        public List<Obj> objects(String... path) {
            return array(path).objects();
        }

        /// The string values of the object at a path, such as labels.
        public Map<String, String> stringMap(String... path) {
            var map = new LinkedHashMap<String, String>();
            object(path).forEach((key, value) -> {
                if (value instanceof Str(var text)) {
                    map.put(key, text);
                }
            });
            return map;
        }

        public Obj with(String key, Json value) {
            int found = find(key);
            if (found >= 0) {
                var changed = values.clone();
                changed[found] = value;
                return new Obj(keys, changed, index);
            }
            var moreKeys = Arrays.copyOf(keys, keys.length + 1);
            var moreValues = Arrays.copyOf(values, values.length + 1);
            moreKeys[keys.length] = key;
            moreValues[values.length] = value;
            return new Obj(moreKeys, moreValues);
        }

        /// Sets the value at a path of keys, making the objects on the way.
        public Obj with(List<String> path, Json value) {
            var key = path.getFirst();
            return path.size() == 1
                    ? with(key, value)
                    : with(key, object(key).with(path.subList(1, path.size()), value));
        }

        /// Sets a field to a value, or takes it away where the value is null.
        public Obj withOrWithout(String key, @Nullable Json value) {
            return value == null ? without(key) : with(key, value);
        }

        public Obj without(String key) {
            int found = find(key);
            if (found < 0) {
                return this;
            }
            var fewerKeys = new String[keys.length - 1];
            var fewerValues = new Json[keys.length - 1];
            System.arraycopy(keys, 0, fewerKeys, 0, found);
            System.arraycopy(values, 0, fewerValues, 0, found);
            System.arraycopy(keys, found + 1, fewerKeys, found, fewerKeys.length - found);
            System.arraycopy(values, found + 1, fewerValues, found, fewerKeys.length - found);
            return new Obj(fewerKeys, fewerValues);
        }

        public Obj without(List<String> path) {
            var key = path.getFirst();
            if (path.size() == 1) {
                return without(key);
            }
            return get(key) instanceof Obj inner ? with(key, inner.without(path.subList(1, path.size()))) : this;
        }

        public void forEach(BiConsumer<? super String, ? super Json> action) {
            for (int i = 0; i < keys.length; i++) {
                action.accept(keys[i], values[i]);
            }
        }

        @Override
        public Iterator<Map.Entry<String, Json>> iterator() {
            return new Iterator<>() {
                private int next;

                @Override
                public boolean hasNext() {
                    return next < keys.length;
                }

                @Override
                public Map.Entry<String, Json> next() {
                    if (!hasNext()) {
                        throw new NoSuchElementException();
                    }
                    return Map.entry(keys[next], values[next++]);
                }
            };
        }

        private int find(String key) {
            if (keys.length > KeyIndex.SCAN_LIMIT) {
                return findByHash(key);
            }
            for (int i = 0; i < keys.length; i++) {
                if (keys[i].equals(key)) {
                    return i;
                }
            }
            return -1;
        }

        // Two threads may build the same index at once; both arrays are right, and either may stay.
        private int findByHash(String key) {
            var slots = index;
            if (slots == null) {
                slots = KeyIndex.of(keys);
                index = slots;
            }
            return KeyIndex.find(key, keys, slots);
        }

        @Override
        public boolean equals(@Nullable Object other) {
            if (this == other) {
                return true;
            }
            if (!(other instanceof Obj that) || that.keys.length != keys.length) {
                return false;
            }
            for (int i = 0; i < keys.length; i++) {
                // Objects made from the same text or copied with a change keep their order: look there first.
                var theirs = that.keys[i].equals(keys[i]) ? that.values[i] : that.get(keys[i]);
                if (!values[i].equals(theirs)) {
                    return false;
                }
            }
            return true;
        }

        @Override
        public int hashCode() {
            int sum = 0;
            for (int i = 0; i < keys.length; i++) {
                sum += keys[i].hashCode() ^ values[i].hashCode() * 31;
            }
            return sum;
        }

        @Override
        public String toString() {
            return JsonText.write(this);
        }
    }
}

package dev.towtank.model.apply;

import dev.towtank.model.Json;
import java.util.List;
import java.util.Map;

/// How a value is divided among owners. The same for built-in types and for custom resources, which have
/// adapters.
public sealed interface Shape {

    /// Owned as a whole, with nothing in it that a schema knows.
    record Leaf() implements Shape {
        public static final Leaf LEAF = new Leaf();
    }

    /// An atomic list or map: its parts have no owners, but must be what the type has.
    ///
    /// @param inside the shape of each item of a list, or of the map if it were not atomic
    record Atomic(Shape inside) implements Shape {}

    /// A map or struct whose entries have owners of their own.
    non-sealed interface Granular extends Shape {

        /// The shape of the value under a key.
        Shape entry(String key);

        /// Whether the key is a field of the type, rather than an entry of a map: entries are owned
        /// themselves.
        boolean isField(String key);

        /// Whether a configuration may have such a key.
        default boolean allows(String key) {
            return true;
        }

        /// What a field that is not written counts as, where it cannot be absent. An owner of such an
        /// object does not own what was never absent, so these decide which structs appear as owned.
        default Map<String, Json> zeros() {
            return Map.of();
        }
    }

    /// A list of scalars, each with owners of its own.
    record SetList() implements Shape {
        public static final SetList SET = new SetList();
    }

    /// A list of objects that are told apart by some of their fields.
    ///
    /// @param defaults what a key counts as where an item leaves it out
    record MapList(List<String> keys, Map<String, Json> defaults, Shape element) implements Shape {
        public MapList {
            keys = List.copyOf(keys);
            defaults = Map.copyOf(defaults);
        }
    }

    /// A map with any keys.
    record Entries(Shape element) implements Granular {
        @Override
        public Shape entry(String key) {
            return element;
        }

        @Override
        public boolean isField(String key) {
            return false;
        }
    }

    /// What is known where there is no schema: maps are granular, lists are not.
    record Unknown() implements Granular {
        public static final Unknown UNKNOWN = new Unknown();

        @Override
        public Shape entry(String key) {
            return this;
        }

        @Override
        public boolean isField(String key) {
            return false;
        }
    }

    /// Whether the parts of this value have owners: where a schema allows anything, the value itself decides.
    default boolean divides(Json value) {
        return switch (this) {
            case Leaf _, Atomic _ -> false;
            case Granular _ -> value instanceof Json.Obj;
            case SetList _, MapList _ -> value instanceof Json.Arr;
        };
    }

    /// The shape of what a step leads to.
    default Shape at(PathStep step) {
        return switch (this) {
            case Granular granular when step instanceof PathStep.Field(var name) -> granular.entry(name);
            case MapList(var _, var _, var element) -> element;
            case Granular _, Leaf _, Atomic _, SetList _ -> Leaf.LEAF;
        };
    }
}

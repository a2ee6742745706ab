package dev.towtank.model.apply;

import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import java.util.Comparator;
import java.util.Optional;
import java.util.TreeMap;

/// One step of a path into an object, in the spelling of `fieldsV1`.
public sealed interface PathStep extends Comparable<PathStep> {

    /// A field or an entry of a map: `f:name`.
    record Field(String name) implements PathStep {
        @Override
        public String wire() {
            return "f:" + name;
        }

        @Override
        public String toString() {
            return "." + name;
        }
    }

    /// An item of a list of objects, by its keys: `k:{"name":"web"}`.
    record Key(Json.Obj keys) implements PathStep {
        public Key {
            var sorted = new TreeMap<String, Json>();
            keys.forEach(sorted::put);
            keys = Json.Obj.copyOf(sorted);
        }

        @Override
        public String wire() {
            return "k:" + JsonText.write(keys);
        }

        @Override
        public String toString() {
            var text = new StringBuilder();
            keys.forEach((key, value) -> text.append(text.isEmpty() ? "" : ",")
                    .append(key)
                    .append('=')
                    .append(value));
            return "[" + text + "]";
        }

        private int compareKeys(Key other) {
            for (int i = 0; i < Math.min(keys.size(), other.keys.size()); i++) {
                int order = keys.key(i).compareTo(other.keys.key(i));
                order = order != 0 ? order : SCALARS.compare(keys.value(i), other.keys.value(i));
                if (order != 0) {
                    return order;
                }
            }
            return Integer.compare(keys.size(), other.keys.size());
        }
    }

    /// An item of a set: `v:"x"`.
    record Value(Json value) implements PathStep {
        @Override
        public String wire() {
            return "v:" + JsonText.write(value);
        }

        @Override
        public String toString() {
            return "[=" + value + "]";
        }
    }

    /// An item of a list by its place: `i:3`. For items that cannot be told apart otherwise.
    record Index(int place) implements PathStep {
        @Override
        public String wire() {
            return "i:" + place;
        }

        @Override
        public String toString() {
            return "[" + place + "]";
        }
    }

    /// Numbers before texts before flags, each in their own order.
    Comparator<Json> SCALARS = Comparator.comparingInt(PathStep::scalarRank).thenComparing(PathStep::compareAlike);

    String wire();

    @Override
    default int compareTo(PathStep other) {
        if (this instanceof Field(var mine) && other instanceof Field(var theirs)) {
            return mine.compareTo(theirs);
        }
        if (this instanceof Key mine && other instanceof Key theirs) {
            return mine.compareKeys(theirs);
        }
        if (this instanceof Value(var mine) && other instanceof Value(var theirs)) {
            return SCALARS.compare(mine, theirs);
        }
        if (this instanceof Index(var mine) && other instanceof Index(var theirs)) {
            return Integer.compare(mine, theirs);
        }
        return Integer.compare(rank(), other.rank());
    }

    private int rank() {
        return switch (this) {
            case Field _ -> 0;
            case Key _ -> 1;
            case Value _ -> 2;
            case Index _ -> 3;
        };
    }

    private static int scalarRank(Json value) {
        return switch (value) {
            case Json.Int _, Json.Real _ -> 0;
            case Json.Str _ -> 1;
            case Json.Bool _ -> 2;
            case Json.Arr _ -> 3;
            case Json.Obj _ -> 4;
            case Json.Null _ -> 5;
        };
    }

    private static int compareAlike(Json a, Json b) {
        if (a instanceof Json.Int(var mine) && b instanceof Json.Int(var theirs)) {
            return Long.compare(mine, theirs);
        }
        if (a instanceof Json.Str(var mine) && b instanceof Json.Str(var theirs)) {
            return mine.compareTo(theirs);
        }
        return scalarRank(a) == 0
                ? Double.compare(number(a), number(b))
                : a.toString().compareTo(b.toString());
    }

    private static double number(Json value) {
        return value instanceof Json.Int(var whole) ? whole : value instanceof Json.Real(var real) ? real : 0;
    }

    /// Nothing for a step of a kind that is not known: a newer server may have written it.
    ///
    /// @throws IllegalArgumentException when the text is none
    static Optional<PathStep> parse(String wire) {
        if (wire.length() < 2 || wire.charAt(1) != ':') {
            throw new IllegalArgumentException("missing colon in path element \"" + wire + "\"");
        }
        var rest = wire.substring(2);
        try {
            return switch (wire.charAt(0)) {
                case 'f' -> Optional.of(new Field(rest));
                case 'k' -> Optional.of(new Key(JsonText.parseObject(rest)));
                case 'v' -> Optional.of(new Value(JsonText.parse(rest)));
                case 'i' -> Optional.of(new Index(Integer.parseInt(rest)));
                default -> Optional.empty();
            };
        } catch (JsonText.Malformed e) {
            throw new IllegalArgumentException("path element \"" + wire + "\": " + e.getMessage(), e);
        }
    }
}

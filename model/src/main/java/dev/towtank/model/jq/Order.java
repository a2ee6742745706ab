package dev.towtank.model.jq;

import dev.towtank.model.Json;
import java.util.List;

/// The order of all values: null, false, true, numbers, texts, arrays, objects.
final class Order {

    private Order() {}

    static int compare(Json left, Json right) {
        int ranks = Integer.compare(rank(left), rank(right));
        if (ranks != 0) {
            return ranks;
        }
        return switch (left) {
            case Json.Null _, Json.Bool _ -> 0;
            case Json.Int(var a) when right instanceof Json.Int(var b) -> Long.compare(a, b);
            case Json.Int _, Json.Real _ -> Double.compare(number(left), number(right));
            case Json.Str(var a) -> a.compareTo(right.display());
            case Json.Arr items -> compareAll(items.items(), ((Json.Arr) right).items());
            case Json.Obj object -> compareObjects(object, (Json.Obj) right);
        };
    }

    static int compareAll(List<Json> left, List<Json> right) {
        for (int i = 0; i < Math.min(left.size(), right.size()); i++) {
            int order = compare(left.get(i), right.get(i));
            if (order != 0) {
                return order;
            }
        }
        return Integer.compare(left.size(), right.size());
    }

    private static int compareObjects(Json.Obj left, Json.Obj right) {
        var keys = left.keys().stream().sorted().toList();
        var others = right.keys().stream().sorted().toList();
        int names = compareAll(
                keys.stream().map(Json::of).toList(),
                others.stream().map(Json::of).toList());
        if (names != 0) {
            return names;
        }
        return compareAll(
                keys.stream().map(key -> Paths.orNull(left.get(key))).toList(),
                keys.stream().map(key -> Paths.orNull(right.get(key))).toList());
    }

    static double number(Json json) {
        return switch (json) {
            case Json.Int(var value) -> value;
            case Json.Real(var value) -> value;
            case Json.Null _, Json.Bool _, Json.Str _, Json.Arr _, Json.Obj _ ->
                throw new JqError(Texts.type(json) + " (" + Texts.shortened(json) + ") is not a number");
        };
    }

    private static int rank(Json json) {
        return switch (json) {
            case Json.Null _ -> 0;
            case Json.Bool(var value) -> value ? 2 : 1;
            case Json.Int _, Json.Real _ -> 3;
            case Json.Str _ -> 4;
            case Json.Arr _ -> 5;
            case Json.Obj _ -> 6;
        };
    }
}

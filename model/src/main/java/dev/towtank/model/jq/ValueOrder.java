package dev.towtank.model.jq;

import dev.towtank.model.Json;
import java.util.List;

/// The order of all values: null, false, true, numbers, texts, arrays, objects.
final class ValueOrder {

    private ValueOrder() {}

    static int compare(Run run, Json left, Json right) {
        run.step();
        int ranks = Integer.compare(rank(left), rank(right));
        if (ranks != 0) {
            return ranks;
        }
        return switch (left) {
            case Json.Null _, Json.Bool _ -> 0;
            case Json.Int(var a) when right instanceof Json.Int(var b) -> Long.compare(a, b);
            case Json.Int _, Json.Real _ -> Double.compare(number(left) + 0.0, number(right) + 0.0);
            case Json.Str(var a) -> {
                run.copy(a.length());
                yield a.compareTo(right.display());
            }
            case Json.Arr items -> compareAll(run, items.items(), ((Json.Arr) right).items());
            case Json.Obj object -> compareObjects(run, object, (Json.Obj) right);
        };
    }

    static int compareAll(Run run, List<Json> left, List<Json> right) {
        for (int i = 0; i < Math.min(left.size(), right.size()); i++) {
            int order = compare(run, left.get(i), right.get(i));
            if (order != 0) {
                return order;
            }
        }
        return Integer.compare(left.size(), right.size());
    }

    private static int compareObjects(Run run, Json.Obj left, Json.Obj right) {
        run.copy(left.size() + (long) right.size());
        var keys = left.keys().stream().sorted().toList();
        var others = right.keys().stream().sorted().toList();
        int names = compareAll(
                run,
                keys.stream().map(Json::of).toList(),
                others.stream().map(Json::of).toList());
        if (names != 0) {
            return names;
        }
        return compareAll(
                run,
                keys.stream().map(key -> Paths.orNull(left.get(key))).toList(),
                keys.stream().map(key -> Paths.orNull(right.get(key))).toList());
    }

    static double number(Json json) {
        return switch (json) {
            case Json.Int(var value) -> value;
            case Json.Real(var value) -> value;
            case Json.Null _, Json.Bool _, Json.Str _, Json.Arr _, Json.Obj _ ->
                throw Texts.wrong(json, "is not a number");
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

package dev.towtank.model.apply;

import dev.towtank.model.Json;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The items of a divided list under the step that tells each apart.
final class Items {

    private Items() {}

    record Item(PathStep step, Json value) {}

    /// In their order. An item that cannot be told apart for want of its keys is known by its place: such
    /// lists exist, and their owners must still be able to change them.
    static List<Item> of(Json.Arr list, Shape shape) {
        var found = new ArrayList<Item>(list.size());
        for (int place = 0; place < list.size(); place++) {
            found.add(new Item(step(list.get(place), shape, place), list.get(place)));
        }
        return found;
    }

    /// Items with the same step together; such twins have one owner.
    static Map<PathStep, List<Json>> grouped(Json value, Shape shape) {
        var groups = new LinkedHashMap<PathStep, List<Json>>();
        if (value instanceof Json.Arr list) {
            of(list, shape)
                    .forEach(item -> groups.computeIfAbsent(item.step, _ -> new ArrayList<>(1))
                            .add(item.value));
        }
        return groups;
    }

    /// What keeps a list from being applied, in the words of Kubernetes; empty when nothing does.
    static List<String> problems(Json.Arr list, Shape shape) {
        var problems = new ArrayList<String>();
        var seen = new HashSet<PathStep>();
        for (int place = 0; place < list.size(); place++) {
            var step = step(list.get(place), shape, place);
            if (step instanceof PathStep.Index) {
                problems.add("element " + place + ": " + reason(list.get(place), shape));
            } else if (!seen.add(step)) {
                problems.add("duplicate entries for key " + step);
            }
        }
        return problems;
    }

    private static String reason(Json item, Shape shape) {
        if (shape instanceof Shape.MapList(var keys, var _, var _)) {
            return switch (item) {
                case Json.Null _ -> "associative list with keys may not have a null element";
                case Json.Obj _ ->
                    "associative list with keys has an element that omits all key fields "
                            + keys.stream()
                                    .map(key -> '"' + key + '"')
                                    .toList()
                                    .toString()
                                    .replace(", ", " ")
                            + " (and doesn't have default values for any key fields)";
                case Json.Arr _, Json.Bool _, Json.Int _, Json.Real _, Json.Str _ ->
                    "associative list with keys may not have non-map elements";
            };
        }
        return switch (item) {
            case Json.Obj _ -> "associative list without keys has an element that's a map type";
            case Json.Arr _ -> "not supported: associative list with lists as elements";
            case Json.Null _, Json.Bool _, Json.Int _, Json.Real _, Json.Str _ ->
                "associative list without keys has an element that's an explicit null";
        };
    }

    private static PathStep step(Json item, Shape shape, int place) {
        if (shape instanceof Shape.MapList list) {
            return item instanceof Json.Obj object ? key(object, list, place) : new PathStep.Index(place);
        }
        return switch (item) {
            case Json.Obj _, Json.Arr _, Json.Null _ -> new PathStep.Index(place);
            case Json.Bool _, Json.Int _, Json.Real _, Json.Str _ -> new PathStep.Value(item);
        };
    }

    private static PathStep key(Json.Obj item, Shape.MapList list, int place) {
        var keys = Json.Obj.builder();
        for (var key : list.keys()) {
            var value = item.get(key);
            if (value == null) {
                value = list.defaults().get(key);
            }
            if (value != null) {
                keys.put(key, value);
            }
        }
        var found = keys.build();
        return found.size() == 0 ? new PathStep.Index(place) : new PathStep.Key(found);
    }
}

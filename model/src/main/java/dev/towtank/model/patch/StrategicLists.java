package dev.towtank.model.patch;

import dev.towtank.model.Json;
import dev.towtank.model.Schema;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// How strategic merge patches merge one list.
///
/// @param key that tells objects apart; empty for a list of scalars
/// @param element what the schema says about the items
record StrategicLists(String key, Schema.@Nullable Value element) {

    Json.Arr merge(Json.Arr original, Json.Arr patch) {
        if (original.size() == 0 && patch.size() == 0) {
            return original;
        }
        return holdsObjects(original, patch) ? mergeObjects(original, patch) : mergeScalars(original, patch);
    }

    static Json.Arr without(Json.Arr list, Json.Arr unwanted) {
        var gone = new HashSet<>(unwanted.items());
        return new Json.Arr(
                list.items().stream().filter(item -> !gone.contains(item)).toList());
    }

    private Json.Arr mergeScalars(Json.Arr original, Json.Arr patch) {
        var both = new LinkedHashSet<>(original.items());
        both.addAll(patch.items());
        return arrange(new Json.Arr(List.copyOf(both)), patch, original);
    }

    private Json.Arr mergeObjects(Json.Arr original, Json.Arr patch) {
        if (key.isEmpty()) {
            var name = element instanceof Schema.Value.ObjectOf(var type) ? type.simpleName() : "list";
            throw StrategicMergePatch.bad("cannot merge lists without merge key for " + name);
        }
        var deleted = new HashSet<Json>();
        var changes = new ArrayList<Json>();
        if (directives(patch, deleted, changes)) {
            return new Json.Arr(changes.stream().map(StrategicMergePatch::clean).toList());
        }
        var merged = new ArrayList<>(remaining(original, deleted));
        var positions = positions(new Json.Arr(merged));
        for (var change : changes) {
            var object = (Json.Obj) change;
            var position = positions.get(keyOf(object));
            if (position == null) {
                positions.put(keyOf(object), merged.size());
                merged.add(StrategicMergePatch.merge(Json.Obj.EMPTY, object, element));
            } else {
                merged.set(position, StrategicMergePatch.merge((Json.Obj) merged.get(position), object, element));
            }
        }
        return arrange(new Json.Arr(merged), new Json.Arr(changes), original);
    }

    private List<Json> remaining(Json.Arr original, Set<Json> deleted) {
        return original.items().stream()
                .filter(item -> !(item instanceof Json.Obj object) || !deleted.contains(keyOr(object, Json.Null.NULL)))
                .toList();
    }

    /// The order that the server's own items keep under a given order: an added item takes the place of a deleted one.
    Json.Arr liveOrder(Json.Arr original, Json.Arr patch) {
        if (key.isEmpty()) {
            return original;
        }
        var deleted = new HashSet<Json>();
        var changes = new ArrayList<Json>();
        directives(patch, deleted, changes);
        var live = new ArrayList<>(remaining(original, deleted));
        var present = positions(new Json.Arr(live)).keySet();
        changes.stream().filter(item -> !present.contains(identity(item))).forEach(live::add);
        return new Json.Arr(live.subList(0, Math.min(live.size(), original.size())));
    }

    /// Sorts a patch into keys to delete and items to merge; true when the items replace the list.
    private boolean directives(Json.Arr patch, Set<Json> deleted, List<Json> changes) {
        boolean replaces = false;
        for (var item : patch.objects()) {
            var directive = item.get(StrategicMergePatch.DIRECTIVE);
            if (directive == null) {
                changes.add(item);
                continue;
            }
            switch (directive.display()) {
                case "delete" -> deleted.add(keyOf(item));
                case "replace" -> replaces = true;
                case "merge" -> throw StrategicMergePatch.bad("merging lists cannot yet be specified in the patch");
                default ->
                    throw StrategicMergePatch.unknown("unknown patch type: " + directive.display() + " in map: "
                            + StrategicMergePatch.goText(item));
            }
        }
        return replaces;
    }

    /// Puts the items named in `order` in that order; the others keep their place among them as far as they can.
    Json.Arr arrange(Json.Arr items, Json.Arr order, Json.Arr live) {
        var wanted = positions(order);
        var current = positions(live);
        var ordered = new ArrayList<Json>();
        var others = new ArrayList<Json>();
        for (var item : items) {
            (wanted.containsKey(identity(item)) ? ordered : others).add(item);
        }
        ordered.sort(Comparator.comparingInt(item -> wanted.getOrDefault(identity(item), Integer.MAX_VALUE)));
        others.sort(Comparator.comparingInt(item -> current.getOrDefault(identity(item), Integer.MAX_VALUE)));
        var all = new ArrayList<Json>(items.size());
        int next = 0;
        for (var item : ordered) {
            var place = current.get(identity(item));
            while (place != null && next < others.size() && isBefore(others.get(next), place, current)) {
                all.add(others.get(next++));
            }
            all.add(item);
        }
        all.addAll(others.subList(next, others.size()));
        return new Json.Arr(all);
    }

    private boolean isBefore(Json item, int place, Map<Json, Integer> current) {
        var position = current.get(identity(item));
        return position != null && position < place;
    }

    /// The items of a patch must stand in the order that is asked for.
    void checkOrder(Json.Arr patch, Json.Arr order) {
        if (order.size() == 0) {
            return;
        }
        var wanted = positions(order);
        int last = -1;
        for (var item : patch) {
            if (item instanceof Json.Obj object && object.has(StrategicMergePatch.DIRECTIVE)) {
                continue;
            }
            var position = wanted.get(identity(item));
            if (position == null || position < last) {
                throw StrategicMergePatch.bad("The order in patch list:\n" + StrategicMergePatch.goText(patch)
                        + "\n doesn't match $setElementOrder list:\n" + StrategicMergePatch.goText(order) + "\n");
            }
            last = position;
        }
    }

    private Map<Json, Integer> positions(Json.Arr items) {
        var positions = new HashMap<Json, Integer>();
        for (int i = 0; i < items.size(); i++) {
            positions.putIfAbsent(identity(items.get(i)), i);
        }
        return positions;
    }

    private Json identity(Json item) {
        if (key.isEmpty()) {
            return item;
        }
        if (item instanceof Json.Obj object) {
            return keyOf(object);
        }
        throw StrategicMergePatch.bad(
                "expected a map[string]interface {}, but received a " + StrategicMergePatch.goType(item));
    }

    private Json keyOf(Json.Obj object) {
        var value = object.get(key);
        if (value == null) {
            throw StrategicMergePatch.bad(
                    "map: " + StrategicMergePatch.goText(object) + " does not contain declared merge key: " + key);
        }
        return value;
    }

    private Json keyOr(Json.Obj object, Json fallback) {
        var value = object.get(key);
        return value == null ? fallback : value;
    }

    private static boolean holdsObjects(Json.Arr original, Json.Arr patch) {
        Json first = null;
        for (var list : List.of(original, patch)) {
            for (var item : list) {
                if (item instanceof Json.Arr) {
                    throw StrategicMergePatch.bad("lists of lists are not supported");
                }
                if (first != null && item.getClass() != first.getClass()) {
                    throw StrategicMergePatch.bad("list element types are not identical: ["
                            + StrategicMergePatch.goText(original) + " " + StrategicMergePatch.goText(patch) + "]");
                }
                first = item;
            }
        }
        return first instanceof Json.Obj;
    }
}

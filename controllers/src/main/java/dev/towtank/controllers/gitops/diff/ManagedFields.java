package dev.towtank.controllers.gitops.diff;

import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/// Which fields of an object belong to whom, as its `managedFields` say.
public final class ManagedFields {

    private ManagedFields() {}

    private static List<Json.Obj> entries(Json.Obj object, List<String> managers) {
        return object.objects("metadata", "managedFields").stream()
                .filter(entry -> managers.contains(entry.string("manager")))
                .map(entry -> entry.object("fieldsV1"))
                .toList();
    }

    /// A tree without the fields that some managers own in the live object.
    static Json without(Json tree, Json.Obj live, List<String> managers) {
        var left = tree;
        for (var fields : entries(live, managers)) {
            left = without(left, fields);
        }
        return left;
    }

    /// The owners of an object once what one of them wrote by updates belongs to another, who applies; empty where
    /// there
    /// is nothing to hand over.
    public static Optional<Json.Arr> adopted(Json.Obj live, String from, String to) {
        var entries = live.objects("metadata", "managedFields");
        var old = entries.stream().filter(each -> is(each, from, "Update")).toList();
        if (old.isEmpty()) {
            return Optional.empty();
        }
        var fields = old.stream().map(each -> each.object("fieldsV1")).reduce(Json.Obj.EMPTY, ManagedFields::union);
        var heir = entries.stream()
                .filter(each -> is(each, to, "Apply"))
                .findFirst()
                .orElse(old.getLast().with("manager", Json.of(to)).with("operation", Json.of("Apply")));
        var left = new ArrayList<Json>(entries);
        left.removeAll(old);
        left.remove(heir);
        left.add(heir.with("fieldsV1", union(heir.object("fieldsV1"), fields)));
        return Optional.of(new Json.Arr(left));
    }

    private static boolean is(Json.Obj entry, String manager, String operation) {
        return entry.string("manager").equals(manager)
                && entry.string("operation").equals(operation)
                && entry.string("subresource").isEmpty();
    }

    private static Json.Obj union(Json.Obj one, Json.Obj other) {
        var all = one.toBuilder();
        for (var key : other.keys()) {
            all.put(key, union(one.object(key), other.object(key)));
        }
        return all.build();
    }

    private static boolean isOwnedWhole(Json.Obj fields) {
        return fields.size() == 0 || (fields.has(".") && fields.size() == 1);
    }

    private static Json without(Json tree, Json.Obj fields) {
        var left = tree;
        for (var field : fields.keys()) {
            if (field.startsWith("f:") && left instanceof Json.Obj object && object.has(field.substring(2))) {
                var name = field.substring(2);
                var inner = fields.object(field);
                left = isOwnedWhole(inner)
                        ? object.without(name)
                        : object.with(name, without(Objects.requireNonNull(object.get(name)), inner));
            } else if (left instanceof Json.Arr(var items)) {
                left = withoutItem(items, field, fields.object(field));
            }
        }
        return left;
    }

    private static Json.Arr withoutItem(List<Json> items, String field, Json.Obj inner) {
        var left = new ArrayList<Json>();
        for (var item : items) {
            if (!isMeant(item, field)) {
                left.add(item);
            } else if (!isOwnedWhole(inner) && !inner.has(".")) {
                left.add(without(item, inner));
            }
        }
        return new Json.Arr(left);
    }

    /// `k:{"name":"x"}` means an item by its keys, `v:1` by itself.
    private static boolean isMeant(Json item, String field) {
        try {
            if (field.startsWith("v:")) {
                return JsonText.parse(field.substring(2)).equals(item);
            }
            return field.startsWith("k:")
                    && item instanceof Json.Obj object
                    && JsonText.parse(field.substring(2)) instanceof Json.Obj keys
                    && keys.keys().stream().allMatch(key -> Objects.equals(keys.get(key), object.get(key)));
        } catch (JsonText.Malformed e) {
            return false;
        }
    }

    /// Which fields of a target others own in the live object, by their managers.
    ///
    /// @param us who is no other
    public static Map<String, List<String>> contested(Json.Obj live, Json.Obj target, String us) {
        var contested = new TreeMap<String, List<String>>();
        for (var entry : live.objects("metadata", "managedFields")) {
            var manager = entry.string("manager");
            if (!manager.equals(us) && entry.string("subresource").isEmpty()) {
                var paths = new ArrayList<String>();
                common("", entry.object("fieldsV1"), target, paths);
                if (!paths.isEmpty()) {
                    contested.put(manager, paths);
                }
            }
        }
        return contested;
    }

    private static void common(String path, Json.Obj fields, Json tree, List<String> found) {
        for (var field : fields.keys()) {
            var inner = fields.object(field);
            if (field.startsWith("f:") && tree instanceof Json.Obj object && object.has(field.substring(2))) {
                var name = path + "." + field.substring(2);
                if (isOwnedWhole(inner)) {
                    found.add(name);
                } else {
                    common(name, inner, Objects.requireNonNull(object.get(field.substring(2))), found);
                }
            } else if (field.startsWith("k:") && tree instanceof Json.Arr(var items)) {
                items.stream()
                        .filter(item -> isMeant(item, field))
                        .forEach(item -> common(path + "[" + field.substring(2) + "]", inner, item, found));
            }
        }
    }
}

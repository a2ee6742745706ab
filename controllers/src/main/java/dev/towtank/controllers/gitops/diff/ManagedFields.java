package dev.towtank.controllers.gitops.diff;

import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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

    /// Who besides somebody owns fields of an object, by the fields' paths.
    public static Map<String, String> owners(Json.Obj object) {
        var owners = new TreeMap<String, String>();
        for (var entry : object.objects("metadata", "managedFields")) {
            if (entry.string("subresource").isEmpty()) {
                leaves("", entry.object("fieldsV1"))
                        .forEach(path ->
                                owners.merge(path, entry.string("manager"), (one, other) -> one + ", " + other));
            }
        }
        return owners;
    }

    private static List<String> leaves(String path, Json.Obj fields) {
        var all = new ArrayList<String>();
        for (var field : fields.keys()) {
            if (!field.equals(".")) {
                var step = field.startsWith("f:") ? "." + field.substring(2) : "[" + field.substring(2) + "]";
                var inner = fields.object(field);
                if (isOwnedWhole(inner)) {
                    all.add(path + step);
                } else {
                    all.addAll(leaves(path + step, inner));
                }
            }
        }
        return all;
    }
}

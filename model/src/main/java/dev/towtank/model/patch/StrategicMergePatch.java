package dev.towtank.model.patch;

import dev.towtank.model.Json;
import dev.towtank.model.Schema;
import dev.towtank.model.StatusError;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Kubernetes' own merge: objects merge, null takes away, and lists merge by key where the schema says so.
///
/// A patch may carry directives: `$patch: replace|delete`, `$retainKeys`, `$setElementOrder/list` and
/// `$deleteFromPrimitiveList/list`. None of them reaches the result.
public final class StrategicMergePatch {

    static final String DIRECTIVE = "$patch";
    private static final String RETAIN_KEYS = "$retainKeys";
    private static final String SET_ORDER = "$setElementOrder";
    private static final String DELETE_FROM_LIST = "$deleteFromPrimitiveList";

    private StrategicMergePatch() {}

    /// The merged object; a patch that makes no sense is a bad request in Kubernetes' words.
    public static Json.Obj apply(Json.Obj original, Json.Obj patch, Schema.Type type) {
        return merge(original, patch, new Schema.Value.ObjectOf(type));
    }

    /// What the schema knows about a field: what stands there, and how it merges.
    private record Slot(Schema.@Nullable Value value, Schema.PatchStrategy strategy) {
        static final Slot UNKNOWN = new Slot(null, Schema.PatchStrategy.NONE);
    }

    static Json.Obj merge(Json.Obj original, Json.Obj patch, Schema.@Nullable Value here) {
        var directive = patch.get(DIRECTIVE);
        if (directive != null) {
            return directed(directive, patch);
        }
        if (patch.size() == 0) {
            return original;
        }
        var merged = new LinkedHashMap<String, Json>();
        original.forEach(merged::put);
        var changes = new LinkedHashMap<String, Json>();
        patch.forEach(changes::put);
        retainKeys(merged, changes);
        for (var key : patch.keys()) {
            if (key.startsWith(SET_ORDER)) {
                reorder(listName(key, SET_ORDER), asList(changes.remove(key)), merged, changes, here);
            }
        }
        changes.forEach((key, change) -> change(key, change, merged, here));
        return Json.Obj.copyOf(merged);
    }

    private static Json.Obj directed(Json directive, Json.Obj patch) {
        return switch (directive.display()) {
            case "replace" -> clean(patch.without(DIRECTIVE));
            case "delete" -> Json.Obj.EMPTY;
            default -> throw unknown("unknown patch type: " + directive.display() + " in map: " + goText(patch));
        };
    }

    private static void retainKeys(Map<String, Json> merged, Map<String, Json> changes) {
        var directive = changes.remove(RETAIN_KEYS);
        if (directive == null) {
            return;
        }
        if (!(directive instanceof Json.Arr list)) {
            throw bad("invalid patch format of retainKeys");
        }
        var kept = new HashSet<>(list.strings());
        changes.forEach((key, change) -> {
            boolean mayStand =
                    change instanceof Json.Null || key.startsWith(DELETE_FROM_LIST) || key.startsWith(SET_ORDER);
            if (!mayStand && !kept.contains(key)) {
                throw bad("invalid patch format of retainKeys");
            }
        });
        merged.keySet().retainAll(kept);
    }

    /// Merges the list that an order is given for, and puts it in that order. Takes the list out of the changes.
    private static void reorder(
            String name,
            Json.Arr order,
            Map<String, Json> merged,
            Map<String, Json> changes,
            Schema.@Nullable Value here) {
        var original = merged.containsKey(name) ? asList(merged.get(name)) : null;
        var patch = changes.containsKey(name) ? asList(changes.get(name)) : null;
        var slot = slot(here, name);
        if (slot.value == null && here instanceof Schema.Value.ObjectOf(var type)) {
            throw bad(
                    "unable to find api field in struct " + type.simpleName() + " for the json field \"" + name + "\"");
        }
        var lists = new StrategicLists(slot.strategy.key(), element(slot.value));
        if (patch != null) {
            lists.checkOrder(patch, order);
        }
        changes.remove(name);
        if (patch == null) {
            if (original != null) {
                merged.put(name, lists.arrange(original, order, original));
            }
        } else if (original == null) {
            var added = (Json.Arr) clean(patch);
            merged.put(name, lists.arrange(added, order, added));
        } else {
            var whole = slot.strategy.merge() ? lists.merge(original, patch) : patch;
            merged.put(name, lists.arrange(whole, order, lists.liveOrder(original, patch)));
        }
    }

    private static void change(String key, Json change, Map<String, Json> merged, Schema.@Nullable Value here) {
        boolean deletes = key.startsWith(DELETE_FROM_LIST);
        var name = deletes ? listName(key, DELETE_FROM_LIST) : key;
        var present = merged.get(name);
        if (change instanceof Json.Null) {
            merged.remove(name);
        } else if (deletes) {
            if (present instanceof Json.Arr list && change instanceof Json.Arr unwanted) {
                merged.put(name, StrategicLists.without(list, unwanted));
            }
        } else if (present instanceof Json.Obj before && change instanceof Json.Obj after) {
            var slot = slot(here, name);
            merged.put(name, slot.strategy.replace() ? clean(after) : merge(before, after, slot.value));
        } else if (present instanceof Json.Arr before && change instanceof Json.Arr after) {
            var slot = slot(here, name);
            merged.put(
                    name,
                    slot.strategy.merge()
                            ? new StrategicLists(slot.strategy.key(), element(slot.value)).merge(before, after)
                            : clean(after));
        } else if (change instanceof Json.Obj object && object.has(DIRECTIVE)) {
            merged.remove(name);
        } else {
            merged.put(name, clean(change));
        }
    }

    private static Slot slot(Schema.@Nullable Value here, String name) {
        if (here instanceof Schema.Value.ObjectOf(var type)) {
            var field = type.field(name);
            return field == null ? Slot.UNKNOWN : new Slot(field.value(), field.patch());
        }
        return here instanceof Schema.Value.MapOf(var element, var _)
                ? new Slot(element, Schema.PatchStrategy.NONE)
                : Slot.UNKNOWN;
    }

    private static Schema.@Nullable Value element(Schema.@Nullable Value list) {
        return list instanceof Schema.Value.ListOf(var element, var _, var _) ? element : null;
    }

    private static String listName(String key, String prefix) {
        if (key.startsWith(prefix + "/")) {
            return key.substring(prefix.length() + 1);
        }
        throw bad(
                prefix.equals(SET_ORDER)
                        ? "invalid patch format of setElementOrder list"
                        : "invalid patch format of primitive list");
    }

    private static Json.Arr asList(@Nullable Json json) {
        if (json instanceof Json.Arr list) {
            return list;
        }
        throw bad("expected a []interface {}, but received a " + goType(json));
    }

    /// What a patch says where there is nothing to merge with: without nulls, directives and deleted parts.
    static Json clean(Json json) {
        return switch (json) {
            case Json.Obj object -> clean(object);
            case Json.Arr list ->
                new Json.Arr(list.items().stream()
                        .filter(item -> !(item instanceof Json.Obj object && object.has(DIRECTIVE)))
                        .map(StrategicMergePatch::clean)
                        .toList());
            case Json.Null _, Json.Bool _, Json.Int _, Json.Real _, Json.Str _ -> json;
        };
    }

    static Json.Obj clean(Json.Obj object) {
        var builder = Json.Obj.builder();
        object.forEach((key, value) -> {
            boolean directive = key.equals(RETAIN_KEYS)
                    || key.startsWith(SET_ORDER + "/")
                    || key.startsWith(DELETE_FROM_LIST + "/");
            boolean deleted = value instanceof Json.Obj inner && inner.has(DIRECTIVE);
            if (!directive && !deleted && !(value instanceof Json.Null)) {
                builder.put(key, clean(value));
            }
        });
        return builder.build();
    }

    /// A mistake that Kubernetes has no reason for.
    static StatusError unknown(String message) {
        return new StatusError(StatusError.Reason.UNKNOWN, message);
    }

    static StatusError bad(String message) {
        return StatusError.badRequest(message);
    }

    /// As Go prints a map: `map[name:web ports:[map[containerPort:80]]]`.
    static String goText(Json json) {
        return switch (json) {
            case Json.Null _ -> "<nil>";
            case Json.Bool _, Json.Int _, Json.Real _ -> json.toString();
            case Json.Str(var text) -> text;
            case Json.Arr list ->
                "["
                        + String.join(
                                " ",
                                list.items().stream()
                                        .map(StrategicMergePatch::goText)
                                        .toList()) + "]";
            case Json.Obj object -> {
                var entries = new TreeMap<String, String>();
                object.forEach((key, value) -> entries.put(key, key + ":" + goText(value)));
                yield "map[" + String.join(" ", entries.values()) + "]";
            }
        };
    }

    static String goType(@Nullable Json json) {
        return switch (json) {
            case null -> "%!s(<nil>)";
            case Json.Null _ -> "%!s(<nil>)";
            case Json.Bool _ -> "bool";
            case Json.Int _ -> "int64";
            case Json.Real _ -> "float64";
            case Json.Str _ -> "string";
            case Json.Arr _ -> "[]interface {}";
            case Json.Obj _ -> "map[string]interface {}";
        };
    }
}

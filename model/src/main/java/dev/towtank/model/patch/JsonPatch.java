package dev.towtank.model.patch;

import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.StatusError;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// RFC 6902 as Kubernetes runs it, which is more lenient: `replace` of a missing field adds it, a missing field and
/// null test as equal, indexes may count from the end (`-1`), and a left out value is null.
public final class JsonPatch {

    public static final int MAX_OPERATIONS = 10_000;

    /// Copies of copies double; this bounds what one patch may make of a small document.
    private static final long MAX_COPIED_BYTES = 3L * 1024 * 1024;

    private JsonPatch() {}

    /// The changed document; a patch that cannot be applied is a [StatusError] with the answer of Kubernetes.
    public static Json apply(Json document, Json.Arr operations) {
        if (operations.size() > MAX_OPERATIONS) {
            throw new StatusError(
                    StatusError.Reason.REQUEST_TOO_LARGE,
                    "Request entity too large: The allowed maximum operations in a JSON patch is " + MAX_OPERATIONS
                            + ", got " + operations.size());
        }
        for (var operation : operations) {
            if (!(operation instanceof Json.Obj)) {
                throw StatusError.badRequest(
                        "json: cannot unmarshal " + goName(operation) + " into Go value of type jsonpatch.Operation");
            }
        }
        var run = new Run(document);
        operations.objects().forEach(run::step);
        return close(run.root);
    }

    /// What Go calls a value of this form.
    static String goName(Json json) {
        return switch (json) {
            case Json.Null _ -> "null";
            case Json.Bool _ -> "bool";
            case Json.Int _, Json.Real _ -> "number";
            case Json.Str _ -> "string";
            case Json.Arr _ -> "array";
            case Json.Obj _ -> "object";
        };
    }

    /// The document while it changes. What no operation goes through stays closed, and shared with the original.
    private sealed interface Node {
        record Closed(Json json) implements Node {}

        record Fields(Map<String, Node> fields) implements Node {}

        record Items(List<Node> items) implements Node {}
    }

    /// Where a path ends: the opened object or list, and the key in it.
    private record Place(Node holder, String key, int depth) {}

    private static final class Run {
        private Node root;
        private long copiedBytes;

        Run(Json document) {
            root = open(new Node.Closed(document));
        }

        void step(Json.Obj operation) {
            var name = operation.get("op") instanceof Json.Str(var text) ? text : "unknown";
            switch (name) {
                case "add" -> add(operation);
                case "remove" -> remove(operation);
                case "replace" -> replace(operation);
                case "move" -> move(operation);
                case "copy" -> copy(operation);
                case "test" -> test(operation);
                default -> throw refused("Unexpected kind: " + name);
            }
        }

        private void add(Json.Obj operation) {
            var path = pointer(operation, "path", "add operation failed to decode path: ");
            var place = find(path);
            if (place == null) {
                throw missing("add operation does not apply: doc is missing path: \"" + path + "\"");
            }
            insert(place, new Node.Closed(value(operation)), "error in add for path: '" + path + "': ");
        }

        private void remove(Json.Obj operation) {
            var path = pointer(operation, "path", "remove operation failed to decode path: ");
            var place = find(path);
            if (place == null) {
                throw missing("remove operation does not apply: doc is missing path: \"" + path + "\"");
            }
            take(place, "error in remove for path: '" + path + "': ");
        }

        private void replace(Json.Obj operation) {
            var path = pointer(operation, "path", "replace operation failed to decode path: ");
            if (path.isEmpty()) {
                root = open(new Node.Closed(value(operation)));
                if (root instanceof Node.Closed) {
                    throw refused("replace operation value must be object or array");
                }
                return;
            }
            var place = find(path);
            if (place == null) {
                throw missing("replace operation does not apply: doc is missing path: " + path);
            }
            var value = new Node.Closed(value(operation));
            checkDepth(place, value.json());
            if (place.holder instanceof Node.Items(var items)) {
                var index = index(place.key);
                if (index == null || index < -items.size() || index >= items.size()) {
                    throw missing("replace operation does not apply: doc is missing key: " + path);
                }
                items.set(index < 0 ? index + items.size() : index, value);
            } else if (place.holder instanceof Node.Fields(var fields)) {
                fields.put(place.key, value);
            }
        }

        private void move(Json.Obj operation) {
            var from = pointer(operation, "from", "move operation failed to decode from: ");
            var source = find(from);
            if (source == null) {
                throw missing("move operation does not apply: doc is missing from path: " + from);
            }
            var moved = take(source, "error in move for path: '" + source.key + "': ");
            var path = pointer(operation, "path", "move operation failed to decode path: ");
            var place = find(path);
            if (place == null) {
                throw missing("move operation does not apply: doc is missing destination path: " + path);
            }
            insert(place, new Node.Closed(close(moved)), "error in move for path: '" + path + "': ");
        }

        private void copy(Json.Obj operation) {
            var from = pointer(operation, "from", "copy operation failed to decode from: ");
            var source = find(from);
            if (source == null) {
                throw missing("copy operation does not apply: doc is missing from path: " + from);
            }
            var value = look(source, "error in copy for from: '" + from + "': ");
            var path = pointer(operation, "path", "copy operation failed to decode path: ");
            var place = find(path);
            if (place == null) {
                throw missing("copy operation does not apply: doc is missing destination path: " + path);
            }
            var copied = value == null ? Json.Null.NULL : close(value);
            copiedBytes += JsonText.bytes(copied).length;
            if (copiedBytes > MAX_COPIED_BYTES) {
                throw refused("Unable to complete the copy, the accumulated size increase of copy is " + copiedBytes
                        + ", exceeding the limit " + MAX_COPIED_BYTES);
            }
            insert(place, new Node.Closed(copied), "error while adding value during copy: ");
        }

        private void test(Json.Obj operation) {
            var path = pointer(operation, "path", "test operation failed to decode path: ");
            var actual = root;
            if (!path.isEmpty()) {
                var place = find(path);
                if (place == null) {
                    throw missing("test operation does not apply: is missing path: " + path);
                }
                actual = look(place, "error in test for path: '" + path + "': ");
            }
            var shown = actual == null ? Json.Null.NULL : close(actual);
            if (!shown.equals(value(operation))) {
                throw refused("testing value " + path + " failed: test failed");
            }
        }

        private @Nullable Place find(String path) {
            var parts = path.split("/", -1);
            if (parts.length < 2) {
                return null;
            }
            var here = root;
            for (int i = 1; i < parts.length - 1; i++) {
                var next = enter(here, unescape(parts[i]));
                if (next == null) {
                    return null;
                }
                here = next;
            }
            return here instanceof Node.Closed
                    ? null
                    : new Place(here, unescape(parts[parts.length - 1]), parts.length - 1);
        }

        // Opens the child, so that what changes below is seen from here.
        private static @Nullable Node enter(Node holder, String key) {
            var opened = switch (holder) {
                case Node.Fields(var fields) -> fields.computeIfPresent(key, (_, child) -> open(child));
                case Node.Items(var items) -> {
                    var index = index(key);
                    if (index == null || index < -items.size() || index >= items.size()) {
                        yield null;
                    }
                    int position = index < 0 ? index + items.size() : index;
                    items.set(position, open(items.get(position)));
                    yield items.get(position);
                }
                case Node.Closed _ -> null;
            };
            return opened instanceof Node.Closed ? null : opened;
        }

        private static @Nullable Node look(Place place, String failure) {
            return switch (place.holder) {
                case Node.Fields(var fields) -> fields.get(place.key);
                case Node.Items(var items) -> items.get(position(place.key, items.size(), failure));
                case Node.Closed _ -> null;
            };
        }

        private static Node take(Place place, String failure) {
            return switch (place.holder) {
                case Node.Fields(var fields) -> {
                    var taken = fields.remove(place.key);
                    if (taken == null) {
                        throw missing(failure + "Unable to remove nonexistent key: " + place.key);
                    }
                    yield taken;
                }
                case Node.Items(var items) -> items.remove(position(place.key, items.size(), failure));
                case Node.Closed closed -> closed;
            };
        }

        private static void insert(Place place, Node.Closed value, String failure) {
            checkDepth(place, value.json());
            switch (place.holder) {
                case Node.Fields(var fields) -> fields.put(place.key, value);
                case Node.Items(var items) -> {
                    if (place.key.equals("-")) {
                        items.add(value);
                    } else {
                        items.add(position(place.key, items.size() + 1, failure), value);
                    }
                }
                case Node.Closed _ -> {}
            }
        }

        private static int position(String key, int size, String failure) {
            var index = index(key);
            if (index == null) {
                throw refused(failure + "value was not a proper array index: '" + key + "'");
            }
            if (index < -size || index >= size) {
                throw refused(failure + "Unable to access invalid index: " + index + ": invalid index referenced");
            }
            return index < 0 ? index + size : index;
        }
    }

    private static Node open(Node node) {
        return switch (node) {
            case Node.Closed(Json.Obj object) -> {
                var fields = new LinkedHashMap<String, Node>();
                object.forEach((key, value) -> fields.put(key, new Node.Closed(value)));
                yield new Node.Fields(fields);
            }
            case Node.Closed(Json.Arr list) -> {
                var items = new ArrayList<Node>(list.size());
                list.forEach(item -> items.add(new Node.Closed(item)));
                yield new Node.Items(items);
            }
            case Node.Closed _, Node.Fields _, Node.Items _ -> node;
        };
    }

    private static Json close(Node node) {
        return switch (node) {
            case Node.Closed(var json) -> json;
            case Node.Fields(var fields) -> {
                var builder = Json.Obj.builder();
                fields.forEach((key, value) -> builder.put(key, close(value)));
                yield builder.build();
            }
            case Node.Items(var items) ->
                new Json.Arr(items.stream().map(JsonPatch::close).toList());
        };
    }

    private static String pointer(Json.Obj operation, String field, String failure) {
        if (operation.get(field) instanceof Json.Str(var text)) {
            return text;
        }
        throw refused(failure + "operation missing " + field + " field: missing value");
    }

    private static Json value(Json.Obj operation) {
        var value = operation.get("value");
        return value == null ? Json.Null.NULL : value;
    }

    private static @Nullable Integer index(String key) {
        try {
            return Integer.valueOf(key);
        } catch (NumberFormatException e) {
            return null;
        }
    }

    private static String unescape(String part) {
        return part.indexOf('~') < 0 ? part : part.replace("~1", "/").replace("~0", "~");
    }

    // Operations can nest a document deeper than any text may be; trees are walked by recursion.
    private static void checkDepth(Place place, Json value) {
        if (place.depth + depth(value) > JsonText.MAX_DEPTH) {
            throw refused("the patch nests the document deeper than " + JsonText.MAX_DEPTH + " levels");
        }
    }

    private static int depth(Json json) {
        int deepest = 0;
        if (json instanceof Json.Obj object) {
            for (int i = 0; i < object.size(); i++) {
                deepest = Math.max(deepest, depth(object.value(i)) + 1);
            }
        } else if (json instanceof Json.Arr list) {
            for (var item : list) {
                deepest = Math.max(deepest, depth(item) + 1);
            }
        }
        return deepest;
    }

    private static StatusError missing(String why) {
        return refused(why + ": missing value");
    }

    // The message is the one of Kubernetes, which does not say why; the cause does, and kubectl shows it.
    private static StatusError refused(String why) {
        return new StatusError(
                StatusError.Reason.INVALID,
                "the server rejected our request due to an error in our request",
                Json.Obj.of("causes", Json.Arr.of(Json.Obj.of("message", Json.of(why)))));
    }
}

package dev.towtank.controllers.gitops.diff;

import dev.towtank.model.Json;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Places in a tree, as lists of names and positions.
final class JsonPaths {

    private JsonPaths() {}

    static List<String> ofPointer(String pointer) {
        return List.of(pointer.split("/", -1)).stream()
                .skip(1)
                .map(step -> step.replace("~1", "/").replace("~0", "~"))
                .toList();
    }

    private static int position(String step, int size) {
        return step.matches("\\d{1,6}") && Integer.parseInt(step) < size ? Integer.parseInt(step) : -1;
    }

    static @Nullable Json at(Json tree, List<String> path) {
        var found = tree;
        for (var step : path) {
            Json next = null;
            if (found instanceof Json.Obj object) {
                next = object.get(step);
            } else if (found instanceof Json.Arr(var items) && position(step, items.size()) >= 0) {
                next = items.get(position(step, items.size()));
            }
            if (next == null) {
                return null;
            }
            found = next;
        }
        return found;
    }

    /// The tree without what is there; the same one where nothing is.
    static Json without(Json tree, List<String> path) {
        return changed(tree, path, null);
    }

    /// The tree with another value there; the same one where the way does not lead.
    static Json with(Json tree, List<String> path, Json value) {
        return changed(tree, path, value);
    }

    private static Json changed(Json tree, List<String> path, @Nullable Json value) {
        if (path.isEmpty()) {
            return value == null ? tree : value;
        }
        var step = path.getFirst();
        var rest = path.subList(1, path.size());
        if (tree instanceof Json.Obj object) {
            var inner = object.get(step);
            if (rest.isEmpty()) {
                return object.withOrWithout(step, value);
            }
            return inner == null ? tree : object.with(step, changed(inner, rest, value));
        }
        if (tree instanceof Json.Arr(var items) && position(step, items.size()) >= 0) {
            int at = position(step, items.size());
            var copy = new ArrayList<>(items);
            if (!rest.isEmpty()) {
                copy.set(at, changed(items.get(at), rest, value));
            } else if (value == null) {
                copy.remove(at);
            } else {
                copy.set(at, value);
            }
            return new Json.Arr(copy);
        }
        return tree;
    }
}

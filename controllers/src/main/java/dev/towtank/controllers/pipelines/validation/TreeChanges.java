package dev.towtank.controllers.pipelines.validation;

import dev.towtank.model.Json;
import java.util.function.UnaryOperator;

/// Changes inside trees. What does not change stays the very same tree, so that nobody needs to compare it again.
final class TreeChanges {

    private TreeChanges() {}

    @SuppressWarnings("ReferenceEquality") // identity is the point
    static boolean isSame(Json one, Json other) {
        return one == other;
    }

    /// Changes the object in a field, if there is one.
    static Json.Obj object(Json.Obj parent, String field, UnaryOperator<Json.Obj> change) {
        if (!(parent.get(field) instanceof Json.Obj child)) {
            return parent;
        }
        var changed = change.apply(child);
        return isSame(changed, child) ? parent : parent.with(field, changed);
    }

    /// Changes the objects in a list, if there is one.
    static Json.Obj each(Json.Obj parent, String field, UnaryOperator<Json.Obj> change) {
        if (!(parent.get(field) instanceof Json.Arr items)) {
            return parent;
        }
        var changed = each(items, item -> item instanceof Json.Obj object ? change.apply(object) : item);
        return isSame(changed, items) ? parent : parent.with(field, changed);
    }

    static Json.Arr each(Json.Arr items, UnaryOperator<Json> change) {
        var changed = items.map(change);
        for (int i = 0; i < items.size(); i++) {
            if (!isSame(changed.get(i), items.get(i))) {
                return changed;
            }
        }
        return items;
    }

    /// Sets a field, if it is another value.
    static Json.Obj with(Json.Obj parent, String field, Json value) {
        return value.equals(parent.get(field)) ? parent : parent.with(field, value);
    }
}

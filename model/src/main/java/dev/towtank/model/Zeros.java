package dev.towtank.model;

import dev.towtank.model.Schema.Scalar;
import dev.towtank.model.Schema.Value;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What Go writes for fields that nobody set: `status: {}`, `replicas: 0`, `eventTime: null`, `rules: null`.
///
/// Typed clients and golden files see these, so objects of built-in kinds are stored with them.
public final class Zeros {

    private Zeros() {}

    /// What Go writes for a field that nobody set; null where the field is left out then.
    public static @Nullable Json of(Schema.Field field) {
        return switch (field.value()) {
            case Value.ObjectOf _ -> field.pointer() ? kept(field, Json.Null.NULL) : Json.Obj.EMPTY;
            case Value.ListOf _, Value.MapOf _ -> kept(field, Json.Null.NULL);
            case Value.ScalarOf(var scalar, var _) -> of(field, scalar);
        };
    }

    private static @Nullable Json of(Schema.Field field, Scalar scalar) {
        if (field.pointer()) {
            return kept(field, Json.Null.NULL);
        }
        return switch (scalar) {
            case STRING -> kept(field, Json.of(""));
            case BOOL -> kept(field, Json.of(false));
            case INT32, INT64, DOUBLE -> kept(field, Json.of(0));
            case BYTES -> kept(field, Json.Null.NULL);
            // These are structs in Go, which are written even when they are zero; one field says otherwise.
            case TIME -> field.name().equals("creationTimestamp") ? null : Json.Null.NULL;
            case MICRO_TIME, ANY -> Json.Null.NULL;
            case INT_OR_STRING -> Json.of(0);
            case QUANTITY -> Json.of("0");
            case DURATION -> Json.of("0s");
        };
    }

    private static @Nullable Json kept(Schema.Field field, Json zero) {
        return field.omitsEmpty() ? null : zero;
    }

    /// The object with its zero values; the very same one where none was missing.
    public static Json.Obj fill(Json.Obj object, Schema.Type type) {
        var form = type.zeroForm();
        var filled = object;
        for (int i = 0; i < object.size(); i++) {
            var key = object.key(i);
            var value = object.value(i);
            var inner = form.inner(key);
            if (inner != null) {
                var changed = fill(value, inner);
                if (!isSame(changed, value)) {
                    filled = filled.with(key, changed);
                }
            }
        }
        for (var zero : form.zeros()) {
            if (!filled.has(zero.name()) || isHollow(filled.get(zero.name()), zero)) {
                filled = filled.with(zero.name(), zero.value());
            }
        }
        return filled;
    }

    // A list or map without anything in it does not survive being stored, where its place is kept for null.
    private static boolean isHollow(@Nullable Json value, Schema.Zero zero) {
        return zero.replacesEmpty()
                && ((value instanceof Json.Arr items && items.size() == 0)
                        || (value instanceof Json.Obj entries && entries.size() == 0));
    }

    private static Json fill(Json json, Value value) {
        return switch (value) {
            case Value.ObjectOf(var type) ->
                json instanceof Json.Obj object && type.form() == Schema.Form.OBJECT ? fill(object, type) : json;
            case Value.ListOf list -> json instanceof Json.Arr items ? fill(items, list.element()) : json;
            case Value.MapOf map -> json instanceof Json.Obj entries ? fillEntries(entries, map.element()) : json;
            case Value.ScalarOf _ -> json;
        };
    }

    private static Json fill(Json.Arr items, Value element) {
        List<Json> changed = null;
        for (int i = 0; i < items.size(); i++) {
            var item = items.get(i);
            var filled = fill(item, element);
            if (changed == null && !isSame(filled, item)) {
                changed = new ArrayList<>(items.items().subList(0, i));
            }
            if (changed != null) {
                changed.add(filled);
            }
        }
        return changed == null ? items : new Json.Arr(changed);
    }

    private static Json fillEntries(Json.Obj entries, Value element) {
        var filled = entries;
        for (int i = 0; i < entries.size(); i++) {
            var changed = fill(entries.value(i), element);
            if (!isSame(changed, entries.value(i))) {
                filled = filled.with(entries.key(i), changed);
            }
        }
        return filled;
    }

    // Identity is the point: what was left alone is not compared again.
    @SuppressWarnings("ReferenceEquality")
    private static boolean isSame(Json filled, Json original) {
        return filled == original;
    }
}

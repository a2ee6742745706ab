package dev.towtank.model.crd;

import dev.towtank.model.Column;
import dev.towtank.model.Json;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The columns of `kubectl get` for a custom kind: its name, and what `additionalPrinterColumns` asks for, or its age.
final class PrinterColumns {

    private PrinterColumns() {}

    static List<Column> of(Json.Obj version) {
        var columns = new ArrayList<Column>();
        columns.add(Column.ofName());
        for (var column : version.objects("additionalPrinterColumns")) {
            columns.add(column(column));
        }
        if (columns.size() == 1) {
            columns.add(new Column(
                    "Age",
                    "date",
                    "",
                    "",
                    0,
                    (object, now) -> date(Json.of(object.string("metadata", "creationTimestamp")), now)));
        }
        return columns;
    }

    private static Column column(Json.Obj column) {
        var path = column.string("jsonPath");
        var query = JsonPathQuery.parse(path);
        var type = column.string("type");
        var description = column.string("description").isEmpty()
                ? "Custom resource definition column (in JSONPath format): " + path
                : column.string("description");
        return new Column(
                column.string("name"),
                type,
                column.string("format"),
                description,
                (int) column.integer("priority"),
                (object, now) ->
                        query.map(known -> cell(known.find(object), type, now)).orElse(Json.Null.NULL));
    }

    private static Json cell(List<Json> found, String type, Instant now) {
        var value = found.isEmpty() ? null : found.getFirst();
        return switch (type) {
            case "integer" -> value instanceof Json.Real(var real) ? Json.of((long) real) : only(value, Json.Int.class);
            case "number" -> value instanceof Json.Int ? value : only(value, Json.Real.class);
            case "boolean" -> only(value, Json.Bool.class);
            case "date" -> value instanceof Json.Str ? date(value, now) : Json.Null.NULL;
            default -> value == null ? Json.Null.NULL : Json.of(text(value));
        };
    }

    private static String text(Json value) {
        return value instanceof Json.Null ? "<nil>" : value.display();
    }

    private static Json only(@Nullable Json value, Class<? extends Json> type) {
        return type.isInstance(value) && value != null ? value : Json.Null.NULL;
    }

    private static Json date(Json value, Instant now) {
        return Json.of(Column.age(value.display(), now));
    }
}

package dev.towtank.archive.filter;

import dev.towtank.model.cel.Syntax;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Where in a table is what a filter names.
///
/// @param path into a JSON column: strings for fields and longs for positions; empty for the column itself
record Columns(String column, List<Object> path) {

    private static final Map<String, String> VARIABLES = Map.of(
            "parent", "parent",
            "uid", "id",
            "name", "name",
            "result_name", "result_name",
            "create_time", "created_time",
            "update_time", "updated_time",
            "data_type", "type",
            "data", "data",
            "annotations", "annotations");

    private static final Map<String, String> SUMMARY = Map.of(
            "record", "recordsummary_record",
            "type", "recordsummary_type",
            "start_time", "recordsummary_start_time",
            "end_time", "recordsummary_end_time",
            "status", "recordsummary_status",
            "annotations", "recordsummary_annotations");

    Columns {
        path = List.copyOf(path);
    }

    /// Empty for what is no plain reference, such as a call.
    static Optional<Columns> of(Syntax syntax) {
        return switch (syntax) {
            case Syntax.Variable variable ->
                Optional.ofNullable(VARIABLES.get(variable.name())).map(column -> new Columns(column, List.of()));
            case Syntax.Select(var _, var _, Syntax.Variable operand, var field, var _)
            when operand.name().equals("summary") ->
                Optional.ofNullable(SUMMARY.get(field)).map(column -> new Columns(column, List.of()));
            case Syntax.Select select -> of(select.operand()).map(operand -> operand.at(select.field()));
            case Syntax.Call call
            when call.function().equals("_[_]") ->
                of(call.arguments().getFirst())
                        .flatMap(operand -> key(call.arguments().getLast()).map(operand::at));
            case Syntax.Call _,
                    Syntax.Text _,
                    Syntax.Int _,
                    Syntax.Real _,
                    Syntax.Truth _,
                    Syntax.Nothing _,
                    Syntax.Elements _,
                    Syntax.Unknown _ -> Optional.empty();
        };
    }

    Columns at(Object step) {
        var longer = new ArrayList<>(path);
        longer.add(step);
        return new Columns(column, longer);
    }

    boolean isJson() {
        return column.equals("data") || column.endsWith("annotations");
    }

    private static Optional<Object> key(Syntax index) {
        return switch (index) {
            case Syntax.Text(var _, var value) -> Optional.of(value);
            case Syntax.Int(var _, var value) when value >= 0 -> Optional.of(value);
            case Syntax.Int _,
                    Syntax.Real _,
                    Syntax.Truth _,
                    Syntax.Nothing _,
                    Syntax.Variable _,
                    Syntax.Select _,
                    Syntax.Call _,
                    Syntax.Elements _,
                    Syntax.Unknown _ -> Optional.empty();
        };
    }
}

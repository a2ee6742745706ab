package dev.towtank.apiserver.view;

import dev.towtank.apiserver.Content;
import dev.towtank.apiserver.Params;
import dev.towtank.model.Column;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.StatusError;
import java.time.Instant;
import java.util.List;

/// Objects as the `Table` that kubectl prints: the server decides what the columns are.
///
/// @param version of `meta.k8s.io`
public record TableView(Kind<?> kind, String version, Include include, Instant now) {

    private static final List<Column> NAME_AND_AGE = List.of(Column.ofName(), Column.ofAge());

    /// How much of each object goes with its row.
    public enum Include {
        METADATA,
        OBJECT,
        NONE;

        public static Include of(Params params) {
            return switch (params.text("includeObject")) {
                case "", "Metadata" -> METADATA;
                case "Object" -> OBJECT;
                case "None" -> NONE;
                default ->
                    throw StatusError.badRequest(
                            "Unable to convert to Table as requested: includeObject: Invalid value: \""
                                    + params.text("includeObject")
                                    + "\": must be 'Metadata', 'Object', 'None', or empty");
            };
        }
    }

    /// @param withColumns false for the later events of a watch, whose columns the client already knows
    public Json.Obj table(Json.Obj listMetadata, List<? extends Content> objects, boolean withColumns) {
        var builder = Json.Obj.builder()
                .put("kind", "Table")
                .put("apiVersion", "meta.k8s.io/" + version)
                .put("metadata", listMetadata)
                .put("columnDefinitions", withColumns ? definitions() : Json.Null.NULL);
        // The table of kinds that have none of their own begins without rows, not with an empty list of them.
        boolean none = objects.isEmpty() && kind.columns().isEmpty();
        var rows = new Json.Arr(objects.stream().<Json>map(this::row).toList());
        return builder.put("rows", none ? Json.Null.NULL : rows).build();
    }

    private List<Column> columns() {
        return kind.columns().isEmpty() ? NAME_AND_AGE : kind.columns();
    }

    private Json definitions() {
        return new Json.Arr(columns().stream()
                .<Json>map(column -> Json.Obj.builder()
                        .put("name", column.name())
                        .put("type", column.type())
                        .put("format", column.format())
                        .put("description", column.description())
                        .put("priority", column.priority())
                        .build())
                .toList());
    }

    private Json row(Content object) {
        var tree = object.tree();
        var cells = new Json.Arr(
                columns().stream().map(column -> column.cell().of(tree, now)).toList());
        return switch (include) {
            case METADATA -> Json.Obj.of("cells", cells, "object", MetadataView.of(tree, version));
            case OBJECT -> Json.Obj.of("cells", cells, "object", tree);
            case NONE -> Json.Obj.of("cells", cells, "object", Json.Null.NULL);
        };
    }
}

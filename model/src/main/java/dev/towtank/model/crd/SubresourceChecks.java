package dev.towtank.model.crd;

import dev.towtank.model.Json;
import dev.towtank.model.crd.schema.FieldPath;
import dev.towtank.model.crd.schema.StructuralSchema;
import dev.towtank.model.kinds.Field;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// The smaller parts of a version: subresources, printer columns and selectable fields.
final class SubresourceChecks {

    private static final List<String> COLUMN_TYPES = List.of("boolean", "date", "integer", "number", "string");
    private static final List<String> COLUMN_FORMATS =
            List.of("byte", "date", "date-time", "double", "float", "int32", "int64", "password");
    private static final int MAX_SELECTABLE_FIELDS = 8;

    private SubresourceChecks() {}

    static void check(Field subresources) {
        var scale = subresources.at("scale");
        if (!scale.isPresent()) {
            return;
        }
        replicas(scale.at("specReplicasPath"), ".spec.");
        replicas(scale.at("statusReplicasPath"), ".status.");
        var selector = scale.at("labelSelectorPath");
        if (!selector.isEmpty() && isSimplePath(selector) && !isUnder(selector, ".spec.", ".status.")) {
            selector.invalid("should be a json path under either .spec or .status");
        }
    }

    private static void replicas(Field path, String prefix) {
        if (path.isEmpty()) {
            path.required("");
        } else if (isSimplePath(path) && !isUnder(path, prefix)) {
            path.invalid("should be a json path under " + prefix.substring(0, prefix.length() - 1));
        }
    }

    private static boolean isUnder(Field path, String... prefixes) {
        return List.of(prefixes).stream().anyMatch(path.text()::startsWith);
    }

    // More is not asked of a path here: what leads nowhere shows nothing.
    private static boolean isSimplePath(Field path) {
        if (!path.text().startsWith(".")) {
            path.invalid("must be a simple json path starting with .");
            return false;
        }
        return true;
    }

    static void column(Field column) {
        column.at("name").required("");
        var type = column.at("type");
        var types = "must be one of " + String.join(",", COLUMN_TYPES);
        if (type.isEmpty()) {
            type.required(types);
        } else if (!COLUMN_TYPES.contains(type.text())) {
            type.invalid(types);
        }
        var format = column.at("format");
        if (!format.isEmpty() && !COLUMN_FORMATS.contains(format.text())) {
            format.invalid("must be one of " + String.join(",", COLUMN_FORMATS));
        }
        var path = column.at("jsonPath").reportedAt(column.path().child("JSONPath"));
        if (path.isEmpty()) {
            path.required("");
        } else {
            var _ = isSimplePath(path);
        }
    }

    static void selectableFields(Field fields, Json.Obj schema) {
        if (fields.isEmpty() || schema.size() == 0) {
            return;
        }
        StructuralSchema parsed;
        try {
            parsed = StructuralSchema.parse(schema);
        } catch (StructuralSchema.Unsupported e) {
            return;
        }
        var seen = new HashSet<String>();
        fields.each(field -> {
            var path = field.at("jsonPath");
            if (path.isEmpty()) {
                path.required("");
            } else {
                selectable(path, parsed, seen);
            }
        });
        if (seen.size() > MAX_SELECTABLE_FIELDS) {
            fields.errors().tooMany(fields.path(), seen.size(), MAX_SELECTABLE_FIELDS);
        }
    }

    private static void selectable(Field path, StructuralSchema schema, Set<String> seen) {
        var resolved = FieldPath.resolve(path.text(), schema, false);
        if (!resolved.problem().isEmpty()) {
            path.invalid("is an invalid path: " + resolved.problem());
            return;
        }
        if (!resolved.keys().isEmpty() && resolved.keys().getFirst().equals("metadata")) {
            path.invalid("must not point to fields in metadata");
        }
        var target = resolved.target();
        if (target == null || !List.of("string", "boolean", "integer").contains(target.type())) {
            path.invalid("must point to a field of type string, boolean or integer. Enum string fields and strings with"
                    + " formats are allowed.");
        }
        if (!seen.add(resolved.text())) {
            path.errors().duplicate(path.path(), path.shown());
        }
    }
}

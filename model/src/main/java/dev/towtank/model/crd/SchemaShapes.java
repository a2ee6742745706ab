package dev.towtank.model.crd;

import dev.towtank.model.cel.Shape;
import dev.towtank.model.crd.schema.StructuralSchema;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/// What expressions may know of a schema. Parts without a known type are hidden from them.
final class SchemaShapes {

    private static final Shape.ObjectOf METADATA = new Shape.ObjectOf(
            "selfType.metadata",
            Map.of(
                    "name", new Shape.Field("name", Shape.Scalar.STRING),
                    "generateName", new Shape.Field("generateName", Shape.Scalar.STRING)));

    private int names;

    private SchemaShapes() {}

    /// @param resource whether the value is a whole object, whose name and version are known without being specified
    static Optional<Shape> of(StructuralSchema schema, boolean resource) {
        return new SchemaShapes().shape(schema, resource);
    }

    private Optional<Shape> shape(StructuralSchema schema, boolean resource) {
        if (schema.extensions().intOrString()) {
            return Optional.of(Shape.Scalar.ANY);
        }
        return switch (schema.type()) {
            case "array" -> {
                var items = schema.items();
                yield items == null ? Optional.empty() : inner(items).map(Shape.ListOf::new);
            }
            case "object" -> {
                var entries = schema.additional().schema();
                yield entries == null
                        ? Optional.of(object(schema, resource))
                        : inner(entries).map(Shape.MapOf::new);
            }
            case "string" -> Optional.of(text(schema.source().string("format")));
            case "boolean" -> Optional.of(Shape.Scalar.BOOL);
            case "number" -> Optional.of(Shape.Scalar.DOUBLE);
            case "integer" -> Optional.of(Shape.Scalar.INT);
            default -> Optional.empty();
        };
    }

    private Optional<Shape> inner(StructuralSchema schema) {
        return shape(schema, schema.extensions().embeddedResource());
    }

    private Shape object(StructuralSchema schema, boolean resource) {
        var name = "selfType" + names++;
        var fields = new LinkedHashMap<String, Shape.Field>();
        schema.properties()
                .forEach((key, property) -> Shape.escape(key)
                        .ifPresent(escaped ->
                                inner(property).ifPresent(shape -> fields.put(escaped, new Shape.Field(key, shape)))));
        if (resource) {
            fields.put("apiVersion", new Shape.Field("apiVersion", Shape.Scalar.STRING));
            fields.put("kind", new Shape.Field("kind", Shape.Scalar.STRING));
            fields.put("metadata", new Shape.Field("metadata", METADATA));
        }
        return new Shape.ObjectOf(name, fields);
    }

    private static Shape text(String format) {
        return switch (format) {
            case "byte" -> Shape.Scalar.BYTES;
            case "duration" -> Shape.Scalar.DURATION;
            case "date", "date-time" -> Shape.Scalar.TIMESTAMP;
            default -> Shape.Scalar.STRING;
        };
    }
}

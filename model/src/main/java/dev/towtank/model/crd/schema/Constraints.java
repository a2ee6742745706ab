package dev.towtank.model.crd.schema;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import dev.towtank.model.Json;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/// What a schema asks of a single value.
///
/// @param matcher the compiled pattern; null where there is none or it is broken. It runs in linear time, so no
///     pattern can hang the server.
public record Constraints(
        Format format,
        OptionalDouble minimum,
        boolean exclusiveMinimum,
        OptionalDouble maximum,
        boolean exclusiveMaximum,
        OptionalDouble multipleOf,
        OptionalLong minLength,
        OptionalLong maxLength,
        String pattern,
        @Nullable Pattern matcher,
        OptionalLong minItems,
        OptionalLong maxItems,
        boolean uniqueItems,
        OptionalLong minProperties,
        OptionalLong maxProperties,
        List<String> required,
        List<Json> enumeration) {

    private static final List<String> OWN_FIELDS = List.of(
            "format",
            "minimum",
            "maximum",
            "multipleOf",
            "minLength",
            "maxLength",
            "pattern",
            "minItems",
            "maxItems",
            "uniqueItems",
            "minProperties",
            "maxProperties",
            "required",
            "enum");

    private static final Constraints NONE = make(Json.Obj.EMPTY);

    static Constraints read(Json.Obj schema) {
        return OWN_FIELDS.stream().anyMatch(schema::has) ? make(schema) : NONE;
    }

    private static Constraints make(Json.Obj schema) {
        var pattern = schema.string("pattern");
        var type = schema.flag("x-kubernetes-int-or-string") ? "int-or-string" : schema.string("type");
        return new Constraints(
                Format.of(schema.string("format"), type),
                real(schema, "minimum"),
                schema.flag("exclusiveMinimum"),
                real(schema, "maximum"),
                schema.flag("exclusiveMaximum"),
                real(schema, "multipleOf"),
                whole(schema, "minLength"),
                whole(schema, "maxLength"),
                pattern,
                pattern.isEmpty() || patternProblem(pattern) != null ? null : Pattern.compile(pattern),
                whole(schema, "minItems"),
                whole(schema, "maxItems"),
                schema.flag("uniqueItems"),
                whole(schema, "minProperties"),
                whole(schema, "maxProperties"),
                schema.array("required").strings(),
                schema.array("enum").items());
    }

    /// Why a pattern cannot be used, or null.
    public static @Nullable String patternProblem(String pattern) {
        try {
            var _ = Pattern.compile(pattern);
            return null;
        } catch (PatternSyntaxException e) {
            return e.getMessage();
        }
    }

    private static OptionalDouble real(Json.Obj schema, String field) {
        return switch (schema.get(field)) {
            case Json.Int(var value) -> OptionalDouble.of((double) value);
            case Json.Real(var value) -> OptionalDouble.of(value);
            case null, default -> OptionalDouble.empty();
        };
    }

    private static OptionalLong whole(Json.Obj schema, String field) {
        return schema.get(field) instanceof Json.Int(var value) ? OptionalLong.of(value) : OptionalLong.empty();
    }
}

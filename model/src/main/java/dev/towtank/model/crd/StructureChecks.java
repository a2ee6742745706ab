package dev.towtank.model.crd;

import dev.towtank.model.FieldError;
import dev.towtank.model.Json;
import dev.towtank.model.Path;
import dev.towtank.model.crd.schema.Constraints;
import dev.towtank.model.crd.schema.StructuralSchema;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Whether a schema is structural: every value has one known type, and `anyOf` and its like only narrow it.
final class StructureChecks {

    private enum Level {
        ROOT("at the root"),
        ITEM("for specified array items"),
        FIELD("for specified object fields");

        private final String words;

        Level(String words) {
            this.words = words;
        }
    }

    private static final Json INT_OR_STRING =
            Json.Arr.of(Json.Obj.of("type", Json.of("integer")), Json.Obj.of("type", Json.of("string")));

    private final FieldError.Collector errors = new FieldError.Collector();

    private StructureChecks() {}

    /// What is wrong, sorted as Kubernetes does.
    static List<FieldError> check(StructuralSchema schema, Path path) {
        var checks = new StructureChecks();
        checks.node(schema, Level.ROOT, path);
        checks.complete(schema, schema, path, path);
        return checks.errors.errors().stream()
                .sorted(Comparator.comparing(FieldError::message))
                .toList();
    }

    private void node(StructuralSchema schema, Level level, Path path) {
        var items = schema.items();
        if (schema.type().equals("array") && items == null) {
            errors.required(path.child("items"), "must be specified");
        }
        if (items != null) {
            node(items, Level.ITEM, path.child("items"));
        }
        schema.properties()
                .forEach((name, property) ->
                        node(property, Level.FIELD, path.child("properties").key(name)));
        additional(schema, level, path);
        extensions(schema, path);
        boolean plain = schema.source().get("anyOf") instanceof Json.Arr anyOf && anyOf.equals(INT_OR_STRING);
        var firstAllOf = schema.source().objects("allOf").stream().findFirst().orElse(Json.Obj.EMPTY);
        boolean wrapped = firstAllOf.get("anyOf") instanceof Json.Arr anyOf && anyOf.equals(INT_OR_STRING);
        junctors(schema, plain, wrapped, path);
        type(schema, level, path);
        metadata(schema, level, path);
    }

    private void additional(StructuralSchema schema, Level level, Path path) {
        if (schema.additional().present()) {
            var at = path.child("additionalProperties");
            if (level == Level.ROOT) {
                errors.forbidden(at, "must not be used at the root");
            }
            if (schema.extensions().embeddedResource()) {
                errors.forbidden(at, "must not be used if x-kubernetes-embedded-resource is set");
            }
            var inner = schema.additional().schema();
            if (inner != null) {
                node(inner, Level.FIELD, at);
            }
        }
    }

    private void extensions(StructuralSchema schema, Path path) {
        var extensions = schema.extensions();
        var detail = "must be false if x-kubernetes-int-or-string is true";
        if (extensions.intOrString() && extensions.preserveUnknownFields()) {
            errors.invalid(path.child("x-kubernetes-preserve-unknown-fields"), Json.of(true), detail);
        }
        if (extensions.intOrString() && extensions.embeddedResource()) {
            errors.invalid(path.child("x-kubernetes-embedded-resource"), Json.of(true), detail);
        }
        if (extensions.embeddedResource()
                && !extensions.preserveUnknownFields()
                && schema.properties().isEmpty()) {
            errors.required(
                    path.child("properties"),
                    "must not be empty if x-kubernetes-embedded-resource is true without"
                            + " x-kubernetes-preserve-unknown-fields");
        }
    }

    private void type(StructuralSchema schema, Level level, Path path) {
        var at = path.child("type");
        var extensions = schema.extensions();
        boolean object = schema.type().equals("object");
        if (extensions.embeddedResource() && !object) {
            requiredOrInvalid(at, schema.type(), "must be object if x-kubernetes-embedded-resource is true");
        } else if (schema.type().isEmpty() && !extensions.intOrString() && !extensions.preserveUnknownFields()) {
            errors.required(at, "must not be empty " + level.words);
        }
        if (level == Level.ROOT && !schema.type().isEmpty() && !object) {
            errors.invalid(at, schema.type(), "must be object at the root");
        }
    }

    private void requiredOrInvalid(Path at, String type, String detail) {
        if (type.isEmpty()) {
            errors.required(at, detail);
        } else {
            errors.invalid(at, type, detail);
        }
    }

    private void metadata(StructuralSchema schema, Level level, Path path) {
        boolean whole = level == Level.ROOT || schema.extensions().embeddedResource();
        for (var name : List.of("kind", "apiVersion")) {
            var property = schema.properties().get(name);
            if (whole && property != null && !property.type().equals("string")) {
                errors.invalid(path.child("properties").key(name).child("type"), property.type(), "must be string");
            }
        }
        var metadata = schema.properties().get("metadata");
        if (metadata != null) {
            var at = path.child("properties").key("metadata");
            if (whole && !metadata.type().equals("object")) {
                errors.invalid(at.child("type"), metadata.type(), "must be object");
            }
            if (level == Level.ROOT && !isPlainMetadata(metadata)) {
                errors.forbidden(
                        at,
                        "must not specify anything other than name and generateName, but metadata is implicitly"
                                + " specified");
            }
        }
    }

    private static boolean isPlainMetadata(StructuralSchema metadata) {
        var rest = metadata.source().without("type").without("default");
        boolean names = List.of("name", "generateName")
                .containsAll(metadata.properties().keySet());
        return (names ? rest.without("properties") : rest).size() == 0;
    }

    private void junctors(StructuralSchema schema, boolean skipAnyOf, boolean skipFirst, Path path) {
        var junctors = schema.junctors();
        for (int i = 0; i < junctors.anyOf().size() && !skipAnyOf; i++) {
            nested(junctors.anyOf().get(i), false, path.child("anyOf").index(i));
        }
        for (int i = 0; i < junctors.allOf().size(); i++) {
            nested(
                    junctors.allOf().get(i),
                    skipFirst && i == 0,
                    path.child("allOf").index(i));
        }
        for (int i = 0; i < junctors.oneOf().size(); i++) {
            nested(junctors.oneOf().get(i), false, path.child("oneOf").index(i));
        }
        var not = junctors.not();
        if (not != null) {
            nested(not, false, path.child("not"));
        }
        var pattern = schema.constraints().pattern();
        var problem = pattern.isEmpty() ? null : Constraints.patternProblem(pattern);
        if (problem != null) {
            errors.invalid(path.child("pattern"), pattern, "must be a valid regular expression, but isn't: " + problem);
        }
    }

    private void nested(StructuralSchema schema, boolean skipAnyOf, Path path) {
        junctors(schema, skipAnyOf, false, path);
        var items = schema.items();
        if (items != null) {
            nested(items, false, path.child("items"));
        }
        schema.properties()
                .forEach((name, property) ->
                        nested(property, false, path.child("properties").key(name)));
        for (var field :
                List.of("type", "title", "description", "x-kubernetes-list-map-keys", "x-kubernetes-validations")) {
            forbid(schema.source().get(field), path.child(field), "must be empty to be structural");
        }
        for (var field : List.of(
                "nullable",
                "x-kubernetes-preserve-unknown-fields",
                "x-kubernetes-embedded-resource",
                "x-kubernetes-int-or-string")) {
            forbid(schema.source().get(field), path.child(field), "must be false to be structural");
        }
        for (var field : List.of("x-kubernetes-list-type", "x-kubernetes-map-type")) {
            forbid(schema.source().get(field), path.child(field), "must be undefined to be structural");
        }
        if (schema.defaultValue() != null) {
            errors.forbidden(path.child("default"), "must be undefined to be structural");
        }
        if (schema.additional().present() && schema.additional().allowed()) {
            errors.forbidden(path.child("additionalProperties"), "must be undefined to be structural");
        }
        if (schema.properties().containsKey("metadata")) {
            errors.forbidden(path.child("properties").key("metadata"), "must not be specified in a nested context");
        }
    }

    private void forbid(@Nullable Json value, Path at, String detail) {
        if (value != null && !value.isEmpty()) {
            errors.forbidden(at, detail);
        }
    }

    /// Whatever a junctor speaks about must be specified outside of it as well.
    private void complete(StructuralSchema nested, @Nullable StructuralSchema outer, Path at, Path nestedAt) {
        if (outer == null) {
            errors.required(at, "because it is defined in " + nestedAt);
            return;
        }
        var junctors = nested.junctors();
        var not = junctors.not();
        if (not != null) {
            inside(not, outer, at, nestedAt.child("not"));
        }
        for (int i = 0; i < junctors.allOf().size(); i++) {
            inside(junctors.allOf().get(i), outer, at, nestedAt.child("allOf").index(i));
        }
        for (int i = 0; i < junctors.anyOf().size(); i++) {
            inside(junctors.anyOf().get(i), outer, at, nestedAt.child("anyOf").index(i));
        }
        for (int i = 0; i < junctors.oneOf().size(); i++) {
            inside(junctors.oneOf().get(i), outer, at, nestedAt.child("oneOf").index(i));
        }
    }

    private void inside(StructuralSchema nested, StructuralSchema outer, Path at, Path nestedAt) {
        complete(nested, outer, at, nestedAt);
        var items = nested.items();
        if (items != null) {
            step(items, outer.items(), at.child("items"), nestedAt.child("items"));
        }
        nested.properties()
                .forEach((name, property) -> step(
                        property,
                        outer.properties().get(name),
                        at.child("properties").key(name),
                        nestedAt.child("properties").key(name)));
    }

    private void step(StructuralSchema nested, @Nullable StructuralSchema outer, Path at, Path nestedAt) {
        if (outer == null) {
            errors.required(at, "because it is defined in " + nestedAt);
        } else {
            inside(nested, outer, at, nestedAt);
        }
    }
}

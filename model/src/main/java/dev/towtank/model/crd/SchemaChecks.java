package dev.towtank.model.crd;

import dev.towtank.model.Json;
import dev.towtank.model.crd.schema.FieldPath;
import dev.towtank.model.crd.schema.SchemaPruning;
import dev.towtank.model.crd.schema.StructuralSchema;
import dev.towtank.model.kinds.Field;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// What Kubernetes asks of an `openAPIV3Schema` besides being structural.
final class SchemaChecks {

    private static final List<String> TYPES = List.of("array", "boolean", "integer", "number", "object", "string");

    private static final List<String> UNSUPPORTED =
            List.of("id", "additionalItems", "patternProperties", "definitions", "dependencies", "$ref");

    private SchemaChecks() {}

    /// @param defaults why defaults are not allowed here, or empty where they are
    private record Context(boolean root, boolean insideMeta, String defaults) {
        Context inner() {
            return new Context(false, insideMeta, defaults);
        }
    }

    static void check(Field schema) {
        node(schema, new Context(true, false, ""));
    }

    private static void node(Field schema, Context context) {
        if (!schema.isPresent()) {
            return;
        }
        own(schema, context);
        var additional = schema.at("additionalProperties");
        if (additional.value() instanceof Json.Obj) {
            if (!schema.at("properties").isEmpty()) {
                additional.forbidden("additionalProperties and properties are mutual exclusive");
            }
            node(
                    additional,
                    context.insideMeta
                            ? new Context(false, true, " inside additionalProperties applying to object metadata")
                            : context.inner());
        } else if (additional.value() instanceof Json.Bool(var allowed)
                && !allowed
                && !schema.at("properties").isEmpty()) {
            additional.forbidden("additionalProperties and properties are mutual exclusive");
        }
        schema.at("properties").eachEntry((name, property) -> node(property, property(schema, name, context)));
        node(schema.at("not"), context.inner());
        for (var junctor : List.of("allOf", "oneOf", "anyOf")) {
            schema.at(junctor).each(inner -> node(inner, context.inner()));
        }
        schema.at("definitions").eachEntry((_, inner) -> node(inner, context.inner()));
        if (schema.at("items").value() instanceof Json.Obj) {
            node(schema.at("items"), context.inner());
        }
        extensions(schema);
        ruleTexts(schema);
    }

    private static Context property(Field schema, String name, Context context) {
        boolean meta = SchemaPruning.META_FIELDS.contains(name)
                && (context.root || schema.at("x-kubernetes-embedded-resource").flag());
        return new Context(
                false, context.insideMeta || meta, meta && context.root ? " in top-level " + name : context.defaults);
    }

    private static void own(Field schema, Context context) {
        var type = schema.at("type");
        if (!type.isEmpty() && !TYPES.contains(type.text())) {
            type.oneOf(TYPES);
        }
        if (schema.has("default") && !context.defaults.isEmpty()) {
            schema.at("default").forbidden("must not be set" + context.defaults);
        }
        for (var field : UNSUPPORTED) {
            if (!schema.at(field).isEmpty()) {
                schema.at(field).forbidden(field + " is not supported");
            }
        }
        if (type.text().equals("null")) {
            type.forbidden("type cannot be set to null, use nullable as an alternative");
        }
        if (schema.at("items").value() instanceof Json.Arr tuple && tuple.size() > 0) {
            schema.at("items").forbidden("items must be a schema object and not an array");
        }
        if (context.insideMeta && schema.at("x-kubernetes-embedded-resource").flag()) {
            schema.at("x-kubernetes-embedded-resource").forbidden("must not be used inside of resource meta");
        }
        if (schema.at("uniqueItems").flag()) {
            schema.at("uniqueItems")
                    .forbidden("uniqueItems cannot be set to true since the runtime complexity becomes quadratic");
        }
    }

    private static void extensions(Field schema) {
        if (schema.at("x-kubernetes-preserve-unknown-fields").value() instanceof Json.Bool(var keep) && !keep) {
            schema.at("x-kubernetes-preserve-unknown-fields").invalid("must be true or undefined");
        }
        var mapType = schema.at("x-kubernetes-map-type");
        if (mapType.isPresent()) {
            typed(schema, "object", "must be object if x-kubernetes-map-type is specified");
            mapType.oneOf("atomic", "granular");
        }
        var listType = schema.at("x-kubernetes-list-type");
        if (listType.isPresent()) {
            typed(schema, "array", "must be array if x-kubernetes-list-type is specified");
            listType.oneOf("atomic", "set", "map");
        }
        if (listType.text().equals("set")) {
            setItems(schema.at("items"));
        }
        var keys = schema.at("x-kubernetes-list-map-keys");
        if (!keys.isEmpty() && !listType.text().equals("map")) {
            var detail = "must be map if x-kubernetes-list-map-keys is non-empty";
            if (listType.isPresent()) {
                listType.invalid(detail);
            } else {
                listType.required(detail);
            }
        }
        if (listType.text().equals("map")) {
            mapItems(schema, keys);
        }
        if (listType.text().equals("map") || listType.text().equals("set")) {
            nullableItems(schema, listType.text(), keys);
        }
    }

    private static void typed(Field schema, String type, String detail) {
        var actual = schema.at("type");
        if (actual.isEmpty()) {
            actual.required(detail);
        } else if (!actual.text().equals(type)) {
            actual.invalid(detail);
        }
    }

    private static void setItems(Field items) {
        var detail = "must be atomic as item of a list with x-kubernetes-list-type=set";
        var list = items.at("x-kubernetes-list-type");
        var map = items.at("x-kubernetes-map-type");
        if (items.at("type").text().equals("array")
                && list.isPresent()
                && !list.text().equals("atomic")) {
            list.invalid(detail);
        }
        if (items.at("type").text().equals("object") && !map.text().equals("atomic")) {
            map.with(list.isPresent() ? list.shown() : Json.Null.NULL).invalid(detail);
        }
    }

    private static void mapItems(Field schema, Field keys) {
        keys.required("must not be empty if x-kubernetes-list-type is map");
        var items = schema.at("items");
        if (!items.isPresent()) {
            items.required("must have a schema if x-kubernetes-list-type is map");
            return;
        }
        if (!items.at("type").text().equals("object")) {
            items.at("type")
                    .with(Json.of(items.at("type").text()))
                    .invalid("must be object if parent array's x-kubernetes-list-type is map");
            return;
        }
        Set<String> seen = new HashSet<>();
        keys.each(key -> {
            var property = items.at("properties").object().get(key.text());
            if (property instanceof Json.Obj known) {
                if (known.string("type").equals("array") || known.string("type").equals("object")) {
                    schema.errors()
                            .invalid(
                                    items.path()
                                            .child("properties")
                                            .key(key.text())
                                            .child("type"),
                                    "object",
                                    "must be a scalar type if parent array's x-kubernetes-list-type is map");
                }
            } else {
                keys.invalid("entries must all be names of item properties");
            }
            if (!seen.add(key.text())) {
                keys.invalid("must not contain duplicate entries");
            }
        });
    }

    private static void nullableItems(Field schema, String listType, Field keys) {
        var items = schema.at("items");
        if (items.at("nullable").flag()) {
            items.at("nullable").forbidden("cannot be nullable when x-kubernetes-list-type is " + listType);
        }
        if (!listType.equals("map")) {
            return;
        }
        var required = items.object().array("required").strings();
        keys.each(key -> {
            var at = items.path().child("properties").key(key.text());
            if (items.at("properties").object().get(key.text()) instanceof Json.Obj property) {
                if (!required.contains(key.text()) && !property.has("default")) {
                    schema.errors()
                            .required(
                                    at.child("default"),
                                    "this property is in x-kubernetes-list-map-keys, so it must have a default or be a"
                                            + " required property");
                }
                if (property.flag("nullable")) {
                    schema.errors()
                            .forbidden(
                                    at.child("nullable"),
                                    "this property is in x-kubernetes-list-map-keys, so it cannot be nullable");
                }
            }
        });
    }

    private static void ruleTexts(Field schema) {
        schema.at("x-kubernetes-validations").each(rule -> {
            var expression = rule.at("rule").text().strip();
            var message = rule.at("message");
            if (expression.isEmpty()) {
                rule.errors().required(rule.path().child("rule"), "rule is not specified");
            } else if (!message.isEmpty() && message.text().isBlank()) {
                message.invalid("must be non-empty if specified");
            } else if (hasLineBreak(message.text().strip())) {
                message.invalid("must not contain line breaks");
            } else if (hasLineBreak(expression) && message.text().isBlank()) {
                rule.errors().required(message.path(), "message must be specified if rule contains line breaks");
            }
            var messageExpression = rule.at("messageExpression");
            if (!messageExpression.isEmpty() && messageExpression.text().isBlank()) {
                rule.errors().required(messageExpression.path(), "messageExpression must be non-empty if specified");
            }
            rule.at("reason")
                    .oneOfIfPresent(
                            "FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired");
            fieldPath(schema, rule.at("fieldPath"));
        });
    }

    private static void fieldPath(Field schema, Field path) {
        if (path.isEmpty()) {
            return;
        }
        if (path.text().isBlank()) {
            path.invalid("must be non-empty if specified");
        }
        if (hasLineBreak(path.text())) {
            path.invalid("must not contain line breaks");
        }
        try {
            var resolved = FieldPath.resolve(path.text(), StructuralSchema.parse(schema.object()), true);
            if (!resolved.problem().isEmpty()) {
                path.invalid("must be a valid path");
            }
        } catch (StructuralSchema.Unsupported e) {
            // Reported where the schema itself is checked.
        }
    }

    private static boolean hasLineBreak(String text) {
        return text.indexOf('\n') >= 0 || text.indexOf('\r') >= 0;
    }
}

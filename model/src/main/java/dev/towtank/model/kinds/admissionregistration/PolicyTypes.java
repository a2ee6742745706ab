package dev.towtank.model.kinds.admissionregistration;

import dev.towtank.model.Json;
import dev.towtank.model.Schema;
import dev.towtank.model.cel.Expressions;
import dev.towtank.model.cel.Shape;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Checks the expressions of a policy against the types of the objects that it matches.
///
/// That is advice and nothing more: a policy may match kinds that an expression does not fit, and guard against them.
public final class PolicyTypes {

    private PolicyTypes() {}

    /// @param name as messages have it: `apps/v1, Kind=Deployment`
    public record Matched(String name, Schema.Type type) {}

    /// What stands under `typeChecking.expressionWarnings`.
    ///
    /// @param params the type of the parameters, where it is known
    public static List<Json> warnings(Json.Obj spec, List<Matched> types, Optional<Schema.Type> params) {
        var scopes = new LinkedHashMap<String, Expressions.Scope>();
        for (var matched : types) {
            scopes.put(matched.name, scope(spec, matched.type, params));
        }
        var warnings = new ArrayList<Json>();
        var validations = spec.objects("validations");
        for (int i = 0; i < validations.size(); i++) {
            for (var field : List.of("expression", "messageExpression")) {
                var text = validations.get(i).string(field);
                var found = text.isEmpty() ? "" : check(scopes, text);
                if (!found.isEmpty()) {
                    warnings.add(Json.Obj.of(
                            "fieldRef", Json.of("spec.validations[" + i + "]." + field), "warning", Json.of(found)));
                }
            }
        }
        return warnings;
    }

    private static String check(Map<String, Expressions.Scope> scopes, String text) {
        var found = new StringBuilder();
        scopes.forEach((name, scope) -> {
            try {
                scope.compile(text, Shape.Scalar.ANY);
            } catch (Expressions.Malformed e) {
                found.append(name).append(": ").append(e.text()).append('\n');
            }
        });
        return found.toString();
    }

    private static Expressions.Scope scope(Json.Obj spec, Schema.Type type, Optional<Schema.Type> params) {
        var variables = new LinkedHashMap<>(AdmissionScopes.variables(spec.has("paramKind")));
        var object = shape(type);
        variables.put(AdmissionScopes.OBJECT, object);
        variables.put(AdmissionScopes.OLD_OBJECT, object);
        params.ifPresent(known -> variables.put(AdmissionScopes.PARAMS, shape(known)));
        var scope = Expressions.kubernetes().composedScope(variables);
        for (var variable : spec.objects("variables")) {
            try {
                scope.define(variable.string("name"), variable.string("expression"));
            } catch (Expressions.Malformed e) {
                // Whoever uses it is not to blame for it.
            }
        }
        return scope;
    }

    private static Shape shape(Schema.Type type) {
        return shape(type, new HashSet<>());
    }

    /// @param around types that this one is part of; one that contains itself is not looked into again
    private static Shape shape(Schema.Type type, Set<String> around) {
        if (!around.add(type.name())) {
            return Shape.Scalar.ANY;
        }
        var fields = new LinkedHashMap<String, Shape.Field>();
        for (var field : type.jsonFields()) {
            Shape.escape(field.name())
                    .ifPresent(name -> fields.put(name, new Shape.Field(field.name(), shape(field.value(), around))));
        }
        around.remove(type.name());
        return new Shape.ObjectOf(type.name(), fields);
    }

    private static Shape shape(Schema.Value value, Set<String> around) {
        return switch (value) {
            case Schema.Value.ScalarOf(var scalar, var _) -> scalar(scalar);
            case Schema.Value.ListOf(var element, var _, var _) -> new Shape.ListOf(shape(element, around));
            case Schema.Value.MapOf(var element, var _) -> new Shape.MapOf(shape(element, around));
            case Schema.Value.ObjectOf(var type) -> shape(type, around);
        };
    }

    private static Shape scalar(Schema.Scalar scalar) {
        return switch (scalar) {
            case STRING, QUANTITY, DURATION -> Shape.Scalar.STRING;
            case BOOL -> Shape.Scalar.BOOL;
            case INT32, INT64 -> Shape.Scalar.INT;
            case DOUBLE -> Shape.Scalar.DOUBLE;
            case BYTES -> Shape.Scalar.BYTES;
            case TIME, MICRO_TIME -> Shape.Scalar.TIMESTAMP;
            case INT_OR_STRING, ANY -> Shape.Scalar.ANY;
        };
    }
}

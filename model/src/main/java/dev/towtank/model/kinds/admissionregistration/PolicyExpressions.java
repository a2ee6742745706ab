package dev.towtank.model.kinds.admissionregistration;

import dev.towtank.model.FieldError;
import dev.towtank.model.Json;
import dev.towtank.model.Names;
import dev.towtank.model.cel.Expressions;
import dev.towtank.model.cel.Shape;
import dev.towtank.model.kinds.Field;
import java.util.HashSet;
import java.util.List;
import java.util.regex.Pattern;

/// The rules for the expressions of a policy: variables, validations and audit annotations.
final class PolicyExpressions {

    private static final Pattern IDENTIFIER = Pattern.compile("[_a-zA-Z][_a-zA-Z0-9]*");
    private static final int MOST_ANNOTATIONS = 20;
    private static final int LONGEST_ANNOTATION = 5 * 1024;
    private static final String NOTHING = "validations or auditAnnotations must contain at least one item";

    private final Field spec;
    private final Expressions.Scope scope;

    PolicyExpressions(Field spec, boolean params) {
        this.spec = spec;
        this.scope =
                spec.at("variables").size() == 0 ? AdmissionScopes.plain(params) : AdmissionScopes.composed(params);
    }

    void validate(String policy) {
        spec.at("variables").each(this::variable);
        var validations = spec.at("validations");
        var annotations = spec.at("auditAnnotations");
        if (validations.size() == 0 && annotations.size() == 0) {
            validations.errors().required(validations.path(), NOTHING);
            annotations.errors().required(annotations.path(), NOTHING);
            return;
        }
        validations.each(this::validation);
        if (annotations.size() > MOST_ANNOTATIONS) {
            annotations.invalid("must not have more than " + MOST_ANNOTATIONS + " auditAnnotations");
        }
        var keys = new HashSet<String>();
        annotations.each(annotation -> {
            annotation(policy, annotation);
            annotation.at("key").unique(keys);
        });
    }

    private void variable(Field variable) {
        var name = variable.at("name");
        if (name.text().isBlank()) {
            name.errors().required(name.path(), "name is not specified");
        } else if (!IDENTIFIER.matcher(name.text()).matches() || Shape.RESERVED.contains(name.text())) {
            name.invalid("must be a valid CEL identifier");
        }
        var expression = variable.at("expression");
        if (expression.text().isBlank()) {
            expression.errors().required(expression.path(), "expression is not specified");
            return;
        }
        try {
            scope.define(name.text(), expression.text());
        } catch (Expressions.Malformed e) {
            expression.invalid(e.text());
        }
    }

    private void validation(Field validation) {
        var expression = validation.at("expression");
        if (expression.text().isBlank()) {
            expression.errors().required(expression.path(), "expression is not specified");
        } else {
            compile(expression, AdmissionScopes.BOOL, true);
        }
        var message = validation.at("messageExpression");
        if (!message.text().isBlank()) {
            compile(message, AdmissionScopes.TEXT, false);
        } else if (!message.isEmpty()) {
            message.invalid("must be non-empty if specified");
        }
        var text = validation.at("message");
        if (!text.isEmpty() && text.text().isBlank()) {
            text.invalid("must be non-empty if specified");
        } else if (text.text().strip().chars().anyMatch(c -> c == '\n' || c == '\r')) {
            text.invalid("must not contain line breaks");
        }
        validation.at("reason").oneOfIfPresent("Forbidden", "Invalid", "RequestEntityTooLarge");
    }

    private void annotation(String policy, Field annotation) {
        var key = annotation.at("key");
        if (policy.isEmpty()) {
            key.invalid("requires metadata.name be non-empty");
        } else {
            key.with(Json.of(policy + "/" + key.text())).matches(Names::qualifiedName);
        }
        var value = annotation.at("valueExpression");
        if (value.text().isBlank()) {
            value.errors().required(value.path(), "valueExpression is not specified");
        } else if (value.text().strip().length() > LONGEST_ANNOTATION) {
            value.errors().required(value.path(), "must not exceed " + LONGEST_ANNOTATION + " bytes in length");
        } else {
            compile(value, AdmissionScopes.TEXT_OR_NULL, true);
        }
    }

    // Messages are made after the decision, when nobody may ask for rights any more.
    private void compile(Field field, List<String> types, boolean authorizer) {
        try {
            var expression = scope.compileTo(types, field.text());
            if (!authorizer && (expression.uses("authorizer") || expression.uses("authorizer.requestResource"))) {
                field.invalid("compilation failed: ERROR: <input>:1:1: undeclared reference to 'authorizer' (in"
                        + " container '')");
            }
        } catch (Expressions.Malformed e) {
            field.errors()
                    .add(new FieldError(FieldError.Type.INVALID, field.path().text(), field.value(), e.text()));
        }
    }
}

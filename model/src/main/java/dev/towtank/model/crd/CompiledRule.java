package dev.towtank.model.crd;

import dev.towtank.model.cel.Expression;
import dev.towtank.model.cel.Expressions;
import dev.towtank.model.cel.Shape;
import dev.towtank.model.crd.schema.FieldPath;
import dev.towtank.model.crd.schema.StructuralSchema;
import dev.towtank.model.crd.schema.ValidationRule;
import org.jspecify.annotations.Nullable;

/// A rule and its programs, or why it has none.
///
/// @param program null where the rule is empty or broken
/// @param problem empty where the rule compiles
/// @param message null where the rule has no expression for its message
/// @param fieldPath where failures are reported, relative to the value
record CompiledRule(
        ValidationRule rule,
        @Nullable Expression program,
        String problem,
        @Nullable Expression message,
        String messageProblem,
        String fieldPath) {

    static CompiledRule broken(ValidationRule rule, String problem) {
        return new CompiledRule(rule, null, problem, null, "", "");
    }

    static CompiledRule compile(ValidationRule rule, StructuralSchema schema, Expressions.Scope scope) {
        if (rule.rule().isBlank()) {
            return broken(rule, "");
        }
        Expression program;
        try {
            program = scope.compile(rule.rule(), Shape.Scalar.BOOL);
        } catch (Expressions.Malformed e) {
            return broken(rule, e.text().equals("must evaluate to a bool") ? "cel expression " + e.text() : e.text());
        }
        var path = rule.fieldPath().isEmpty()
                ? ""
                : FieldPath.resolve(rule.fieldPath(), schema, true).text();
        if (rule.messageExpression().isBlank()) {
            return new CompiledRule(rule, program, "", null, "", path);
        }
        try {
            var message = scope.compile(rule.messageExpression(), Shape.Scalar.STRING);
            return new CompiledRule(rule, program, "", message, "", path);
        } catch (Expressions.Malformed e) {
            return new CompiledRule(rule, program, "", null, "messageExpression " + e.text(), path);
        }
    }

    boolean usesOldSelf() {
        return program != null && program.uses("oldSelf");
    }
}

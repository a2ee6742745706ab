package dev.towtank.model.crd.schema;

import dev.towtank.model.Json;

/// One entry of `x-kubernetes-validations`; absent texts are empty.
public record ValidationRule(
        String rule,
        String message,
        String messageExpression,
        String reason,
        String fieldPath,
        boolean optionalOldSelf,
        Json.Obj source) {

    static ValidationRule read(Json.Obj json) {
        return new ValidationRule(
                json.string("rule"),
                json.string("message"),
                json.string("messageExpression"),
                json.string("reason"),
                json.string("fieldPath"),
                json.flag("optionalOldSelf"),
                json);
    }

    /// What a message calls the rule: its message, or the expression itself.
    public String label() {
        return message.isEmpty() ? rule.strip() : message.strip();
    }
}

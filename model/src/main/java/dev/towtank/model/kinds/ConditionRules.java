package dev.towtank.model.kinds;

import dev.towtank.model.Json;
import dev.towtank.model.Names;
import java.util.HashSet;
import java.util.regex.Pattern;

/// The rules for a list of `Condition`, as newer kinds have it in their status.
public final class ConditionRules {

    private static final int MAX_REASON = 1024;
    private static final int MAX_MESSAGE = 32 * 1024;
    private static final String REASON_FORMAT = "[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?";
    private static final Pattern REASON = Pattern.compile(REASON_FORMAT);

    private ConditionRules() {}

    public static void validate(Field conditions) {
        var types = new HashSet<String>();
        conditions.each(condition -> {
            if (!types.add(condition.at("type").text())) {
                condition
                        .errors()
                        .duplicate(
                                condition.path(), Json.of(condition.at("type").text()));
            }
            validateOne(condition);
        });
    }

    private static void validateOne(Field condition) {
        condition.at("type").required("is required").matchesIfSet(Names::qualifiedName);
        condition.at("status").requiredOneOf("False", "True", "Unknown");
        var generation = condition.at("observedGeneration");
        if (generation.number() < 0) {
            generation.invalid("must be greater than or equal to zero");
        }
        condition.at("lastTransitionTime").required("");
        var reason = condition.at("reason").required("");
        if (!reason.isEmpty() && !REASON.matcher(reason.text()).matches()) {
            reason.invalid("a condition reason must start with alphabetic character, optionally followed by a string of"
                    + " alphanumeric characters or '_,:', and must end with an alphanumeric character or '_' (e.g."
                    + " 'my_name',  or 'MY_NAME',  or 'MyName',  or 'ReasonA,ReasonB',  or 'ReasonA:ReasonB', regex"
                    + " used for validation is '" + REASON_FORMAT + "')");
        }
        if (reason.text().length() > MAX_REASON) {
            reason.tooLong(MAX_REASON);
        }
        if (condition.at("message").text().length() > MAX_MESSAGE) {
            condition.at("message").tooLong(MAX_MESSAGE);
        }
    }
}

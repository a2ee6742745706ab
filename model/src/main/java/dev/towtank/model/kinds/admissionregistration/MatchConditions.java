package dev.towtank.model.kinds.admissionregistration;

import dev.towtank.model.Json;
import dev.towtank.model.Names;
import dev.towtank.model.cel.Expressions;
import dev.towtank.model.kinds.Field;
import java.util.HashSet;

/// The rules for `matchConditions`: named expressions that must all be true.
final class MatchConditions {

    private static final int MOST = 64;

    private MatchConditions() {}

    /// @param params whether the expressions may name them
    static void validate(Field conditions, boolean params) {
        if (conditions.size() > MOST) {
            conditions.errors().tooMany(conditions.path(), conditions.size(), MOST);
        }
        var names = new HashSet<String>();
        conditions.each(condition -> {
            var expression = condition.at("expression");
            var text = expression.text().strip();
            if (text.isEmpty()) {
                expression.errors().required(expression.path(), "");
            } else {
                check(expression.with(Json.of(text)), params);
            }
            var name = condition.at("name").required("").matchesIfSet(Names::qualifiedName);
            if (!name.isEmpty()) {
                name.unique(names);
            }
        });
    }

    private static void check(Field expression, boolean params) {
        try {
            AdmissionScopes.plain(params).compileTo(AdmissionScopes.BOOL, expression.text());
        } catch (Expressions.Malformed e) {
            expression.invalid(e.text());
        }
    }
}

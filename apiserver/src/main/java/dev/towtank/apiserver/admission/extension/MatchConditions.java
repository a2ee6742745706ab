package dev.towtank.apiserver.admission.extension;

import dev.towtank.model.Json;
import dev.towtank.model.cel.Activation;
import dev.towtank.model.cel.Expression;
import dev.towtank.model.cel.Expression.Outcome;
import dev.towtank.model.cel.Expressions;
import dev.towtank.model.kinds.admissionregistration.AdmissionScopes;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The `matchConditions` of a webhook or a policy.
public final class MatchConditions {

    private static final long BUDGET = 2_500_000;
    private static final String OUT_OF_BUDGET =
            "validation failed due to running out of cost budget, no further validation rules will be run";

    private final List<Condition> conditions;

    /// @param expression null where it does not compile
    private record Condition(String text, @Nullable Expression expression, String problem) {}

    private MatchConditions(List<Condition> conditions) {
        this.conditions = List.copyOf(conditions);
    }

    /// @param params whether the expressions may name them
    public static MatchConditions read(Json.Obj owner, boolean params) {
        var conditions = new ArrayList<Condition>();
        for (var each : owner.objects("matchConditions")) {
            conditions.add(compile(each.string("expression").strip(), params));
        }
        return new MatchConditions(conditions);
    }

    private static Condition compile(String text, boolean params) {
        try {
            return new Condition(text, AdmissionScopes.plain(params).compileTo(AdmissionScopes.BOOL, text), "");
        } catch (Expressions.Malformed e) {
            return new Condition(text, null, e.text());
        }
    }

    public boolean isEmpty() {
        return conditions.isEmpty();
    }

    /// What the conditions say to a request.
    public sealed interface Verdict {
        record Met() implements Verdict {}

        record NotMet() implements Verdict {}

        /// No condition is false, and some cannot be told.
        record Unknown(String why) implements Verdict {}
    }

    public Verdict of(Activation activation) {
        var problems = new ArrayList<String>();
        long budget = BUDGET;
        for (var condition : conditions) {
            if (condition.expression == null) {
                problems.add("compilation error: " + condition.problem);
                continue;
            }
            var outcome = condition.expression.evaluate(activation, Expressions.PER_CALL_LIMIT);
            budget -= outcome.cost();
            if (budget < 0) {
                return new Verdict.Unknown(OUT_OF_BUDGET);
            }
            if (outcome instanceof Outcome.Value(var result, var _)) {
                if (result.equals(Json.Bool.FALSE)) {
                    return new Verdict.NotMet();
                }
            } else {
                problems.add(problem(condition.text, outcome));
            }
        }
        return problems.isEmpty() ? new Verdict.Met() : new Verdict.Unknown(joined(problems));
    }

    /// Why an expression has no result, as Kubernetes says it.
    public static String problem(String text, Outcome outcome) {
        var why = outcome instanceof Outcome.Failed(var message, var _)
                ? message
                : "operation cancelled: actual cost limit exceeded";
        return "expression '" + text + "' resulted in error: " + why;
    }

    private static String joined(List<String> problems) {
        var distinct = problems.stream().distinct().toList();
        return distinct.size() == 1 ? distinct.getFirst() : "[" + String.join(", ", distinct) + "]";
    }
}

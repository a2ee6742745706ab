package dev.towtank.apiserver.admission.policy;

import dev.towtank.apiserver.admission.extension.Criteria;
import dev.towtank.apiserver.admission.extension.MatchConditions;
import dev.towtank.model.Json;
import dev.towtank.model.cel.Activation;
import dev.towtank.model.cel.Expression;
import dev.towtank.model.cel.Expression.Outcome;
import dev.towtank.model.cel.Expressions;
import dev.towtank.model.kinds.admissionregistration.AdmissionScopes;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A compiled ValidatingAdmissionPolicy. Evaluating it is pure.
///
/// @param problem why it does not compile, or empty
record Policy(
        String name,
        Criteria criteria,
        MatchConditions conditions,
        boolean failsOpen,
        Optional<ParamKind> paramKind,
        List<Validation> validations,
        List<Annotation> annotations,
        String problem) {

    private static final int LONGEST_MESSAGE = 5 * 1024;
    private static final String OUT_OF_BUDGET =
            "validation failed due to running out of cost budget, no further validation rules will be run";

    record ParamKind(String group, String version, String kind) {
        static ParamKind read(Json.Obj json) {
            var apiVersion = json.string("apiVersion");
            int slash = apiVersion.indexOf('/');
            return new ParamKind(
                    slash < 0 ? "" : apiVersion.substring(0, slash),
                    apiVersion.substring(slash + 1),
                    json.string("kind"));
        }

        String apiVersion() {
            return group.isEmpty() ? version : group + "/" + version;
        }

        @Override
        public String toString() {
            return group + "/" + version + ", Kind=" + kind;
        }
    }

    record Validation(
            String text,
            Expression expression,
            String message,
            @Nullable Expression messageExpression,
            String reason) {}

    record Annotation(String key, String text, Expression value) {}

    /// @param reason as a Status has it
    /// @param index of the validation
    record Failure(String message, String reason, int index) {}

    /// What a policy says to one request.
    ///
    /// @param failures validations that do not hold, or cannot be told where that counts as a failure
    /// @param notes for the audit log, by key
    /// @param broken notes that could not be made where that counts as a failure
    record Result(List<Failure> failures, List<Note> notes, List<String> broken) {
        static final Result NOTHING = new Result(List.of(), List.of(), List.of());

        static Result failed(String message) {
            return new Result(List.of(new Failure(message, "Invalid", 0)), List.of(), List.of());
        }
    }

    record Note(String key, String value) {}

    static Policy read(Json.Obj policy) {
        var spec = policy.object("spec");
        boolean params = spec.has("paramKind");
        var scope =
                spec.array("variables").size() == 0 ? AdmissionScopes.plain(params) : AdmissionScopes.composed(params);
        var validations = new ArrayList<Validation>();
        var annotations = new ArrayList<Annotation>();
        var problem = "";
        try {
            for (var variable : spec.objects("variables")) {
                scope.define(variable.string("name"), variable.string("expression"));
            }
            for (var validation : spec.objects("validations")) {
                validations.add(validation(scope, validation));
            }
            for (var annotation : spec.objects("auditAnnotations")) {
                var text = annotation.string("valueExpression");
                annotations.add(new Annotation(
                        annotation.string("key"), text, scope.compileTo(AdmissionScopes.TEXT_OR_NULL, text)));
            }
        } catch (Expressions.Malformed e) {
            problem = "compilation error: " + e.text();
        }
        return new Policy(
                policy.string("metadata", "name"),
                Criteria.ofPolicy(spec.object("matchConstraints")),
                MatchConditions.read(spec, params),
                spec.string("failurePolicy").equals("Ignore"),
                params ? Optional.of(ParamKind.read(spec.object("paramKind"))) : Optional.empty(),
                List.copyOf(validations),
                List.copyOf(annotations),
                problem);
    }

    private static Validation validation(Expressions.Scope scope, Json.Obj validation) throws Expressions.Malformed {
        var text = validation.string("expression");
        var message = validation.string("messageExpression");
        var reason = validation.string("reason");
        return new Validation(
                text,
                scope.compileTo(AdmissionScopes.BOOL, text),
                validation.string("message").strip(),
                message.isBlank() ? null : scope.compileTo(AdmissionScopes.TEXT, message),
                reason.isEmpty() ? "Invalid" : reason);
    }

    Result evaluate(Activation activation) {
        if (!problem.isEmpty()) {
            return unknown(problem);
        }
        return switch (conditions.of(activation)) {
            case MatchConditions.Verdict.NotMet _ -> Result.NOTHING;
            case MatchConditions.Verdict.Unknown(var why) -> unknown(why);
            case MatchConditions.Verdict.Met _ -> new Evaluation(activation).run();
        };
    }

    private Result unknown(String why) {
        return failsOpen ? Result.NOTHING : Result.failed(why);
    }

    /// One run of all expressions under one budget.
    private final class Evaluation {
        private final Activation activation;
        private final List<Failure> failures = new ArrayList<>();
        private final List<Note> notes = new ArrayList<>();
        private final List<String> broken = new ArrayList<>();
        private long budget = Expressions.PER_OBJECT_LIMIT;

        Evaluation(Activation activation) {
            this.activation = activation;
        }

        Result run() {
            for (int i = 0; i < validations.size(); i++) {
                var validation = validations.get(i);
                var outcome = evaluate(validation.expression);
                if (budget < 0) {
                    return unknown(OUT_OF_BUDGET);
                }
                judge(validation, outcome, i);
            }
            budget = Expressions.PER_OBJECT_LIMIT;
            for (var annotation : annotations) {
                var outcome = evaluate(annotation.value);
                if (budget < 0) {
                    return unknown(OUT_OF_BUDGET);
                }
                note(annotation, outcome);
            }
            return new Result(failures, notes, broken);
        }

        private Outcome evaluate(Expression expression) {
            var outcome = expression.evaluate(activation, Expressions.PER_CALL_LIMIT);
            budget -= outcome.cost();
            return outcome;
        }

        private void judge(Validation validation, Outcome outcome, int index) {
            if (!(outcome instanceof Outcome.Value(var result, var _))) {
                if (!failsOpen) {
                    failures.add(new Failure(MatchConditions.problem(validation.text, outcome), "Invalid", index));
                }
            } else if (!result.equals(Json.Bool.TRUE)) {
                failures.add(message(validation, index));
            }
        }

        private Failure message(Validation validation, int index) {
            var fallback =
                    validation.message.isEmpty() ? "failed expression: " + validation.text.strip() : validation.message;
            if (validation.messageExpression == null) {
                return new Failure(fallback, validation.reason, index);
            }
            var outcome = evaluate(validation.messageExpression);
            if (budget < 0) {
                return new Failure("failed messageExpression: " + OUT_OF_BUDGET, "Invalid", index);
            }
            var text = outcome instanceof Outcome.Value(Json.Str(var value), var _) ? value.strip() : "";
            boolean usable = !text.isEmpty()
                    && text.indexOf('\n') < 0
                    && text.getBytes(StandardCharsets.UTF_8).length <= LONGEST_MESSAGE;
            return new Failure(usable ? text : fallback, validation.reason, index);
        }

        private void note(Annotation annotation, Outcome outcome) {
            if (outcome instanceof Outcome.Value(var result, var _)) {
                if (result instanceof Json.Str(var text) && !text.isBlank()) {
                    notes.add(new Note(annotation.key, text.strip()));
                }
            } else if (!failsOpen) {
                broken.add(MatchConditions.problem(annotation.text, outcome));
            }
        }
    }
}

package dev.towtank.model.cel;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.types.CelType;
import dev.cel.common.types.CelTypes;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelRuntime;
import dev.towtank.model.Json;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A compiled expression. It may be evaluated by many threads at once.
public final class Expression {

    private static final long MOST_VALUES = 1_000_000;

    private final CelRuntime.Program program;
    private final Meter.Plan plan;
    private final Map<String, Shape> variables;
    private final Map<String, Expression> named;
    private final Set<String> used;
    private final CelType type;

    Expression(
            CelRuntime.Program program,
            CelAbstractSyntaxTree tree,
            Map<String, Shape> variables,
            Map<String, Expression> named,
            Set<String> used) {
        this.program = program;
        this.plan = Meter.Plan.of(tree);
        this.variables = Map.copyOf(variables);
        this.named = Map.copyOf(named);
        this.used = Set.copyOf(used);
        this.type = tree.getResultType();
    }

    /// What came of an evaluation, and what it cost in Kubernetes' units, roughly a tenth of a microsecond each.
    public sealed interface Outcome {
        long cost();

        record Value(Json json, long cost) implements Outcome {}

        /// @param message what went wrong, such as `no such key: x`
        record Failed(String message, long cost) implements Outcome {}

        /// The evaluation was given up.
        record TooExpensive(long cost) implements Outcome {}
    }

    /// Whether the expression names a variable at all.
    public boolean uses(String variable) {
        return used.contains(variable);
    }

    /// The most that it may cost on any data of these sizes; [Long#MAX_VALUE] where nothing bounds it.
    ///
    /// @param self the value that the variables `self` and `oldSelf` have
    public long mostCost(Sizes self) {
        return CostEstimation.most(plan.tree(), self);
    }

    /// The type of the result as the language names it, such as `bool`, `list(string)` or `dyn`.
    public String type() {
        var name = CelTypes.format(type);
        return name.equals("null") ? "null_type" : name;
    }

    CelType celType() {
        return type;
    }

    /// @param values by variable; one that is left out reads as an empty optional
    public Outcome evaluate(Map<String, ? extends Json> values, long costLimit) {
        return evaluate(new Activation(values), costLimit);
    }

    /// The cost includes that of named expressions which nobody asked before.
    public Outcome evaluate(Activation activation, long costLimit) {
        return evaluate(activation, costLimit, _ -> {});
    }

    /// @param taker gets the result as the library has it
    Outcome evaluate(Activation activation, long costLimit, Consumer<@Nullable Object> taker) {
        var meter = new Meter(plan, costLimit);
        try {
            var result = program.trace(bindings(activation), meter);
            long cost = meter.cost() + activation.takeNamedCost();
            if (meter.isOver()) {
                return new Outcome.TooExpensive(cost);
            }
            if (!isWritable(result, new AtomicLong())) {
                return new Outcome.TooExpensive(cost);
            }
            taker.accept(result);
            return new Outcome.Value(JsonValues.write(result), cost);
        } catch (CelEvaluationException | JsonValues.Missing e) {
            long cost = meter.cost() + activation.takeNamedCost();
            return meter.isOver() ? new Outcome.TooExpensive(cost) : new Outcome.Failed(reason(e), cost);
        }
    }

    // Lists of lists that share their items are small until they are written.
    private static boolean isWritable(@Nullable Object value, AtomicLong counted) {
        if (counted.incrementAndGet() > MOST_VALUES) {
            return false;
        }
        return switch (value) {
            case List<?> list -> list.stream().allMatch(item -> isWritable(item, counted));
            case Map<?, ?> map -> map.values().stream().allMatch(item -> isWritable(item, counted));
            case null, default -> true;
        };
    }

    private Map<String, Object> bindings(Activation activation) {
        var bound = new HashMap<String, Object>();
        for (var name : used) {
            var shape = variables.get(name);
            var value = name.equals(Activation.VARIABLES) && !named.isEmpty()
                    ? activation.variables(named)
                    : shape == null ? null : activation.value(name, shape);
            if (value != null) {
                bound.put(name, value);
            }
        }
        return bound;
    }

    // The library says where in the text it happened; Kubernetes says only what.
    private static String reason(Exception e) {
        Throwable deepest = e;
        while (deepest.getCause() != null && deepest.getCause().getMessage() != null) {
            deepest = deepest.getCause();
        }
        var text = String.valueOf(deepest.getMessage());
        if (!(e instanceof CelEvaluationException evaluation)) {
            return text;
        }
        return switch (evaluation.getErrorCode()) {
            case DIVIDE_BY_ZERO -> "division by zero";
            case INDEX_OUT_OF_BOUNDS -> text.replace("Index out of bounds", "index out of bounds");
            case ATTRIBUTE_NOT_FOUND -> text.startsWith("no such key") ? text : "no such key: " + missing(text);
            case OVERLOAD_NOT_FOUND, AMBIGUOUS_OVERLOAD -> "no such overload";
            case INTERNAL_ERROR,
                    BAD_FORMAT,
                    NUMERIC_OVERFLOW,
                    INVALID_ARGUMENT,
                    DUPLICATE_ATTRIBUTE,
                    TYPE_NOT_FOUND,
                    ITERATION_BUDGET_EXCEEDED -> text;
        };
    }

    private static String missing(String text) {
        int open = text.indexOf('\'');
        int close = text.lastIndexOf('\'');
        return open >= 0 && close > open ? text.substring(open + 1, close) : text;
    }
}

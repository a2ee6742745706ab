package dev.towtank.model.cel;

import dev.cel.common.types.CelType;
import dev.cel.common.types.StructTypeReference;
import dev.cel.common.values.NullValue;
import dev.cel.common.values.StructValue;
import dev.towtank.model.Json;
import dev.towtank.model.cel.Expression.Outcome;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The values that several expressions see in one go.
///
/// Each is converted once, and each named expression is evaluated at most once, when the first of them asks. Not for
/// several threads.
public final class Activation {

    static final String VARIABLES = "variables";
    static final String VARIABLES_TYPE = "kubernetes.variables";

    private final Map<String, Json> values = new HashMap<>();
    private final Map<String, Object> handles = new HashMap<>();
    private final Map<String, Object> converted = new HashMap<>();
    private final Map<String, Outcome> named = new HashMap<>();
    private final Map<String, Object> results = new HashMap<>();
    private long namedCost;

    /// @param values by variable; one that is left out reads as an empty optional
    public Activation(Map<String, ? extends Json> values) {
        this.values.putAll(values);
    }

    /// Lets expressions ask what the user may do, as `authorizer` and `authorizer.requestResource`.
    public Activation withAuthorizer(Authority authority, Authority.Resource requested) {
        handles.put("authorizer", authority);
        handles.put("authorizer.requestResource", new AuthorizerFunctions.ResourceCheck(authority, requested));
        return this;
    }

    /// What the named expressions have cost since the last call.
    long takeNamedCost() {
        long cost = namedCost;
        namedCost = 0;
        return cost;
    }

    @Nullable
    Object value(String name, Shape shape) {
        var handle = handles.get(name);
        if (handle != null) {
            return handle;
        }
        var json = values.get(name);
        if (json != null) {
            return converted.computeIfAbsent(name, _ -> JsonValues.read(json, shape));
        }
        return shape instanceof Shape.OptionalOf ? Optional.empty() : null;
    }

    /// The named expressions as an object that computes its fields.
    Object variables(Map<String, Expression> expressions) {
        return new Variables(this, expressions);
    }

    private Object variable(String name, Expression expression) {
        var outcome = named.get(name);
        if (outcome == null) {
            outcome = expression.evaluate(
                    this,
                    Expressions.PER_CALL_LIMIT,
                    result -> results.put(name, result == null ? NullValue.NULL_VALUE : result));
            named.put(name, outcome);
            namedCost += outcome.cost();
        }
        return switch (outcome) {
            case Outcome.Value _ -> Objects.requireNonNull(results.get(name));
            case Outcome.Failed(var message, var _) -> throw broken(name, message);
            case Outcome.TooExpensive _ -> throw broken(name, "operation cancelled: actual cost limit exceeded");
        };
    }

    private static JsonValues.Missing broken(String name, String why) {
        return new JsonValues.Missing("composited variable \"" + name + "\" fails to evaluate: " + why);
    }

    @SuppressWarnings("Immutable") // Lives as long as the evaluation that asks it.
    private static final class Variables extends StructValue<String, Object> {
        private final Activation activation;
        private final Map<String, Expression> expressions;

        Variables(Activation activation, Map<String, Expression> expressions) {
            this.activation = activation;
            this.expressions = expressions;
        }

        @Override
        public Object select(String field) {
            return find(field).orElseThrow(() -> new JsonValues.Missing("no such key: " + field));
        }

        @Override
        public Optional<Object> find(String field) {
            var expression = expressions.get(field);
            return expression == null ? Optional.empty() : Optional.of(activation.variable(field, expression));
        }

        @Override
        public Object value() {
            return this;
        }

        @Override
        public boolean isZeroValue() {
            return expressions.isEmpty();
        }

        @Override
        public CelType celType() {
            return StructTypeReference.create(VARIABLES_TYPE);
        }
    }
}

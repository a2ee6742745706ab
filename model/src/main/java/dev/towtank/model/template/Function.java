package dev.towtank.model.template;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// A function that a template may call.
///
/// @param isVariadic whether the last parameter may be given any number of times
public record Function(List<GoType> parameters, boolean isVariadic, Body body) {

    /// What the function does; a mistake of the caller is a [FunctionError].
    @FunctionalInterface
    public interface Body {
        @Nullable
        Object call(Arguments arguments);
    }

    public Function {
        parameters = List.copyOf(parameters);
    }

    public static Function of(Body body, GoType... parameters) {
        return new Function(List.of(parameters), false, body);
    }

    public static Function variadic(Body body, GoType... parameters) {
        return new Function(List.of(parameters), true, body);
    }

    int fixed() {
        return isVariadic ? parameters.size() - 1 : parameters.size();
    }

    GoType parameter(int index) {
        return parameters.get(Math.min(index, parameters.size() - 1));
    }
}

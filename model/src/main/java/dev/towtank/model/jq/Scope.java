package dev.towtank.model.jq;

import org.jspecify.annotations.Nullable;

/// The names that may be used at a place of an expression; [Env] has a link for each.
///
/// @param name `$x`, `f/1` with the number of arguments, or `*x` for a label
/// @param function null for what is no function that was defined
record Scope(@Nullable Scope outer, String name, @Nullable Function function) {

    static final Scope TOP = new Scope(null, "", null);

    /// Known by name before its body is, so that it can call itself.
    static final class Function {
        private @Nullable Filter body;

        void is(Filter body) {
            this.body = body;
        }

        Filter body() {
            if (body == null) {
                throw new IllegalStateException("a function runs before it is compiled");
            }
            return body;
        }
    }

    /// @param distance how many links further out
    record Found(int distance, @Nullable Function function) {}

    Scope with(String inner) {
        return new Scope(this, inner, null);
    }

    Scope with(String inner, Function defined) {
        return new Scope(this, inner, defined);
    }

    @Nullable
    Found find(String wanted) {
        int distance = 0;
        for (var scope = this; scope != null; scope = scope.outer) {
            if (scope.name.equals(wanted)) {
                return new Found(distance, scope.function);
            }
            distance++;
        }
        return null;
    }
}

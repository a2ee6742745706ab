package dev.towtank.model.jq;

import dev.towtank.model.Json;
import org.jspecify.annotations.Nullable;

/// What the names of a [Scope] mean while an expression runs: one link for each name, the innermost first.
record Env(@Nullable Env outer, Meaning meaning) {

    static final Env TOP = new Env(null, new Meaning.Known());

    sealed interface Meaning {
        record Variable(Json json) implements Meaning {}

        /// An argument of a function: what it says means what it meant to the caller.
        record Closure(Filter filter, Env env) implements Meaning {}

        /// Where `break` goes; each time another.
        final class Label implements Meaning {}

        /// A definition, of which everything is known when it is compiled.
        record Known() implements Meaning {}
    }

    Env with(Meaning inner) {
        return new Env(this, inner);
    }

    Env with(Json variable) {
        return with(new Meaning.Variable(variable));
    }

    Env at(int distance) {
        var env = this;
        for (int i = 0; i < distance; i++) {
            if (env.outer == null) {
                throw new IllegalStateException("a name is further out than the outermost");
            }
            env = env.outer;
        }
        return env;
    }
}

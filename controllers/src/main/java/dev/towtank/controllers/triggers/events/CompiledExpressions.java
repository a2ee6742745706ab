package dev.towtank.controllers.triggers.events;

import dev.towtank.model.cel.Expression;
import dev.towtank.model.cel.Expressions;
import dev.towtank.model.cel.Shape;
import java.util.LinkedHashMap;
import java.util.Map;

/// The expressions of interceptors, each compiled once: events come often, and what judges them stays the same.
public final class CompiledExpressions {

    private static final int MOST = 500;
    private static final int LONGEST = 10_000;
    private static final Shape ANY = new Shape.MapOf(Shape.Scalar.ANY);
    private static final Map<String, Shape> VARIABLES =
            Map.of("body", ANY, "header", ANY, "extensions", ANY, "requestURL", Shape.Scalar.STRING);

    // Guarded by this object's monitor; the one that was not used for longest first.
    private final Map<String, Expression> known = new LinkedHashMap<>(16, 0.75f, true);

    /// @throws Expressions.Malformed where it does not compile
    Expression of(String text) throws Expressions.Malformed {
        synchronized (this) {
            var present = known.get(text);
            if (present != null) {
                return present;
            }
        }
        var compiled = Expressions.triggers().scope(VARIABLES).compile(text, Shape.Scalar.ANY);
        synchronized (this) {
            if (text.length() <= LONGEST) {
                known.put(text, compiled);
            }
            if (known.size() > MOST) {
                known.remove(known.keySet().iterator().next());
            }
        }
        return compiled;
    }
}

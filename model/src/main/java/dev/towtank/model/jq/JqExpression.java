package dev.towtank.model.jq;

import dev.towtank.model.Json;
import java.util.ArrayList;
import java.util.List;

/// A compiled expression; values share nothing, so it may run on many threads at once.
public final class JqExpression {

    private static final int MAX_TEXT = 64 * 1024;
    private static final int MAX_RESULTS = 100_000;

    private final Filter filter;

    private JqExpression(Filter filter) {
        this.filter = filter;
    }

    /// @throws JqError that names what is wrong or not supported
    public static JqExpression compile(String text) {
        if (text.length() > MAX_TEXT) {
            throw new JqError("an expression may have " + MAX_TEXT + " characters, this one has " + text.length());
        }
        return new JqExpression(JqParser.read(text));
    }

    /// All results for a value.
    ///
    /// @throws JqError if it fails, or needs more than so many steps
    public List<Json> evaluate(Json input, long maxSteps) {
        var results = new ArrayList<Json>();
        var run = new Run(maxSteps);
        try {
            filter.apply(run, Env.TOP, Value.root(input), value -> {
                if (results.size() >= MAX_RESULTS) {
                    throw JqError.limit("more than " + MAX_RESULTS + " results");
                }
                results.add(run.whole(value.json()));
            });
        } catch (StackOverflowError _) {
            throw new JqError("the expression or the value is nested too deep");
        }
        return List.copyOf(results);
    }
}

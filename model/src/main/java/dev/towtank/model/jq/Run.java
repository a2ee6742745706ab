package dev.towtank.model.jq;

import dev.towtank.model.Json;
import java.util.List;

/// What an evaluation has used up. Every value that is made costs a step, and so do so many bytes of it: steps bound
/// time and
/// memory alike, and the same expression on the same value always ends the same way.
final class Run {

    private static final int COPIED_IN_A_STEP = 8;
    private static final int MAX_CALLS = 400;
    private static final int MAX_DEPTH = 500;

    private final long limit;
    private long steps;
    private int calls;

    Run(long limit) {
        this.limit = limit;
    }

    void step() {
        steps(1);
    }

    void steps(long count) {
        steps += count;
        if (steps > limit || steps < 0) {
            throw JqError.limit("the expression was stopped after " + limit + " steps");
        }
    }

    /// Before so many characters, members or places are copied.
    void copy(long count) {
        steps(1 + count / COPIED_IN_A_STEP);
    }

    /// Before something goes through all of a value: parts may be shared, so that it is far larger than the memory it
    /// has.
    Json whole(Json json) {
        walk(json, 0);
        return json;
    }

    private void walk(Json json, int depth) {
        step();
        if (depth > MAX_DEPTH) {
            throw JqError.limit("a value is nested deeper than " + MAX_DEPTH);
        }
        switch (json) {
            case Json.Str(var text) -> copy(text.length());
            case Json.Arr(List<Json> items) -> items.forEach(item -> walk(item, depth + 1));
            case Json.Obj object -> object.forEach((_, value) -> walk(value, depth + 1));
            case Json.Null _, Json.Bool _, Json.Int _, Json.Real _ -> {}
        }
    }

    void enter() {
        if (++calls > MAX_CALLS) {
            throw JqError.limit("functions call each other deeper than " + MAX_CALLS);
        }
    }

    void leave() {
        calls--;
    }
}

package dev.towtank.model.jq;

/// What an evaluation has used up.
final class Run {

    private final long limit;
    private long steps;

    Run(long limit) {
        this.limit = limit;
    }

    void step() {
        steps(1);
    }

    void steps(long count) {
        steps += count;
        if (steps > limit) {
            throw new JqError("the expression was stopped after " + limit + " steps");
        }
    }
}

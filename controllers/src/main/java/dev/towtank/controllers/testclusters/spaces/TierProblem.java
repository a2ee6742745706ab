package dev.towtank.controllers.testclusters.spaces;

/// A tier that cannot be used, and why.
final class TierProblem extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final String why;

    TierProblem(String why) {
        super(why, null, false, false);
        this.why = why;
    }

    String why() {
        return why;
    }
}

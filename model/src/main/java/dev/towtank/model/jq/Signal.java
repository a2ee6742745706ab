package dev.towtank.model.jq;

/// Ways out of a filter that are no errors of it.
abstract sealed class Signal extends RuntimeException {

    private static final long serialVersionUID = 1;

    Signal() {
        super(null, null, false, false);
    }

    /// `break`: nothing more is wanted of what is behind the label.
    static final class Break extends Signal {
        private static final long serialVersionUID = 1;
        final transient Object label;

        Break(Object label) {
            this.label = label;
        }
    }

    /// An error of what comes after a `try`, on its way through that.
    static final class Later extends Signal {
        private static final long serialVersionUID = 1;
        final transient Object attempt;
        final JqError error;

        Later(Object attempt, JqError error) {
            this.attempt = attempt;
            this.error = error;
        }
    }
}

package dev.towtank.controllers.pipelines.graph;

import java.util.Optional;

/// Decides what only the values in a pipeline can tell: whether a task whose parents are done may start.
@FunctionalInterface
public interface StartGate {

    /// Asked once for every task of the graph, when all its parents are done: succeeded, failed or skipped.
    Verdict at(String task);

    enum Answer {
        START,
        WHEN_FALSE,
        RESULTS_MISSING,
        EMPTY_MATRIX,
        /// It refers to what a parent that has run did not emit.
        INVALID;

        Optional<SkipReason> skip() {
            return switch (this) {
                case START, INVALID -> Optional.empty();
                case WHEN_FALSE -> Optional.of(SkipReason.WHEN_FALSE);
                case RESULTS_MISSING -> Optional.of(SkipReason.RESULTS_MISSING);
                case EMPTY_MATRIX -> Optional.of(SkipReason.EMPTY_MATRIX);
            };
        }
    }

    /// @param message what is wrong; empty unless invalid
    record Verdict(Answer answer, String message) {
        public static final Verdict START = new Verdict(Answer.START, "");

        public static Verdict of(Answer answer) {
            return new Verdict(answer, "");
        }

        public static Verdict invalid(String message) {
            return new Verdict(Answer.INVALID, message);
        }
    }
}

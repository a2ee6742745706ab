package dev.towtank.controllers.secrets.reading;

/// Asks web servers. Nobody waits: an answer that is not there yet is a [Waiting], and whoever asked is looked at
/// again.
@FunctionalInterface
public interface Calls {

    /// @throws Waiting the answer comes later
    /// @throws ReadProblem nobody answers
    WebAnswer ask(WebCall call);

    /// An answer has been asked for and is not there yet.
    final class Waiting extends RuntimeException {
        private static final long serialVersionUID = 1;

        public Waiting() {
            super("still reading", null, false, false);
        }
    }
}

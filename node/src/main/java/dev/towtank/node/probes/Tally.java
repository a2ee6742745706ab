package dev.towtank.node.probes;

import java.util.Optional;

/// Results of a probe in a row, and what they mean together; pure.
///
/// @param last the last result, with how often it came in a row
public record Tally(Optional<Boolean> last, int run) {

    public static final Tally NONE = new Tally(Optional.empty(), 0);

    public Tally plus(boolean success) {
        var same = last.filter(before -> before == success).isPresent();
        return new Tally(Optional.of(success), same ? run + 1 : 1);
    }

    /// Set once the results are enough to say something.
    public Optional<Boolean> verdict(Probe probe) {
        return last.filter(success -> run >= (success ? probe.successThreshold() : probe.failureThreshold()));
    }
}

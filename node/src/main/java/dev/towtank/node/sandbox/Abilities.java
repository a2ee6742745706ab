package dev.towtank.node.sandbox;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// What a sandbox can promise on this machine.
///
/// @param isolated false for plain processes on the host
/// @param missing what a pod may ask for and will not get, one sentence each
public record Abilities(boolean isolated, LimitsBy memory, LimitsBy cpu, LimitsBy processes, List<String> missing) {
    public Abilities {
        missing = List.copyOf(missing);
    }

    /// The same, with one thing more that is missing.
    public Abilities without(Optional<String> sentence) {
        var all = new ArrayList<>(missing);
        sentence.ifPresent(all::add);
        return new Abilities(isolated, memory, cpu, processes, all);
    }

    /// Who enforces a limit.
    public enum LimitsBy {
        CGROUP,
        RLIMIT,
        NOBODY
    }
}

package dev.towtank.node.sandbox;

import java.util.List;

/// What a sandbox can promise on this machine.
///
/// @param isolated false for plain processes on the host
/// @param missing what a pod may ask for and will not get, one sentence each
public record Abilities(boolean isolated, LimitsBy memory, LimitsBy cpu, LimitsBy processes, List<String> missing) {
    public Abilities {
        missing = List.copyOf(missing);
    }

    /// Who enforces a limit.
    public enum LimitsBy {
        CGROUP,
        RLIMIT,
        NOBODY
    }
}

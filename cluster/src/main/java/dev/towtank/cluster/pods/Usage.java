package dev.towtank.cluster.pods;

import java.time.Duration;
import java.time.Instant;

/// What somebody uses of the machine.
///
/// @param at the end of the time that was looked at
/// @param window how long that was
/// @param nanoCores billionths of a processor, on average
public record Usage(Instant at, Duration window, long nanoCores, long memoryBytes) {}

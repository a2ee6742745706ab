package dev.towtank.model.template.functions;

import java.time.Instant;
import java.time.ZoneId;
import java.util.random.RandomGenerator;

/// What functions may know that is not in their arguments: the time, and what chance says.
public record Ambient(Instant now, ZoneId zone, RandomGenerator random) {}

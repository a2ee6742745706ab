package dev.towtank.controllers.models;

import dev.towtank.cluster.Outside.Answer;
import dev.towtank.controllers.models.api.Drift;
import java.util.Optional;

/// What is known about the model of a policy.
///
/// @param reading absent where none of its pods serves
record DriftFacts(String service, Optional<Answer<Drift.Reading>> reading) {}

package dev.towtank.controllers.models.api;

import dev.towtank.controllers.serving.api.Routes;
import java.time.Duration;
import java.util.List;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.TreeMap;

/// How far what a model is asked lies from what it was trained with.
public final class Drift {

    private Drift() {}

    /// @param model the name of its InferenceService
    /// @param targets its pods
    /// @param window what came longer ago does not count
    public record Question(String model, List<Routes.Target> targets, Duration window) {
        public Question {
            targets = List.copyOf(targets);
        }
    }

    /// @param hasProfile whether the model came with a profile of what it was trained with
    /// @param rows within the window
    /// @param features the population stability index of each
    /// @param predictions that of the answers; absent where the profile does not tell of them
    public record Reading(
            boolean hasProfile, long rows, SortedMap<String, Double> features, OptionalDouble predictions) {
        public Reading {
            features = java.util.Collections.unmodifiableSortedMap(new TreeMap<>(features));
        }
    }
}

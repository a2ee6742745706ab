package dev.towtank.controllers.pipelines.source;

import dev.towtank.model.Json;
import java.io.Serial;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.BinaryOperator;

/// Finds a definition somewhere outside. It blocks, within its time limit.
@FunctionalInterface
public interface Resolver {

    /// The most that a definition may have in bytes.
    int LARGEST = 1024 * 1024;

    Answer resolve(Question question) throws Problem, InterruptedException;

    /// @param params of the request; those that are no text have none
    /// @param secret the value of a Secret of the request's namespace by name and key; empty when there is none
    record Question(Map<String, String> params, BinaryOperator<String> secret, Duration limit) {
        public Question {
            params = Map.copyOf(params);
        }

        public String required(String name) throws Problem {
            return optional(name).orElseThrow(() -> new Problem("missing required param \"" + name + "\""));
        }

        public Optional<String> optional(String name) {
            return Optional.ofNullable(params.get(name)).filter(text -> !text.isEmpty());
        }

        @Override
        public String toString() {
            return "Question" + params.keySet();
        }
    }

    /// @param source where it came from: uri, digest, entryPoint
    record Answer(String text, Json.Obj source) {}

    /// Why there is no answer; never with a secret in it.
    final class Problem extends Exception {
        @Serial
        private static final long serialVersionUID = 1L;

        public Problem(String message) {
            super(message);
        }

        public String text() {
            return String.valueOf(getMessage());
        }
    }
}

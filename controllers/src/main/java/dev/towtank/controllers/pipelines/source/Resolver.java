package dev.towtank.controllers.pipelines.source;

import dev.towtank.controllers.git.source.Rewrites;
import dev.towtank.model.Durations;
import dev.towtank.model.Json;
import java.io.Serial;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Finds a definition somewhere outside. It blocks, within its time limit.
@FunctionalInterface
public interface Resolver {

    /// The most that a definition may have in bytes.
    int LARGEST = 1024 * 1024;

    Answer resolve(Question question) throws Problem, InterruptedException;

    /// Whether the params name something that never changes, so that an answer may be kept.
    default boolean isImmutable(Question question) {
        return false;
    }

    default Installed installed() {
        return Installed.PLAIN;
    }

    /// How it is known to administrators.
    ///
    /// @param name in messages; empty for the type
    /// @param configMap with its settings
    /// @param settings those that Tekton installs it with
    record Installed(String name, String configMap, Map<String, String> settings) {
        static final Installed PLAIN = new Installed("", "", Map.of());

        public Installed {
            settings = Map.copyOf(settings);
        }
    }

    /// @param params of the request; those that are no text have none
    /// @param settings of the resolver
    /// @param rewrites what takes the place of public addresses
    record Question(
            Map<String, String> params,
            Map<String, String> settings,
            Credentials credentials,
            Rewrites rewrites,
            Duration limit) {
        public Question {
            params = Map.copyOf(params);
            settings = Map.copyOf(settings);
        }

        public String required(String name) throws Problem {
            return optional(name).orElseThrow(() -> Problem.invalid("missing required param \"" + name + "\""));
        }

        public Optional<String> optional(String name) {
            return Optional.ofNullable(params.get(name)).filter(text -> !text.isEmpty());
        }

        public Optional<String> setting(String name) {
            return Optional.ofNullable(settings.get(name)).filter(text -> !text.isEmpty());
        }

        /// The time limit that a setting gives, where it is the shorter one.
        Duration limit(String setting) throws Problem {
            try {
                var own = setting(setting).map(Durations::parse).orElse(limit);
                return own.compareTo(limit) < 0 ? own : limit;
            } catch (Durations.Malformed e) {
                throw new Problem("error parsing timeout value " + settings.get(setting) + ": " + e.getMessage());
            }
        }

        @Override
        public String toString() {
            return "Question" + params.keySet();
        }
    }

    /// What may be used on behalf of a request.
    interface Credentials {

        Credentials NONE = new Credentials() {
            @Override
            public String secret(String namespace, String name, String key) throws Problem {
                throw new Problem(
                        "cannot get API token, secret %s not found in namespace %s".formatted(name, namespace));
            }

            @Override
            public Map<String, String> secret(String name) {
                return Map.of();
            }

            @Override
            public List<Json.Obj> registries(String serviceAccount, Optional<String> secret) {
                return List.of();
            }
        };

        /// @param namespace empty for the one of the request
        String secret(String namespace, String name, String key) throws Problem;

        /// All values of a Secret of the request's namespace; empty where there is none.
        Map<String, String> secret(String name);

        /// The `auths` of registries that a service account may pull from, and those of a Secret.
        List<Json.Obj> registries(String serviceAccount, Optional<String> secret) throws Problem;
    }

    /// @param source where it came from: uri, digest, entryPoint
    /// @param annotations what else is known about it
    record Answer(String text, Json.Obj source, Map<String, String> annotations) {
        public Answer {
            annotations = Map.copyOf(annotations);
        }

        public Answer(String text, Json.Obj source) {
            this(text, source, Map.of());
        }
    }

    /// Why there is no answer; never with a secret in it.
    final class Problem extends Exception {
        @Serial
        private static final long serialVersionUID = 1L;

        private final Kind kind;

        /// Whose problem it is.
        public enum Kind {
            /// The request makes no sense.
            INVALID,
            FAILED,
            /// Somebody could not be reached, which may be otherwise in a moment.
            PASSING,
            TIMED_OUT
        }

        public Problem(String message) {
            this(Kind.FAILED, message);
        }

        private Problem(Kind kind, String message) {
            super(message);
            this.kind = kind;
        }

        public static Problem invalid(String message) {
            return new Problem(Kind.INVALID, message);
        }

        public static Problem passing(String message) {
            return new Problem(Kind.PASSING, message);
        }

        /// What a server answers with a status that is none of the good ones.
        static Problem status(int status, String message) {
            return status == 408 || status == 429 || status >= 500 ? passing(message) : new Problem(message);
        }

        public static Problem timedOut() {
            return new Problem(Kind.TIMED_OUT, "context deadline exceeded");
        }

        /// The same behind some words that say what was being done.
        Problem during(String action) {
            return kind == Kind.TIMED_OUT ? this : new Problem(kind, action + ": " + text());
        }

        public Kind kind() {
            return kind;
        }

        public String text() {
            return String.valueOf(getMessage());
        }
    }
}

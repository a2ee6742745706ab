package dev.towtank.app.conformance;

import java.time.Duration;
import java.util.function.Predicate;

/// A Kubernetes API, as kubectl sees it.
public interface Api {

    /// @param body YAML or JSON; empty for none
    Answer send(String method, String path, String body);

    /// Reads what the server streams, until a line is enough, the stream ends, or the time is over.
    void follow(String path, Duration longest, Predicate<String> isEnough);

    record Answer(int code, String body) {
        public boolean isGood() {
            return code / 100 == 2;
        }
    }
}

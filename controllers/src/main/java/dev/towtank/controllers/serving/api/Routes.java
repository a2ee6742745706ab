package dev.towtank.controllers.serving.api;

import dev.towtank.model.Json;
import java.time.Duration;
import java.util.List;

/// Where requests to an InferenceService go.
///
/// @param timeout after which a request is given up
public record Routes(List<Share> shares, Duration timeout) {

    public Routes {
        shares = List.copyOf(shares);
    }

    /// What a revision gets.
    ///
    /// @param percent of all requests; the parts of all shares make a hundred, or nothing
    /// @param targets that have loaded its model
    public record Share(String revision, long percent, List<Target> targets) {
        public Share {
            targets = List.copyOf(targets);
        }
    }

    /// A pod that answers.
    public record Target(String pod, String host, int port) {}

    /// What became of the requests to one revision, since its front listens.
    ///
    /// @param failures answers from 500 on, and those that never came
    public record Tally(long requests, long failures) {
        public static final Tally NONE = new Tally(0, 0);

        /// What came after another count. A front that was opened anew counts from nothing.
        public Tally since(Tally before) {
            return before.requests > requests
                    ? this
                    : new Tally(requests - before.requests, failures - before.failures);
        }
    }

    /// For logs and scenarios.
    public Json.Arr json() {
        return new Json.Arr(shares.stream()
                .<Json>map(share -> Json.Obj.builder()
                        .put("revision", share.revision)
                        .put("percent", share.percent)
                        .put(
                                "targets",
                                Json.Arr.ofStrings(share.targets.stream()
                                        .map(target -> target.host + ":" + target.port)
                                        .toList()))
                        .build())
                .toList());
    }
}

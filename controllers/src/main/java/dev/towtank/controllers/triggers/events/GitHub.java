package dev.towtank.controllers.triggers.events;

import dev.towtank.model.Json;

/// What GitHub tells when it is asked.
@FunctionalInterface
public interface GitHub {

    /// Nobody can be asked.
    GitHub NONE = (_, path, _) -> {
        throw new EventRefusal(EventRefusal.Code.UNAVAILABLE, "GitHub cannot be asked here for " + path);
    };

    /// @param host of a server of one's own; empty for GitHub's
    /// @param path below the API, with its query
    /// @param token empty for none
    Answer get(String host, String path, String token) throws EventRefusal;

    record Answer(int status, Json body) {}
}

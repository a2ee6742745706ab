package dev.towtank.controllers.triggers.events;

import java.util.Optional;

/// The secrets that a trigger may read.
@FunctionalInterface
public interface Secrets {

    /// @param namespace empty for that of the trigger
    Optional<byte[]> find(String namespace, String name, String key);

    default Optional<byte[]> find(String name, String key) {
        return find("", name, key);
    }
}

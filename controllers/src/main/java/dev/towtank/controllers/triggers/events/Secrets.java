package dev.towtank.controllers.triggers.events;

import java.util.Optional;

/// The secrets beside a trigger.
@FunctionalInterface
public interface Secrets {

    Optional<byte[]> find(String name, String key);
}

package dev.towtank.cluster;

import dev.towtank.model.Kind;

/// Where controllers read the world: a cache for every kind they ask for.
@FunctionalInterface
public interface Caches {

    Cache of(Kind<?> kind);
}

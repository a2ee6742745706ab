package dev.towtank.cluster;

/// Collects what a [Reconciler] needs to know: out of caches, or from the world outside. It may block.
@FunctionalInterface
public interface Facts<T, F> {

    F gather(Observed<T> primary);
}

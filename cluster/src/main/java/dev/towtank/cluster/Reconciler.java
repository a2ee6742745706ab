package dev.towtank.cluster;

import java.time.Instant;

/// Decides what must change so that the world is as an object wants it. Pure: it looks, and returns data.
///
/// It is correct from any state that a crash half-way through one of its own plans leaves behind, and with facts that
/// are a little old: names of children are a function of their parent, so the worst is "already exists". When the
/// world is as it should be, it returns [Plan#NONE].
///
/// @param <T> the record that the primary object reads as
/// @param <F> all it needs to know about other objects and about the world outside
@FunctionalInterface
public interface Reconciler<T, F> {

    Plan reconcile(Observed<T> primary, F facts, Instant now);
}

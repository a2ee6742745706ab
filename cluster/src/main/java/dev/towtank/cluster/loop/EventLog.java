package dev.towtank.cluster.loop;

import dev.towtank.cluster.Change;
import java.util.List;

/// Takes what people shall read about objects.
@FunctionalInterface
public interface EventLog {

    /// @param part of the object that it is about, like `spec.containers{web}`; empty for all of it
    void record(Change.Event event, String part);

    default void record(Change.Event event) {
        record(event, "");
    }

    /// Several that belong together, in their order.
    default void record(List<Told> together) {
        together.forEach(told -> record(told.event, told.part));
    }

    /// @param part see [#record]
    record Told(Change.Event event, String part) {}
}

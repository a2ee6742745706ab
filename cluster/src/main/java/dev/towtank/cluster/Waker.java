package dev.towtank.cluster;

import java.util.function.Consumer;

/// Something beside the objects of the cluster that makes a controller look again.
@FunctionalInterface
public interface Waker {

    /// @param wake takes the names of primary objects, from any thread; returns at once
    void subscribe(Consumer<ObjectName> wake);
}

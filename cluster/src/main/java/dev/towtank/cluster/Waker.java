package dev.towtank.cluster;

import java.util.function.Consumer;

/// Something beside the objects of the cluster that makes a controller look again.
@FunctionalInterface
public interface Waker {

    /// @param wake takes the names of primary objects, from any thread; returns at once
    void subscribe(Consumer<ObjectName> wake);

    /// Whether whom it wakes can wait until others were looked at: it tells many of what hardly concerns them.
    default boolean canWait() {
        return false;
    }

    /// A primary object is gone: nobody has to be woken for it.
    default void forget(ObjectName gone) {}
}

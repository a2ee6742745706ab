package dev.towtank.cluster;

import dev.towtank.model.Resource;
import java.util.Optional;

/// Knows which objects are being worked on, so that one whose handling ends the process is found by the next.
public interface InHand {

    /// For processes that leave nothing behind.
    InHand FORGETFUL = (_, _) -> Optional.of(() -> {});

    /// The beginning of the annotation of an object that is left alone; the rest is the name of who does.
    String ANNOTATION = "set-aside.towtank.dev/";

    /// The reason of the event, and of what waits because of it.
    String REASON = "SetAside";

    /// The work on an object, until it is closed.
    @FunctionalInterface
    interface Turn extends AutoCloseable {
        @Override
        void close();
    }

    /// Before the work on an object begins. Waits, where the object is under suspicion and another such is in hand.
    ///
    /// @param worker whose work it is: what one cannot bear, another may
    /// @return empty where the object is set aside
    Optional<Turn> begin(String worker, Resource object);

    static String message(String worker) {
        return "the work of " + worker + " on this object ended the server twice; it is left alone until its spec"
                + " changes, and everything else is served";
    }
}

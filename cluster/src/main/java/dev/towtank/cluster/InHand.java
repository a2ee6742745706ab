package dev.towtank.cluster;

import dev.towtank.model.Resource;
import java.time.Instant;

/// Knows which objects are being worked on, so that one whose handling ends the process is found by the next.
public interface InHand {

    /// For processes that leave nothing behind.
    InHand FORGETFUL = (_, _) -> (Turn) () -> {};

    /// The beginning of the annotation of an object that is left alone; the rest is the name of who does.
    String ANNOTATION = "set-aside.towtank.dev/";

    /// The reason of the event, and of what waits because of it.
    String REASON = "SetAside";

    /// Whether the work may begin.
    sealed interface Beginning {}

    /// The work on an object, until it is closed.
    @FunctionalInterface
    non-sealed interface Turn extends Beginning, AutoCloseable {
        @Override
        void close();
    }

    /// The object is left alone for a while. Somebody may have ended the server who had nothing to do with it, and no
    /// trace tells the one from the other: so it has another turn, later each time.
    ///
    /// @param deaths how many servers in a row ended while they worked on it
    record SetAside(int deaths, Instant until) implements Beginning {

        public String message(String worker) {
            return "the server ended %d times while %s worked on this object; it is left alone until %s, or until its"
                            .formatted(deaths, worker, until)
                    + " spec changes, and everything else is served";
        }
    }

    /// Before the work on an object begins. Waits, where the object is under suspicion and another such is in hand.
    ///
    /// @param worker whose work it is: what one cannot bear, another may
    Beginning begin(String worker, Resource object);
}

package dev.towtank.app.run;

import java.util.function.Consumer;

/// Tells when somebody wants the run to end.
@FunctionalInterface
public interface Stopping {

    enum Wish {
        /// Ctrl-C: end it in good order. Again: end it now.
        INTERRUPT,
        /// The system or a supervisor wants the process to end soon.
        TERMINATE
    }

    /// From now on, wishes go here; on any thread.
    void subscribe(Consumer<Wish> listener);

    Stopping NEVER = _ -> {};
}

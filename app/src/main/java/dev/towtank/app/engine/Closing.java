package dev.towtank.app.engine;

import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.Deque;

/// Things to close, the last first. One that cannot be closed keeps none of the others open.
class Closing implements AutoCloseable {

    private static final System.Logger LOG = System.getLogger(Closing.class.getName());

    private final Deque<Step> steps = new ArrayDeque<>();

    private record Step(String name, Runnable close) {}

    /// @param name for the log, when it cannot be closed
    synchronized void add(String name, Runnable close) {
        steps.push(new Step(name, close));
    }

    /// A second call finds nothing to close.
    @Override
    public void close() {
        while (true) {
            Step step;
            synchronized (this) {
                if (steps.isEmpty()) {
                    return;
                }
                step = steps.pop();
            }
            try {
                step.close.run();
            } catch (RuntimeException e) {
                LOG.log(Level.ERROR, "could not close " + step.name, e);
            }
        }
    }
}

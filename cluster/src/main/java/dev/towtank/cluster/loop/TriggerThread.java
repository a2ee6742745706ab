package dev.towtank.cluster.loop;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;

/// One thread on which the triggers of all controllers are asked whom a change wakes. A change of a pod concerns
/// a dozen of them, and to wake a thread for each costs more than what they say.
final class TriggerThread implements Executor, AutoCloseable {

    private final BlockingQueue<Runnable> waiting = new LinkedBlockingQueue<>();
    private final Thread thread = Thread.ofVirtual().name("triggers").start(this::run);

    @Override
    public void execute(Runnable question) {
        waiting.add(question);
    }

    private void run() {
        try {
            while (true) {
                waiting.take().run();
            }
        } catch (InterruptedException e) {
            // closed
        }
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}

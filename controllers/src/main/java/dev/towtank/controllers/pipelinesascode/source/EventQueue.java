package dev.towtank.controllers.pipelinesascode.source;

import dev.towtank.cluster.Change;
import dev.towtank.controllers.pipelinesascode.events.GitEvent;
import dev.towtank.model.Resource;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.function.Consumer;

/// Events that were accepted and wait for their turn: so many, and no more.
public final class EventQueue implements AutoCloseable {

    private static final System.Logger LOG = System.getLogger(EventQueue.class.getName());
    private static final int MOST = 1000;
    private static final int AT_ONCE = 4;

    private final EventWork work;
    private final Consumer<Change.Event> events;
    private final BlockingQueue<Waiting> waiting = new ArrayBlockingQueue<>(MOST);
    private boolean started;
    private volatile boolean closed;

    private record Waiting(Resource repository, GitEvent event) {}

    public EventQueue(EventWork work, Consumer<Change.Event> events) {
        this.work = work;
        this.events = events;
    }

    /// @return whether there was a place for it
    boolean add(Resource repository, GitEvent event) {
        start();
        return waiting.offer(new Waiting(repository, event));
    }

    void refused(Resource repository, String why) {
        events.accept(Change.Event.warning(repository, "RepositoryEventRefused", why));
    }

    // Nothing runs before the first event.
    private synchronized void start() {
        if (!started) {
            started = true;
            for (int i = 0; i < AT_ONCE; i++) {
                Thread.ofVirtual().name("pipelines-as-code " + i).start(this::run);
            }
        }
    }

    private void run() {
        try {
            while (!closed) {
                var next = waiting.take();
                handle(next);
            }
        } catch (InterruptedException e) {
            // closed
        }
    }

    private void handle(Waiting next) throws InterruptedException {
        try {
            work.done(next.repository, next.event)
                    .forEach(
                            told -> events.accept(Change.Event.normal(next.repository, "RepositoryPipelineRun", told)));
        } catch (EventWork.Refused e) {
            events.accept(Change.Event.warning(next.repository, e.reason(), e.text()));
        } catch (RuntimeException e) {
            // A mistake of ours in one event must not stop all others.
            failed(next, e, String.valueOf(e.getMessage()));
        } catch (StackOverflowError e) {
            failed(next, e, "something in it goes too deep");
        }
    }

    private void failed(Waiting next, Throwable problem, String why) {
        LOG.log(System.Logger.Level.ERROR, "an event of " + next.repository.describe() + " failed", problem);
        events.accept(Change.Event.warning(next.repository, "RepositoryEventFailed", why));
    }

    @Override
    public void close() {
        closed = true;
    }
}

package dev.towtank.cluster;

import dev.towtank.cluster.testing.PassingCluster;
import dev.towtank.model.Kind;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;

/// A cluster whose lists and watches fail or stall when a test says so.
public final class FlakyCluster extends PassingCluster {

    private final Queue<RuntimeException> failures = new ArrayDeque<>();
    private int lists;
    private int openWatches;
    private boolean paused;

    public FlakyCluster(Cluster cluster) {
        super(cluster);
    }

    /// The next list or watch fails so.
    public synchronized void failNext(RuntimeException failure) {
        failures.add(failure);
    }

    synchronized int lists() {
        return lists;
    }

    /// Events are no longer read; those of the past stay in the server.
    synchronized void pauseReading() {
        paused = true;
    }

    synchronized void resumeReading() {
        paused = false;
        notifyAll();
    }

    synchronized void awaitClosedWatches() throws InterruptedException {
        while (openWatches > 0) {
            wait();
        }
    }

    private synchronized void failWhenAsked() {
        var failure = failures.poll();
        if (failure != null) {
            throw failure;
        }
    }

    @Override
    public Listing list(Kind<?> kind, Selection selection) {
        failWhenAsked();
        synchronized (this) {
            lists++;
        }
        return super.list(kind, selection);
    }

    @Override
    public Watch watch(Kind<?> kind, Selection selection, String afterResourceVersion) {
        failWhenAsked();
        var watch = super.watch(kind, selection, afterResourceVersion);
        synchronized (this) {
            openWatches++;
        }
        return new Watch() {
            @Override
            public List<Event> next(Duration longest) throws InterruptedException {
                // Short waits, so that a pause takes hold between them.
                synchronized (FlakyCluster.this) {
                    while (paused) {
                        FlakyCluster.this.wait();
                    }
                    return watch.next(Duration.ofMillis(5));
                }
            }

            @Override
            public void close() {
                watch.close();
                synchronized (FlakyCluster.this) {
                    openWatches--;
                    FlakyCluster.this.notifyAll();
                }
            }
        };
    }
}

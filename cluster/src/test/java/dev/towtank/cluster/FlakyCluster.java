package dev.towtank.cluster;

import dev.towtank.model.Kind;
import dev.towtank.model.Patch;
import dev.towtank.model.Resource;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;

/// A cluster whose lists and watches fail or stall when a test says so.
final class FlakyCluster implements Cluster {

    private final Cluster cluster;
    private final Queue<RuntimeException> failures = new ArrayDeque<>();
    private int lists;
    private int openWatches;
    private boolean paused;

    FlakyCluster(Cluster cluster) {
        this.cluster = cluster;
    }

    /// The next list or watch fails so.
    synchronized void failNext(RuntimeException failure) {
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
        return cluster.list(kind, selection);
    }

    @Override
    public Watch watch(Kind<?> kind, Selection selection, String afterResourceVersion) {
        failWhenAsked();
        var watch = cluster.watch(kind, selection, afterResourceVersion);
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

    @Override
    public Optional<Resource> get(Kind<?> kind, ObjectName name) {
        return cluster.get(kind, name);
    }

    @Override
    public Resource create(Kind<?> kind, Resource object, WriteOptions options) {
        return cluster.create(kind, object, options);
    }

    @Override
    public Resource update(Kind<?> kind, Resource object, WriteOptions options) {
        return cluster.update(kind, object, options);
    }

    @Override
    public Resource patch(Kind<?> kind, ObjectName name, Patch patch, WriteOptions options) {
        return cluster.patch(kind, name, patch, options);
    }

    @Override
    public void delete(Kind<?> kind, ObjectName name, DeleteOptions options) {
        cluster.delete(kind, name, options);
    }
}

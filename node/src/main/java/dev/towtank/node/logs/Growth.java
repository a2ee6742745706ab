package dev.towtank.node.logs;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// Wakes those who follow a log.
final class Growth {

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private long version;
    private boolean ended;

    void grown() {
        lock.lock();
        try {
            version++;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    void end() {
        lock.lock();
        try {
            ended = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /// What to give to [#await] after having looked at what is there now.
    long version() {
        lock.lock();
        try {
            return version;
        } finally {
            lock.unlock();
        }
    }

    boolean ended() {
        lock.lock();
        try {
            return ended;
        } finally {
            lock.unlock();
        }
    }

    /// Waits for more than there was at that version, or the end.
    void await(long seen) throws InterruptedException {
        lock.lock();
        try {
            while (version == seen && !ended) {
                changed.await();
            }
        } finally {
            lock.unlock();
        }
    }
}

package dev.towtank.apiserver.registry;

import dev.towtank.apiserver.store.Key;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/// Lets those who change the same object do so one after the other, in the order they came.
///
/// Of two who work at the same time one works in vain, because only one can commit. Correctness is not at stake, the
/// store refuses the second; so nobody waits for long for somebody who takes long, such as for a webhook, which may
/// itself want to change the object.
final class Turns {

    /// Longer than some writes in a row, shorter than a person notices.
    static final Duration PATIENCE = Duration.ofMillis(50);

    private final Duration patience;
    private final Map<Key, Turn> turns = new ConcurrentHashMap<>();

    /// @param patience how long somebody waits before they go ahead all the same
    Turns(Duration patience) {
        this.patience = patience;
    }

    private static final class Turn {
        final ReentrantLock lock = new ReentrantLock(true);
        // Changed only inside the map's computations.
        int interested;
    }

    <T> T inTurn(Key key, Supplier<T> work) {
        var turn = join(key);
        boolean mine = await(turn.lock);
        try {
            return work.get();
        } finally {
            if (mine) {
                turn.lock.unlock();
            }
            leave(key);
        }
    }

    /// How many objects are being changed.
    int size() {
        return turns.size();
    }

    private Turn join(Key key) {
        return turns.compute(key, (_, known) -> {
            var turn = known == null ? new Turn() : known;
            turn.interested++;
            return turn;
        });
    }

    private void leave(Key key) {
        turns.computeIfPresent(key, (_, turn) -> --turn.interested == 0 ? null : turn);
    }

    private boolean await(ReentrantLock lock) {
        try {
            return lock.tryLock(patience.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}

package dev.towtank.apiserver.http;

import dev.towtank.model.Json;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.StatusError;
import dev.towtank.model.StatusError.Reason;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;

/// Counts what is under way, and refuses what would be too much.
final class Limits {

    private final Counter readOnly;
    private final Counter mutating;
    private final Counter longRunning;

    Limits(Options options) {
        readOnly = new Counter(options.readOnly());
        mutating = new Counter(options.mutating());
        longRunning = new Counter(options.longRunning());
    }

    /// A logical cluster may take half of what there is: with the rest its neighbours go on.
    Turn of(Route.OnResource route, LogicalCluster cluster) {
        var counter = route.isLongRunning() ? longRunning : route.verb().isReadOnly() ? readOnly : mutating;
        return cluster.equals(LogicalCluster.DEFAULT) ? counter : new Share(counter, cluster);
    }

    /// Permission to be under way.
    interface Turn {

        /// Whoever gets past this calls [#leave] once.
        ///
        /// @param exempt counted, but never refused: who repairs an overloaded server must get in
        /// @throws StatusError TooManyRequests
        void enter(boolean exempt);

        void leave();
    }

    private record Share(Counter counter, LogicalCluster cluster) implements Turn {

        @Override
        public void enter(boolean exempt) {
            int mine = counter.shares.merge(cluster, 1, Integer::sum);
            try {
                if (mine > Math.max(1, counter.most / 2) && !exempt) {
                    throw tooMany();
                }
                counter.enter(exempt);
            } catch (StatusError e) {
                giveBack();
                throw e;
            }
        }

        @Override
        public void leave() {
            counter.leave();
            giveBack();
        }

        private void giveBack() {
            counter.shares.computeIfPresent(cluster, (_, count) -> count == 1 ? null : count - 1);
        }
    }

    private static StatusError tooMany() {
        return new StatusError(
                Reason.TOO_MANY_REQUESTS,
                "Too many requests, please try again later.",
                Json.Obj.of("retryAfterSeconds", Json.of(1)));
    }

    Counter readOnly() {
        return readOnly;
    }

    Counter mutating() {
        return mutating;
    }

    Counter longRunning() {
        return longRunning;
    }

    static final class Counter implements Turn {
        private final int most;
        // Of those that have something under way.
        private final ConcurrentMap<LogicalCluster, Integer> shares = new ConcurrentHashMap<>();
        private final AtomicInteger current = new AtomicInteger();

        Counter(int most) {
            this.most = most;
        }

        int current() {
            return current.get();
        }

        @Override
        public void enter(boolean exempt) {
            if (current.incrementAndGet() > most && !exempt) {
                current.decrementAndGet();
                throw tooMany();
            }
        }

        @Override
        public void leave() {
            current.decrementAndGet();
        }
    }
}

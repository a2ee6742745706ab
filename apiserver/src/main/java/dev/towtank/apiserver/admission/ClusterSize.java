package dev.towtank.apiserver.admission;

import dev.towtank.apiserver.store.Key;
import dev.towtank.apiserver.store.Range;
import dev.towtank.apiserver.store.Store;
import dev.towtank.model.BoundedMap;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.kinds.LogicalClusters;

/// Lets no logical cluster become larger than it may: all of them share the memory.
///
/// What is in a cluster is counted now and then, and between that only what comes is added; so before it refuses
/// anything it counts again. Deletions are always allowed, and events, which go by themselves, do not count.
public final class ClusterSize implements Admission {

    private static final int RECOUNT = 1000;
    private static final int REMEMBERED = 4096;

    private final Store store;
    /// Of the clusters that grew last.
    private final BoundedMap<LogicalCluster, Guess> guesses = BoundedMap.byUse(REMEMBERED);

    public ClusterSize(Store store) {
        this.store = store;
    }

    /// @param counted how many there were
    /// @param added since then
    private record Guess(int counted, int added) {
        int sum() {
            return counted + added;
        }
    }

    @Override
    public void check(Review review) {
        if (review.operation() == Review.Operation.DELETE && review.isKind(LogicalClusters.KIND)) {
            forget(new LogicalCluster(review.name()));
        }
        boolean isOne = review.operation() == Review.Operation.CREATE
                && review.subresource().isEmpty()
                && !review.cluster().equals(LogicalCluster.DEFAULT)
                && !review.kind().kind().equals("Event");
        if (!isOne) {
            return;
        }
        long most = most(review.cluster());
        var guess = next(review.cluster());
        if (guess.sum() > most) {
            int now = count(review.cluster());
            if (now >= most) {
                throw review.forbidden("cluster " + review.cluster() + " has " + now + " objects, and its limit is "
                        + most + "; delete some, or let an administrator raise spec.maxObjects of the LogicalCluster");
            }
            next(review.cluster()); // this one comes on top of what was just counted
        }
    }

    /// Should it stay after all, it is counted again.
    private void forget(LogicalCluster cluster) {
        synchronized (guesses) {
            guesses.remove(cluster);
        }
    }

    private long most(LogicalCluster cluster) {
        var object = store.get(new Key(LogicalClusters.KIND.resource(), LogicalCluster.DEFAULT, "", cluster.id()));
        return object == null ? LogicalClusters.MOST_OBJECTS : LogicalClusters.maxObjects(object.tree());
    }

    private Guess next(LogicalCluster cluster) {
        synchronized (guesses) {
            var known = guesses.get(cluster);
            if (known != null && known.added < RECOUNT) {
                var next = new Guess(known.counted, known.added + 1);
                guesses.put(cluster, next);
                return next;
            }
        }
        count(cluster);
        return next(cluster);
    }

    private int count(LogicalCluster cluster) {
        int now = store.count(Range.of(cluster));
        synchronized (guesses) {
            guesses.put(cluster, new Guess(now, 0));
        }
        return now;
    }
}

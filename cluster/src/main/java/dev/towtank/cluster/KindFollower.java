package dev.towtank.cluster;

import dev.towtank.model.Kind;

/// Follows kinds that somebody only meets while they run, and that may vanish and come back meanwhile.
@FunctionalInterface
public interface KindFollower {

    /// The handler first hears of what is there, then of every change until the end. All who follow a kind share one
    /// [Informer]; the kind need not be served yet, and when it is no longer, its objects are gone.
    Following follow(Kind<?> kind, Informer.Handler handler);

    /// Ends with whoever asked for it; what nobody follows any more is no longer read.
    interface Following extends AutoCloseable {

        Cache cache();

        /// Returns when the cache is complete.
        void awaitSynced() throws InterruptedException;

        @Override
        void close();
    }
}

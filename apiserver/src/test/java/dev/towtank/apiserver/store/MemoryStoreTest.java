package dev.towtank.apiserver.store;

import java.time.InstantSource;

class MemoryStoreTest extends FeedContract {

    @Override
    Store open(InstantSource clock, StoreLimits limits) {
        return JournaledStore.inMemory(clock, limits);
    }
}

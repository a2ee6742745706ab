package dev.towtank.apiserver.store;

import java.nio.file.Path;
import java.time.InstantSource;
import java.util.UUID;
import org.junit.jupiter.api.io.TempDir;

class SqliteStoreTest extends FeedContract {

    @TempDir
    Path directory;

    @Override
    Store open(InstantSource clock, StoreLimits limits) {
        return JournaledStore.open(directory.resolve(UUID.randomUUID().toString()), clock, limits, "a test");
    }
}

package dev.towtank.node.images;

import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.LongConsumer;

/// Pulls that are under way. Who wants an image that somebody else is pulling waits for the same pull.
final class ImagePulls {

    private final InstantSource clock;

    // Guarded by this object's monitor.
    private final Map<String, Running> running = new HashMap<>();

    ImagePulls(InstantSource clock) {
        this.clock = clock;
    }

    /// How a pull ended.
    record End(ImageMap.Lookup found, long bytes) {}

    /// @param key the same for those who may share one
    /// @param work is given whom to tell how many more bytes have come, on any thread
    synchronized ImageMap.Pull of(String key, Function<LongConsumer, End> work) {
        return running.computeIfAbsent(key, _ -> {
            var pull = new Running();
            Thread.ofVirtual().name("pull " + key).start(() -> run(key, pull, work));
            return pull;
        });
    }

    private void run(String key, Running pull, Function<LongConsumer, End> work) {
        var began = clock.instant();
        var end = new End(
                new ImageMap.Lookup.NotFound("ErrImagePull", "the pull failed by a mistake in this program"), 0);
        try {
            end = work.apply(pull.come::addAndGet);
        } finally {
            synchronized (this) {
                running.remove(key);
            }
            pull.end(new ImageMap.Pulled(end.found(), Duration.between(began, clock.instant()), end.bytes()));
        }
    }

    private static final class Running implements ImageMap.Pull {

        private final AtomicLong come = new AtomicLong();

        // Guarded by this object's monitor.
        private final List<Runnable> waiting = new ArrayList<>();
        private Optional<ImageMap.Pulled> result = Optional.empty();

        @Override
        public synchronized Optional<ImageMap.Pulled> result() {
            return result;
        }

        @Override
        public long come() {
            return come.get();
        }

        @Override
        public void whenDone(Runnable then) {
            synchronized (this) {
                if (result.isEmpty()) {
                    waiting.add(then);
                    return;
                }
            }
            then.run();
        }

        void end(ImageMap.Pulled pulled) {
            List<Runnable> told;
            synchronized (this) {
                result = Optional.of(pulled);
                told = List.copyOf(waiting);
                waiting.clear();
            }
            told.forEach(Runnable::run);
        }
    }
}

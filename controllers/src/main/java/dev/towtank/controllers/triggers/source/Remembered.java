package dev.towtank.controllers.triggers.source;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/// What need not be asked for again within a while.
final class Remembered<K, V> {

    private static final int MOST = 1_000;

    private record Entry<V>(V value, Instant until) {}

    private final Duration time;
    private final InstantSource clock;

    // Guarded by this object's monitor; the one that was not used for longest first.
    private final Map<K, Entry<V>> entries = new LinkedHashMap<>(16, 0.75f, true);

    Remembered(Duration time, InstantSource clock) {
        this.time = time;
        this.clock = clock;
    }

    synchronized Optional<V> known(K key) {
        var entry = entries.get(key);
        var now = clock.instant();
        // Nor what seems to be from the future, after the clock was set back.
        return entry != null && now.isBefore(entry.until) && !now.plus(time).isBefore(entry.until)
                ? Optional.of(entry.value)
                : Optional.empty();
    }

    synchronized void keep(K key, V value) {
        entries.put(key, new Entry<>(value, clock.instant().plus(time)));
        if (entries.size() > MOST) {
            entries.remove(entries.keySet().iterator().next());
        }
    }

    synchronized void forget(K key) {
        entries.remove(key);
    }

    /// Two that ask at the same time may both ask for it.
    V of(K key, Supplier<V> question) {
        return known(key).orElseGet(() -> {
            var value = question.get();
            keep(key, value);
            return value;
        });
    }
}

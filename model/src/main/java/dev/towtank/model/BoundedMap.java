package dev.towtank.model;

import java.util.LinkedHashMap;
import java.util.Map;

/// A map that forgets: when it is full, an entry goes for each that comes. Several threads must take turns.
public final class BoundedMap<K, V> extends LinkedHashMap<K, V> {

    private static final long serialVersionUID = 1;

    private final int most;

    private BoundedMap(int most, boolean isByUse) {
        super(16, 0.75f, isByUse);
        this.most = most;
    }

    /// What was neither put nor asked for the longest goes first.
    public static <K, V> BoundedMap<K, V> byUse(int most) {
        return new BoundedMap<>(most, true);
    }

    /// What came first goes first.
    public static <K, V> BoundedMap<K, V> byAge(int most) {
        return new BoundedMap<>(most, false);
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
        return size() > most;
    }
}

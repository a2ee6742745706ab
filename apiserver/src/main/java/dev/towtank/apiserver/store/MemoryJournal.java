package dev.towtank.apiserver.store;

import java.util.List;
import java.util.TreeMap;
import java.util.function.Consumer;

/// A journal that lives as long as this object: for tests and simulations, which reopen a store over it.
final class MemoryJournal implements Journal {

    private final TreeMap<Long, Entry> entries = new TreeMap<>();
    private long newest;

    @Override
    public synchronized long load(Consumer<Entry> reader) {
        entries.values().forEach(reader);
        return newest;
    }

    @Override
    public synchronized void append(List<Entry> added, List<Long> obsolete) {
        for (var entry : added) {
            entries.put(entry.revision(), entry);
            newest = entry.revision();
        }
        obsolete.forEach(entries::remove);
    }

    @Override
    public void tidy() {}

    @Override
    public void close() {}
}

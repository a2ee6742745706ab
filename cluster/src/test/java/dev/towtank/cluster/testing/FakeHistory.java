package dev.towtank.cluster.testing;

import dev.towtank.cluster.Watch;
import dev.towtank.model.GroupResource;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.Resource;
import dev.towtank.model.StatusError;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// What happened in a [FakeCluster], for watches to read.
final class FakeHistory {

    private record Entry(
            long revision, GroupResource resource, @Nullable Resource before, Resource now, boolean deleted) {}

    private final List<Entry> entries = new ArrayList<>();
    private long revision = 1;
    private long oldest = 1;
    private long endings;

    synchronized long revision() {
        return revision;
    }

    /// Numbers the object's new state and tells it, in one step: readers never see one without the other.
    synchronized Resource add(Kind<?> kind, @Nullable Resource before, Resource object, boolean deleted) {
        var number = Json.of(Long.toString(++revision));
        var now = object.with(object.json().with(List.of("metadata", "resourceVersion"), number));
        entries.add(new Entry(revision, kind.resource(), before, now, deleted));
        notifyAll();
        return now;
    }

    synchronized void forget() {
        entries.clear();
        oldest = revision;
    }

    synchronized void endWatches() {
        endings++;
        notifyAll();
    }

    synchronized Watch watch(Kind<?> kind, FakeSelector selector, long after) {
        if (after < oldest) {
            throw StatusError.tooOld(after, oldest);
        }
        return new Reader(kind.resource(), selector, after);
    }

    private synchronized List<Watch.Event> read(Reader reader) {
        if (reader.endings != endings) {
            throw new Watch.Ended();
        }
        if (reader.position < oldest) {
            throw StatusError.tooOld(reader.position, oldest);
        }
        var found = new ArrayList<Watch.Event>();
        for (var entry : entries.subList(firstAfter(reader.position), entries.size())) {
            if (entry.resource.equals(reader.resource)) {
                event(entry, reader.selector).ifPresent(found::add);
            }
        }
        reader.position = revision;
        return found;
    }

    private int firstAfter(long position) {
        // Every entry has the number after the one before it.
        return (int) Math.max(0, entries.size() - (revision - position));
    }

    private static Optional<Watch.Event> event(Entry entry, FakeSelector selector) {
        var was = entry.before != null && selector.matches(entry.before);
        var is = !entry.deleted && selector.matches(entry.now);
        if (was) {
            return Optional.of(is ? new Watch.Modified(entry.now) : new Watch.Deleted(entry.now));
        }
        return is ? Optional.of(new Watch.Added(entry.now)) : Optional.empty();
    }

    private final class Reader implements Watch {
        private final GroupResource resource;
        private final FakeSelector selector;
        private final long endings;
        private long position;

        private Reader(GroupResource resource, FakeSelector selector, long position) {
            this.resource = resource;
            this.selector = selector;
            this.position = position;
            this.endings = FakeHistory.this.endings;
        }

        @Override
        public List<Event> next(Duration longest) throws InterruptedException {
            synchronized (FakeHistory.this) {
                long deadline = System.nanoTime() + longest.toNanos();
                var found = read(this);
                for (long left = longest.toNanos(); found.isEmpty() && left > 0; left = deadline - System.nanoTime()) {
                    FakeHistory.this.wait(Math.max(1, left / 1_000_000));
                    found = read(this);
                }
                return found;
            }
        }

        @Override
        public void close() {
            // a reader holds nothing
        }
    }
}

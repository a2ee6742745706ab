package dev.towtank.apiserver.store;

import dev.towtank.model.GroupResource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// The newest version of every key, in key order. One thread writes; any number read without locks.
final class Index {

    /// Within one resource; comparing that as well would only cost time.
    private static final Comparator<Key> ORDER = (one, other) -> {
        int order = one.cluster().id().compareTo(other.cluster().id());
        if (order == 0) {
            order = one.namespace().compareTo(other.namespace());
        }
        return order == 0 ? one.name().compareTo(other.name()) : order;
    };

    private final ConcurrentMap<GroupResource, ConcurrentSkipListMap<Key, KeyVersion>> shelves =
            new ConcurrentHashMap<>();

    @Nullable
    KeyVersion newest(Key key) {
        var shelf = shelves.get(key.resource());
        return shelf == null ? null : shelf.get(key);
    }

    /// What was the newest before, where there was one.
    @Nullable
    KeyVersion put(KeyVersion version) {
        var key = version.stored().key();
        return shelves.computeIfAbsent(key.resource(), _ -> new ConcurrentSkipListMap<>(ORDER))
                .put(key, version);
    }

    /// Forgets what nobody may ask for any more, once the version is the oldest that lists can still see.
    void forgetBefore(KeyVersion version) {
        version.forgetOlder();
        if (version.isDeleted()) {
            var key = version.stored().key();
            var shelf = shelves.get(key.resource());
            if (shelf != null) {
                shelf.remove(key, version);
            }
        }
    }

    void remove(Key key) {
        var shelf = shelves.get(key.resource());
        if (shelf != null) {
            shelf.remove(key);
        }
    }

    List<Stored> list(Range range, long at) {
        var found = new ArrayList<Stored>();
        scan(range, at, null, found::add);
        return found;
    }

    /// Visits what a range held at a revision, in key order, until the visitor has had enough.
    void scan(Range range, long at, @Nullable Key after, Predicate<Stored> visitor) {
        for (var resource : resources(range)) {
            int position = after == null ? 1 : resource.compareTo(after.resource());
            var shelf = shelves.get(resource);
            if (shelf == null || position < 0) {
                continue;
            }
            var start = position == 0 ? after : null;
            if (!scan(versions(shelf, resource, range, start), range, at, visitor)) {
                return;
            }
        }
    }

    private static boolean scan(Collection<KeyVersion> versions, Range range, long at, Predicate<Stored> visitor) {
        // Without a cluster, the objects of a namespace do not lie together.
        boolean scattered = range.cluster().isEmpty() && range.namespace().isPresent();
        for (var version : versions) {
            if (!range.contains(version.stored().key())) {
                if (scattered) {
                    continue;
                }
                return true;
            }
            var stored = version.at(at);
            if (stored != null && !visitor.test(stored)) {
                return false;
            }
        }
        return true;
    }

    private static Collection<KeyVersion> versions(
            ConcurrentSkipListMap<Key, KeyVersion> shelf, GroupResource resource, Range range, @Nullable Key after) {
        var start = range.cluster()
                .map(cluster -> new Key(resource, cluster, range.namespace().orElse(""), ""))
                .orElse(null);
        if (after != null && (start == null || ORDER.compare(after, start) > 0)) {
            return shelf.tailMap(after, false).values();
        }
        return start == null ? shelf.values() : shelf.tailMap(start, true).values();
    }

    private List<GroupResource> resources(Range range) {
        if (range.resource().isPresent()) {
            return List.of(range.resource().get());
        }
        var all = new ArrayList<>(shelves.keySet());
        all.sort(null);
        return all;
    }
}

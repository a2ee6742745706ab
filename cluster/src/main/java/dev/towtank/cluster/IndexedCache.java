package dev.towtank.cluster;

import dev.towtank.model.Resource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// A [Cache] that its informer writes to.
public final class IndexedCache implements Cache {

    // All guarded by this object's monitor.
    private final Bucket all = new Bucket();
    private final Map<Index, Map<String, Bucket>> indexes = new HashMap<>();

    @Override
    public synchronized Optional<Resource> get(ObjectName name) {
        return Optional.ofNullable(all.members.get(name));
    }

    @Override
    public synchronized List<Resource> list() {
        return all.snapshot();
    }

    @Override
    public synchronized List<Resource> by(Index index, String key) {
        var bucket = buckets(index).get(key);
        return bucket == null ? List.of() : bucket.snapshot();
    }

    @Override
    public synchronized int count(Index index, String key) {
        var bucket = buckets(index).get(key);
        return bucket == null ? 0 : bucket.members.size();
    }

    private Map<String, Bucket> buckets(Index index) {
        var buckets = indexes.get(index);
        if (buckets == null) {
            buckets = new HashMap<>();
            for (var resource : all.snapshot()) {
                insert(index, buckets, resource);
            }
            indexes.put(index, buckets);
        }
        return buckets;
    }

    public synchronized int size() {
        return all.members.size();
    }

    /// Takes in the newest state of an object.
    ///
    /// @return what was there before
    public synchronized @Nullable Resource put(Resource resource) {
        var name = ObjectName.of(resource);
        var before = all.put(name, resource);
        indexes.forEach((index, buckets) -> {
            if (before != null) {
                withdraw(index, buckets, before);
            }
            insert(index, buckets, resource);
        });
        return before;
    }

    public synchronized @Nullable Resource remove(ObjectName name) {
        var before = all.remove(name);
        if (before != null) {
            indexes.forEach((index, buckets) -> withdraw(index, buckets, before));
        }
        return before;
    }

    private static void insert(Index index, Map<String, Bucket> buckets, Resource resource) {
        for (var key : index.keys().apply(resource)) {
            buckets.computeIfAbsent(key, _ -> new Bucket()).put(ObjectName.of(resource), resource);
        }
    }

    private static void withdraw(Index index, Map<String, Bucket> buckets, Resource resource) {
        for (var key : index.keys().apply(resource)) {
            var bucket = buckets.get(key);
            if (bucket != null) {
                bucket.remove(ObjectName.of(resource));
                if (bucket.members.isEmpty()) {
                    buckets.remove(key);
                }
            }
        }
    }

    /// The list is made when somebody asks after a change: many changes in a row cost one list.
    private static final class Bucket {
        private final TreeMap<ObjectName, Resource> members = new TreeMap<>();
        private @Nullable List<Resource> list;

        @Nullable
        Resource put(ObjectName name, Resource resource) {
            list = null;
            return members.put(name, resource);
        }

        @Nullable
        Resource remove(ObjectName name) {
            list = null;
            return members.remove(name);
        }

        List<Resource> snapshot() {
            var made = list;
            if (made == null) {
                made = List.copyOf(members.values());
                list = made;
            }
            return made;
        }
    }
}

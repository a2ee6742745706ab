package dev.towtank.controllers.buckets.source;

import dev.towtank.controllers.buckets.s3.OutsideKey;
import dev.towtank.controllers.buckets.s3.Signing;
import dev.towtank.model.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// All buckets, who owns them, and the keys that open them. Nothing is read before somebody asks.
public final class BucketStore {

    /// A name that can be a bucket's; it can be a directory's, too.
    public static final Pattern NAME = Pattern.compile("(?!.*\\.\\.)[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]");

    private static final String OWNER = "owner.json";

    /// What a claim asks for.
    ///
    /// @param claim its uid
    /// @param rotation others than before make new keys; the old ones open nothing from then on
    /// @param more how many further buckets the keys may make
    public record Wanted(String claim, String bucket, String rotation, int more) {}

    private final Supplier<Path> place;
    private final InstantSource clock;

    // All guarded by this object's monitor.
    private final Map<String, Bucket> open = new HashMap<>();
    private final Map<String, Grant> byAccessKey = new HashMap<>();
    private final Map<String, Grant> byClaim = new HashMap<>();
    private final TreeMap<String, Owner> owners = new TreeMap<>();
    private @Nullable Path root;

    /// @param place a directory of its own, made when it is asked for
    public BucketStore(Supplier<Path> place, InstantSource clock) {
        this.place = place;
        this.clock = clock;
    }

    private synchronized Path root() throws IOException {
        var known = root;
        if (known != null) {
            return known;
        }
        var found = place.get();
        try (var buckets = Files.newDirectoryStream(Files.createDirectories(found.resolve("buckets")))) {
            for (var bucket : buckets) {
                SmallFile.read(bucket.resolve(OWNER))
                        .ifPresent(owner -> owners.put(bucket.getFileName().toString(), Owner.read(owner)));
            }
        }
        for (var json : SmallFile.readAll(Files.createDirectories(found.resolve("keys")))) {
            remember(Grant.read(json));
        }
        root = found;
        return found;
    }

    private void remember(Grant grant) {
        byClaim.put(grant.claim(), grant);
        byAccessKey.put(grant.accessKey(), grant);
    }

    /// The bucket with keys for it, made where they are not there yet; the same keys when it is asked for again.
    ///
    /// @return nothing where the bucket is somebody else's
    public synchronized Optional<Json.Obj> provide(Wanted wanted) throws IOException {
        if (!isFor(wanted.claim(), wanted.bucket())) {
            return Optional.empty();
        }
        if (owner(wanted.bucket()).isEmpty()) {
            own(wanted.bucket(), Owner.here(wanted.claim()));
        }
        return Optional.of(keys(wanted));
    }

    /// Keys for a bucket that is there.
    synchronized Json.Obj keys(Wanted wanted) throws IOException {
        var outside = owner(wanted.bucket()).flatMap(Owner::outside);
        var known = Optional.ofNullable(byClaim.get(wanted.claim()));
        var right = known.filter(grant -> grant.isFor(wanted));
        var grant = right.orElseGet(() -> Grant.make(wanted, outside));
        if (right.isEmpty()) {
            SmallFile.write(keys(wanted.claim()), grant.json());
            known.ifPresent(old -> byAccessKey.remove(old.accessKey()));
            remember(grant);
        }
        return grant.json();
    }

    private boolean isFor(String claim, String bucket) throws IOException {
        return owner(bucket).filter(owner -> !owner.claim().equals(claim)).isEmpty();
    }

    synchronized Optional<Owner> owner(String bucket) throws IOException {
        directory(bucket); // which refuses what is no name
        return Optional.ofNullable(owners.get(bucket));
    }

    synchronized void own(String bucket, Owner owner) throws IOException {
        var directory = Files.createDirectories(directory(bucket));
        SmallFile.write(directory.resolve(OWNER), owner.json());
        owners.put(bucket, owner);
    }

    /// A further bucket for whoever may make them.
    ///
    /// @return whether it is theirs now, and was nobody's before
    synchronized boolean make(Grant grant, String bucket) throws IOException {
        if (owner(bucket).isPresent()) {
            return false;
        }
        own(bucket, Owner.here(grant.claim()));
        return true;
    }

    /// In the order of their names.
    synchronized List<String> bucketsOf(String claim) throws IOException {
        root();
        return owners.entrySet().stream()
                .filter(each -> each.getValue().claim().equals(claim))
                .map(Map.Entry::getKey)
                .toList();
    }

    /// By which class a claim's bucket is elsewhere.
    public synchronized Optional<OutsideKey> outside(String claim, String bucket) throws IOException {
        return owner(bucket).filter(owner -> owner.claim().equals(claim)).flatMap(Owner::outside);
    }

    /// From now on its keys open nothing.
    public synchronized void revoke(String claim) throws IOException {
        Files.deleteIfExists(keys(claim));
        var grant = byClaim.remove(claim);
        if (grant != null) {
            byAccessKey.remove(grant.accessKey());
        }
    }

    /// All of the claim's, with all that is in them.
    public synchronized void removeAll(String claim) throws IOException {
        for (var bucket : bucketsOf(claim)) {
            remove(claim, bucket);
        }
    }

    /// A bucket of the claim's that has nothing in it.
    ///
    /// @return whether it was so
    synchronized boolean removeEmpty(String claim, String bucket) throws IOException {
        var seen = bucket(bucket);
        if (!seen.objects().isEmpty() || !seen.uploads().all().isEmpty()) {
            return false;
        }
        remove(claim, bucket);
        return true;
    }

    /// With all that is in it, where it is the claim's.
    public synchronized void remove(String claim, String bucket) throws IOException {
        var directory = directory(bucket);
        if (owner(bucket).filter(owner -> owner.claim().equals(claim)).isPresent()) {
            open.remove(bucket);
            SmallFile.removeTree(directory.resolve("objects"));
            SmallFile.removeTree(directory);
            owners.remove(bucket);
        }
    }

    synchronized Optional<Grant> grant(String accessKey) throws IOException {
        root();
        return Optional.ofNullable(byAccessKey.get(accessKey));
    }

    synchronized Bucket bucket(String name) throws IOException {
        var known = open.get(name);
        if (known != null) {
            return known;
        }
        var opened = new Bucket(name, directory(name), clock);
        open.put(name, opened);
        return opened;
    }

    private Path directory(String bucket) throws IOException {
        if (!NAME.matcher(bucket).matches()) {
            throw new IllegalArgumentException("no name of a bucket: " + Json.of(bucket));
        }
        return root().resolve("buckets").resolve(bucket);
    }

    /// A uid is what a client may have written, so it is no path either.
    private Path keys(String claim) throws IOException {
        return root().resolve("keys").resolve(Signing.sha256(claim));
    }
}

package dev.towtank.controllers.buckets.source;

import dev.towtank.controllers.buckets.s3.Signing;
import dev.towtank.model.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// All buckets, who owns them, and the keys that open them. Nothing is read before somebody asks.
public final class BucketStore {

    /// A name that can be a bucket's; it can be a directory's, too.
    public static final Pattern NAME = Pattern.compile("(?!.*\\.\\.)[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]");

    private final Supplier<Path> place;
    private final InstantSource clock;

    // All guarded by this object's monitor.
    private final Map<String, Bucket> open = new HashMap<>();
    private final Map<String, Grant> byAccessKey = new HashMap<>();
    private final Map<String, Grant> byClaim = new HashMap<>();
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
        Files.createDirectories(found.resolve("buckets"));
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
    /// @param rotation others than before make new keys; the old ones open nothing from then on
    /// @return nothing where the bucket is somebody else's
    public synchronized Optional<Json.Obj> provide(String claim, String bucket, String rotation) throws IOException {
        var directory = directory(bucket);
        var owner = SmallFile.read(directory.resolve("owner.json"));
        if (owner.isPresent() && !owner.get().string("claim").equals(claim)) {
            return Optional.empty();
        }
        if (owner.isEmpty()) {
            Files.createDirectories(directory);
            SmallFile.write(directory.resolve("owner.json"), Json.Obj.of("claim", Json.of(claim)));
        }
        var known = Optional.ofNullable(byClaim.get(claim));
        var right = known.filter(
                grant -> grant.bucket().equals(bucket) && grant.rotation().equals(rotation));
        var grant = right.orElseGet(() -> Grant.make(claim, bucket, rotation));
        if (right.isEmpty()) {
            SmallFile.write(keys(claim), grant.json());
            known.ifPresent(old -> byAccessKey.remove(old.accessKey()));
            remember(grant);
        }
        return Optional.of(grant.json());
    }

    /// From now on its keys open nothing.
    public synchronized void revoke(String claim) throws IOException {
        Files.deleteIfExists(keys(claim));
        var grant = byClaim.remove(claim);
        if (grant != null) {
            byAccessKey.remove(grant.accessKey());
        }
    }

    /// With all that is in it, where it is the claim's.
    public synchronized void remove(String claim, String bucket) throws IOException {
        var directory = directory(bucket);
        var owner = SmallFile.read(directory.resolve("owner.json"));
        if (owner.isPresent() && owner.get().string("claim").equals(claim)) {
            open.remove(bucket);
            SmallFile.removeTree(directory.resolve("objects"));
            SmallFile.removeTree(directory);
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

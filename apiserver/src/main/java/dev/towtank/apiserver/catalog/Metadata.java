package dev.towtank.apiserver.catalog;

import dev.towtank.model.Json;
import dev.towtank.model.Timestamps;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.random.RandomGenerator;

/// The part of `metadata` that belongs to the server. Pure but for the random source it is given.
public final class Metadata {

    private static final String NAME_LETTERS = "bcdfghjklmnpqrstvwxz2456789";
    private static final int RANDOM_LETTERS = 5;
    private static final int MAX_GENERATED_PREFIX = 63 - RANDOM_LETTERS;

    /// Set by the server alone: what a client sends here is ignored.
    private static final List<String> SYSTEM_FIELDS = List.of(
            "uid", "creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds", "generation", "selfLink");

    private static final String MANAGED_FIELDS = "managedFields";

    private Metadata() {}

    public static String timestamp(Instant instant) {
        return Timestamps.seconds(instant);
    }

    public static String uid(RandomGenerator random) {
        long high = (random.nextLong() & 0xFFFFFFFFFFFF0FFFL) | 0x0000000000004000L;
        long low = (random.nextLong() & 0x3FFFFFFFFFFFFFFFL) | 0x8000000000000000L;
        return new UUID(high, low).toString();
    }

    public static String generateName(String prefix, RandomGenerator random) {
        var name = new StringBuilder(
                prefix.length() > MAX_GENERATED_PREFIX ? prefix.substring(0, MAX_GENERATED_PREFIX) : prefix);
        for (int i = 0; i < RANDOM_LETTERS; i++) {
            name.append(NAME_LETTERS.charAt(random.nextInt(NAME_LETTERS.length())));
        }
        return name.toString();
    }

    /// The metadata of a new object: identity first, then what the user gave.
    public static Json.Obj forCreate(
            Json.Obj given, String name, String namespace, String uid, Instant now, boolean generation) {
        var builder = Json.Obj.builder();
        builder.putNonEmpty("name", name);
        builder.putNonEmpty("generateName", given.string("generateName"));
        builder.putNonEmpty("namespace", namespace);
        builder.put("uid", uid);
        if (generation) {
            builder.put("generation", 1);
        }
        builder.put("creationTimestamp", timestamp(now));
        given.forEach((key, value) -> {
            if (!builder.has(key)
                    && !key.equals("namespace")
                    && !SYSTEM_FIELDS.contains(key)
                    && !isDropped(key)
                    && !value.isEmpty()) {
                builder.put(key, value);
            }
        });
        return builder.build();
    }

    /// The metadata of an update: what the server owns stays as stored, what the user left out is gone.
    public static Json.Obj forUpdate(Json.Obj given, Json.Obj stored) {
        var builder = Json.Obj.builder();
        stored.forEach((key, value) -> {
            var theirs = given.get(key);
            if (isOurs(key)) {
                builder.put(key, fixed(key) && theirs != null ? theirs : value);
            } else if (theirs != null && key.equals(MANAGED_FIELDS)) {
                builder.put(key, theirs); // an empty list means: forget all owners
            } else if (theirs != null && !theirs.isEmpty()) {
                builder.put(key, theirs);
            }
        });
        given.forEach((key, value) -> {
            if (!builder.has(key) && (!isOurs(key) || fixed(key)) && !isDropped(key) && !value.isEmpty()) {
                builder.put(key, value);
            }
        });
        return builder.build();
    }

    // To change these is no slip that the server may pass over, but a wish for what it does not do.
    private static boolean fixed(String key) {
        return key.equals("deletionTimestamp") || key.equals("deletionGracePeriodSeconds");
    }

    private static boolean isOurs(String key) {
        // Who names another namespace has been refused before; who names none means the one there is.
        return SYSTEM_FIELDS.contains(key) || key.equals("resourceVersion") || key.equals("namespace");
    }

    private static boolean isDropped(String key) {
        return key.equals("resourceVersion");
    }

    /// Of what has no grace period, not even one that is over.
    public static Json.Obj deleting(Json.Obj object, Instant when) {
        var marked = deleting(object, when, 0);
        return marked.with("metadata", marked.object("metadata").without("deletionGracePeriodSeconds"));
    }

    /// Marks an object as being deleted from now on, or at the end of its grace period.
    public static Json.Obj deleting(Json.Obj object, Instant when, long graceSeconds) {
        var metadata = object.object("metadata");
        if (!metadata.has("deletionTimestamp") && metadata.integer("generation") > 0) {
            metadata = metadata.with("generation", Json.of(metadata.integer("generation") + 1));
        }
        metadata = metadata.with("deletionTimestamp", Json.of(timestamp(when)))
                .with("deletionGracePeriodSeconds", Json.of(graceSeconds));
        return object.with("metadata", metadata);
    }

    public static Json.Obj withFinalizers(Json.Obj object, List<String> finalizers) {
        var metadata = object.object("metadata");
        return object.with(
                "metadata",
                finalizers.isEmpty()
                        ? metadata.without("finalizers")
                        : metadata.with("finalizers", Json.Arr.ofStrings(finalizers)));
    }

    public static Json.Obj withRevision(Json.Obj object, long revision) {
        return object.with(List.of("metadata", "resourceVersion"), Json.of(Long.toString(revision)));
    }

    /// The same object with `apiVersion`, `kind` and `metadata` in front, where people look for them.
    public static Json.Obj ordered(Json.Obj object) {
        var builder = Json.Obj.builder();
        for (var first : List.of("apiVersion", "kind", "metadata")) {
            var value = object.get(first);
            if (value != null) {
                builder.put(first, value);
            }
        }
        object.forEach(builder::put);
        return builder.build();
    }
}

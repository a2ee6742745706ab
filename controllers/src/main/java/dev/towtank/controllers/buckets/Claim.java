package dev.towtank.controllers.buckets;

import dev.towtank.model.Resource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/// An ObjectBucketClaim, and the names that follow from it.
record Claim(Resource object) {

    static final String FINALIZER = "objectbucket.io/finalizer";

    /// Another value than before wants new keys.
    static final String ROTATE = "towtank.dev/rotate-keys";

    /// Names a second Secret with the same in it, for those who look for the keys under another name.
    static final String ALIAS = "towtank.dev/secret-alias";

    /// In `additionalConfig`: how many buckets beside its own the keys may make.
    static final String MORE = "towtank.dev/more-buckets";

    private static final Pattern FEW = Pattern.compile("[0-9]|[1-9][0-9]{1,2}|1000");

    private static final Pattern SECRET = Pattern.compile("[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?");
    private static final int LONGEST = 63;

    String uid() {
        return object.uid();
    }

    String storageClass() {
        return object.spec().string("storageClassName");
    }

    /// Of the ObjectBucket.
    static String bucketObject(String namespace, String name) {
        return "obc-" + namespace + "-" + name;
    }

    String bucketObject() {
        return bucketObject(object.namespace(), object.name());
    }

    /// The bucket it has, or will have: a generated name is a function of the claim, so that a crash changes nothing.
    Optional<String> bucket() {
        var given = object.spec().string("bucketName");
        var prefix = object.spec().string("generateBucketName");
        if (!given.isEmpty() || prefix.isEmpty()) {
            return Optional.of(given).filter(name -> !name.isEmpty());
        }
        int room = LONGEST - 1 - uid().length();
        return Optional.of(prefix.substring(0, Math.min(prefix.length(), Math.max(0, room))) + "-" + uid());
    }

    /// Nothing where it is no number up to a thousand.
    Optional<Integer> more() {
        var text = object.spec().object("additionalConfig").string(MORE);
        return text.isEmpty()
                ? Optional.of(0)
                : Optional.of(text).filter(each -> FEW.matcher(each).matches()).map(Integer::valueOf);
    }

    Optional<String> alias() {
        return Optional.ofNullable(object.annotations().get(ALIAS))
                .filter(name ->
                        !name.equals(object.name()) && SECRET.matcher(name).matches());
    }

    String rotation() {
        return object.annotations().getOrDefault(ROTATE, "");
    }

    boolean hasFinalizer() {
        return object.finalizers().contains(FINALIZER);
    }

    /// Whether something of its name is its own.
    boolean owns(Resource child) {
        return child.owners().stream().anyMatch(owner -> owner.uid().equals(uid()));
    }

    static List<String> without(Resource any) {
        var rest = new ArrayList<>(any.finalizers());
        rest.remove(FINALIZER);
        return rest;
    }
}

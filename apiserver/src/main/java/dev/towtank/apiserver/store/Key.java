package dev.towtank.apiserver.store;

import dev.towtank.model.GroupResource;
import dev.towtank.model.LogicalCluster;
import java.util.Comparator;
import java.util.Optional;

/// The address of a stored object. The order is the order of lists: resource, logical cluster, namespace, name.
///
/// @param namespace empty for cluster-scoped objects
public record Key(GroupResource resource, LogicalCluster cluster, String namespace, String name)
        implements Comparable<Key> {

    private static final Comparator<Key> ORDER = Comparator.comparing(Key::resource)
            .thenComparing(Key::cluster)
            .thenComparing(Key::namespace)
            .thenComparing(Key::name);

    @Override
    public int compareTo(Key other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return resource + "/" + cluster + "/" + namespace + "/" + name;
    }

    /// Longer than any name of most kinds; those that set no limit of their own have this one.
    private static final int LONGEST_PART = 512;

    /// Why a name cannot be part of a key; empty when it can.
    public static Optional<String> problemWith(String part) {
        if (part.length() > LONGEST_PART) {
            return Optional.of("must be no more than " + LONGEST_PART + " characters");
        }
        for (int i = 0; i < part.length(); i++) {
            char letter = part.charAt(i);
            if (letter == '/' || letter < ' ' || Character.isSurrogate(letter)) {
                return Optional.of("must not contain '/', control characters or characters beyond U+FFFF");
            }
        }
        return Optional.empty();
    }
}

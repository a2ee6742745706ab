package dev.towtank.apiserver.store;

import dev.towtank.model.GroupResource;
import dev.towtank.model.LogicalCluster;
import java.util.HashMap;
import java.util.Map;

/// Keys as text on disk, `deployments.apps/default/team-a/web`, and what a key may look like at all.
final class KeyText {

    private static final int SHOWN = 200;

    // A store has many keys but few resources, clusters and namespaces: each is kept once.
    private final Map<String, GroupResource> resources = new HashMap<>();
    private final Map<String, LogicalCluster> clusters = new HashMap<>();
    private final Map<String, String> namespaces = new HashMap<>();

    static String of(Key key) {
        return key.resource() + "/" + key.cluster() + "/" + key.namespace() + "/" + key.name();
    }

    Key read(String text) {
        var parts = text.split("/", -1);
        if (parts.length != 4) {
            throw new IllegalArgumentException("not a key: \"" + text + "\"");
        }
        return new Key(
                resources.computeIfAbsent(parts[0], GroupResource::parse),
                clusters.computeIfAbsent(parts[1], LogicalCluster::new),
                namespaces.computeIfAbsent(parts[2], namespace -> namespace),
                parts[3]);
    }

    /// Callers have checked their names long ago. What would not come back from disk as it went must not get there.
    static void check(Key key) {
        var resource = key.resource();
        boolean unspecific = resource.resource().isEmpty()
                || key.name().isEmpty()
                || !LogicalCluster.isValid(key.cluster().id());
        if (unspecific || resource.resource().indexOf('.') >= 0) {
            throw new IllegalArgumentException("not a key to store under: " + key);
        }
        checkPart(key, resource.resource());
        checkPart(key, resource.group());
        checkPart(key, key.namespace());
        checkPart(key, key.name());
    }

    private static void checkPart(Key key, String part) {
        Key.problemWith(part).ifPresent(problem -> {
            throw new IllegalArgumentException("a part of the key " + shown(key) + " " + problem);
        });
    }

    private static String shown(Key key) {
        var text = key.toString();
        return text.length() > SHOWN ? text.substring(0, SHOWN) + "…" : text;
    }
}

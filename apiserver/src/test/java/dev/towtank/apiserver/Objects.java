package dev.towtank.apiserver;

import dev.towtank.apiserver.store.Key;
import dev.towtank.apiserver.store.Store;
import dev.towtank.apiserver.store.Write;
import dev.towtank.model.GroupResource;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.LogicalCluster;

/// Objects and their keys, written shortly.
public final class Objects {

    private Objects() {}

    /// JSON with single quotes, which text blocks show without backslashes.
    public static Json.Obj json(String text) {
        return JsonText.parseObject(text.replace('\'', '"'));
    }

    /// @param resource as Kubernetes writes it: `pods`, `roles.rbac.authorization.k8s.io`
    public static Key key(LogicalCluster cluster, String resource, String namespace, String name) {
        return new Key(GroupResource.parse(resource), cluster, namespace, name);
    }

    public static Key key(String resource, String namespace, String name) {
        return key(LogicalCluster.DEFAULT, resource, namespace, name);
    }

    /// Stores an object under the key that its own metadata names.
    public static void put(Store store, LogicalCluster cluster, String resource, Json.Obj object) {
        var metadata = object.object("metadata");
        replace(store, key(cluster, resource, metadata.string("namespace"), metadata.string("name")), object);
    }

    public static void put(Store store, String resource, String object) {
        put(store, LogicalCluster.DEFAULT, resource, json(object));
    }

    /// Writes whatever is there now.
    public static void replace(Store store, Key key, Json.Obj object) {
        var found = store.get(key);
        store.commit(found == null ? new Write.Create(key, object) : new Write.Update(key, found.revision(), object));
    }

    public static void remove(Store store, Key key) {
        var found = store.get(key);
        if (found != null) {
            store.commit(new Write.Delete(key, found.revision(), found.tree()));
        }
    }
}

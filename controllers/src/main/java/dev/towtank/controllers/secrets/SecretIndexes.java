package dev.towtank.controllers.secrets;

import dev.towtank.cluster.Cache;
import dev.towtank.cluster.Caches;
import dev.towtank.cluster.ObjectName;
import dev.towtank.controllers.secrets.api.SecretKinds;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;

/// Which ExternalSecrets and stores want a look when something changes that they depend on.
final class SecretIndexes {

    private static final String ANY = "*";

    private static final Cache.Index BY_STORE = new Cache.Index("store", SecretIndexes::storeKeys);
    private static final Cache.Index BY_SOURCE = new Cache.Index("source", SecretIndexes::sourceKeys);
    private static final Cache.Index BY_OBJECT = new Cache.Index("object", SecretIndexes::objectKeys);
    private static final Cache.Index BY_REMOTE_NAMESPACE = new Cache.Index("remote-namespace", object -> {
        var store = new Store(object);
        return store.isOfThisServer() ? List.of(object.cluster().id() + ":" + store.remoteNamespace()) : List.of();
    });

    private final Cache externalSecrets;
    private final List<Cache> stores;

    SecretIndexes(Caches caches) {
        this.externalSecrets = caches.of(SecretKinds.EXTERNAL_SECRET);
        this.stores = List.of(caches.of(SecretKinds.SECRET_STORE), caches.of(SecretKinds.CLUSTER_SECRET_STORE));
    }

    /// The stores that it names, each once.
    static List<Json.Obj> references(Resource object) {
        var all = new ArrayList<Json.Obj>();
        all.add(object.spec().object("secretStoreRef"));
        for (var field : List.of("data", "dataFrom")) {
            for (var source : object.spec().objects(field)) {
                all.add(source.object("sourceRef", "storeRef"));
            }
        }
        return all.stream()
                .filter(reference -> !reference.string("name").isEmpty())
                .distinct()
                .toList();
    }

    static boolean hasGenerators(Resource object) {
        return object.spec().objects("dataFrom").stream()
                .anyMatch(source -> source.object("sourceRef").has("generatorRef"));
    }

    private static String storeKey(Resource object, Json.Obj reference) {
        boolean isClusterWide = Stores.isClusterWide(reference);
        return Store.key(
                isClusterWide ? SecretKinds.CLUSTER_SECRET_STORE.kind() : SecretKinds.SECRET_STORE.kind(),
                new ObjectName(object.cluster(), isClusterWide ? "" : object.namespace(), reference.string("name")));
    }

    private static List<String> storeKeys(Resource object) {
        return references(object).stream()
                .map(reference -> storeKey(object, reference))
                .toList();
    }

    private static List<String> sourceKeys(Resource object) {
        var keys = new LinkedHashSet<String>();
        for (var store : storeKeys(object)) {
            object.spec().objects("data").forEach(each -> keys.add(store + "#" + each.string("remoteRef", "key")));
            object.spec()
                    .objects("dataFrom")
                    .forEach(each -> keys.add(store + "#" + (each.has("find") ? ANY : each.string("extract", "key"))));
        }
        return List.copyOf(keys);
    }

    private static List<String> objectKeys(Resource object) {
        var keys = new LinkedHashSet<String>();
        keys.add(objectKey("Secret", object, SecretTarget.name(object)));
        for (var source : object.spec().objects("target", "template", "templateFrom")) {
            keys.add(objectKey("ConfigMap", object, source.string("configMap", "name")));
            keys.add(objectKey("Secret", object, source.string("secret", "name")));
        }
        return List.copyOf(keys);
    }

    private static String objectKey(String kind, Resource near, String name) {
        return kind + " " + new ObjectName(near.cluster(), near.namespace(), name);
    }

    List<ObjectName> usersOfStore(Resource store) {
        return names(externalSecrets.by(BY_STORE, new Store(store).key()));
    }

    List<ObjectName> usersOfConfigMap(Resource map) {
        return names(externalSecrets.by(BY_OBJECT, objectKey("ConfigMap", map, map.name())));
    }

    /// Those that it is the target of, a template for, or the source.
    List<ObjectName> usersOfSecret(Resource secret) {
        var all = new LinkedHashSet<>(names(externalSecrets.by(BY_OBJECT, objectKey("Secret", secret, secret.name()))));
        for (var cache : stores) {
            for (var store : cache.by(BY_REMOTE_NAMESPACE, secret.cluster().id() + ":" + secret.namespace())) {
                var key = new Store(store).key() + "#";
                all.addAll(names(externalSecrets.by(BY_SOURCE, key + secret.name())));
                all.addAll(names(externalSecrets.by(BY_SOURCE, key + ANY)));
            }
        }
        secret.controller()
                .filter(owner -> owner.kind().equals(SecretKinds.EXTERNAL_SECRET.kind()))
                .ifPresent(owner -> all.add(new ObjectName(secret.cluster(), secret.namespace(), owner.name())));
        return List.copyOf(all);
    }

    /// All whose rights a change of roles may be about.
    List<ObjectName> externalSecretsIn(Resource role) {
        return here(externalSecrets, role);
    }

    static List<ObjectName> here(Cache cache, Resource near) {
        return names(cache.list().stream()
                .filter(object -> object.cluster().equals(near.cluster()))
                .toList());
    }

    private static List<ObjectName> names(List<Resource> objects) {
        return objects.stream().map(ObjectName::of).toList();
    }
}

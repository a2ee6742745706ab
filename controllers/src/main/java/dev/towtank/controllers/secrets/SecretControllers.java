package dev.towtank.controllers.secrets;

import dev.towtank.cluster.Cache;
import dev.towtank.cluster.Caches;
import dev.towtank.cluster.Controller;
import dev.towtank.cluster.ObjectName;
import dev.towtank.cluster.Observed;
import dev.towtank.cluster.Trigger;
import dev.towtank.controllers.secrets.api.SecretKinds;
import dev.towtank.controllers.secrets.reading.KubernetesProvider;
import dev.towtank.controllers.secrets.reading.Reading;
import dev.towtank.controllers.secrets.source.Rights;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.Resource;
import dev.towtank.model.kinds.core.ConfigMaps;
import dev.towtank.model.kinds.core.Secrets;
import dev.towtank.model.kinds.core.ServiceAccounts;
import dev.towtank.model.kinds.rbac.ClusterRoleBindings;
import dev.towtank.model.kinds.rbac.ClusterRoles;
import dev.towtank.model.kinds.rbac.RoleBindings;
import dev.towtank.model.kinds.rbac.Roles;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/// Who looks after stores and ExternalSecrets, and what they have to know.
final class SecretControllers {

    private static final List<Kind<Json.Obj>> RIGHTS =
            List.of(Roles.KIND, RoleBindings.KIND, ClusterRoles.KIND, ClusterRoleBindings.KIND);

    private final Stores stores;
    private final SecretIndexes indexes;
    private final Cache secrets;
    private final Cache configMaps;
    private final Caches caches;

    SecretControllers(Caches caches, Rights rights) {
        this.stores = new Stores(caches, rights);
        this.indexes = new SecretIndexes(caches);
        this.secrets = caches.of(Secrets.KIND);
        this.configMaps = caches.of(ConfigMaps.KIND);
        this.caches = caches;
    }

    /// @param chance what templates get of it
    List<Controller<?, ?>> all(Chance chance) {
        return List.of(
                stores(SecretKinds.SECRET_STORE), stores(SecretKinds.CLUSTER_SECRET_STORE), externalSecrets(chance));
    }

    private Controller<?, ?> stores(Kind<Json.Obj> kind) {
        var cache = caches.of(kind);
        var controller = Controller.of(
                        kind.names().singular() + "-controller", kind, this::look, new StoreReconciler(kind))
                .wokenBy(Trigger.of(
                        ServiceAccounts.KIND, account -> named(cache, account, List.of("auth", "serviceAccount"))))
                .wokenBy(Trigger.of(
                        Secrets.KIND, secret -> named(cache, secret, List.of("auth", "token", "bearerToken"))));
        for (var right : RIGHTS) {
            controller = controller.wokenBy(Trigger.of(right, role -> SecretIndexes.here(cache, role)));
        }
        return controller;
    }

    /// Stores that name an object at a place of their provider. There are few stores.
    private static List<ObjectName> named(Cache stores, Resource object, List<String> path) {
        return stores.list().stream()
                .filter(store -> store.cluster().equals(object.cluster())
                        && (store.namespace().isEmpty() || store.namespace().equals(object.namespace()))
                        && new Store(store)
                                .kubernetes()
                                .object(path.toArray(String[]::new))
                                .string("name")
                                .equals(object.name()))
                .map(ObjectName::of)
                .toList();
    }

    private StoreFinding look(Observed<Json.Obj> observed) {
        var store = new Store(observed.object());
        return store.isOurs() ? stores.look(store) : new StoreFinding.NotOurs();
    }

    private Controller<?, ?> externalSecrets(Chance chance) {
        var controller = Controller.of(
                        Target.MANAGER, SecretKinds.EXTERNAL_SECRET, this::facts, new ExternalSecretReconciler(chance))
                .wokenBy(Trigger.of(SecretKinds.SECRET_STORE, indexes::usersOfStore))
                .wokenBy(Trigger.of(SecretKinds.CLUSTER_SECRET_STORE, indexes::usersOfStore))
                .wokenBy(Trigger.of(ConfigMaps.KIND, indexes::usersOfConfigMap))
                .wokenBy(Trigger.of(Secrets.KIND, indexes::usersOfSecret));
        for (var right : RIGHTS) {
            controller = controller.wokenBy(Trigger.of(right, indexes::externalSecretsIn));
        }
        return controller;
    }

    private ExternalSecretFacts facts(Observed<Json.Obj> observed) {
        var source = observed.object();
        var used = new ArrayList<Store>();
        SecretIndexes.references(source)
                .forEach(reference -> stores.find(source, reference).ifPresent(used::add));
        return new ExternalSecretFacts(
                used.stream().allMatch(Store::isOurs),
                used.stream().allMatch(Store::isWatched),
                Reading.of(source.spec(), reference -> stores.provider(source, reference)),
                secrets.get(new ObjectName(source.cluster(), source.namespace(), Target.name(source))),
                left(source),
                templates(source));
    }

    private List<Resource> left(Resource source) {
        return secrets
                .labelled(source.cluster(), source.namespace(), Target.OWNER_LABEL, Target.ownerLabel(source))
                .stream()
                .filter(secret -> !secret.name().equals(Target.name(source)) && !secret.isDeleting())
                .toList();
    }

    private Map<String, NavigableMap<String, byte[]>> templates(Resource source) {
        var found = new HashMap<String, NavigableMap<String, byte[]>>();
        for (var from : source.spec().objects("target", "template", "templateFrom")) {
            var map = from.string("configMap", "name");
            near(configMaps, source, map).ifPresent(object -> found.put("ConfigMap " + map, texts(object)));
            var secret = from.string("secret", "name");
            near(secrets, source, secret)
                    .ifPresent(object -> found.put("Secret " + secret, KubernetesProvider.data(object)));
        }
        return found;
    }

    private static Optional<Resource> near(Cache cache, Resource source, String name) {
        return name.isEmpty()
                ? Optional.empty()
                : cache.get(new ObjectName(source.cluster(), source.namespace(), name));
    }

    private static NavigableMap<String, byte[]> texts(Resource map) {
        var texts = new TreeMap<String, byte[]>();
        map.json().stringMap("data").forEach((key, text) -> texts.put(key, text.getBytes(StandardCharsets.UTF_8)));
        return texts;
    }
}

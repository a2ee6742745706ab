package dev.towtank.controllers.secrets;

import dev.towtank.cluster.Cache;
import dev.towtank.cluster.Caches;
import dev.towtank.cluster.Controller;
import dev.towtank.cluster.Deed;
import dev.towtank.cluster.Meters;
import dev.towtank.cluster.ObjectName;
import dev.towtank.cluster.Observed;
import dev.towtank.cluster.Trigger;
import dev.towtank.controllers.secrets.api.SecretKinds;
import dev.towtank.controllers.secrets.reading.Provider;
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
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;

/// Who looks after stores and ExternalSecrets, and what they have to know.
final class SecretControllers {

    private static final List<Kind<Json.Obj>> RIGHTS =
            List.of(Roles.KIND, RoleBindings.KIND, ClusterRoles.KIND, ClusterRoleBindings.KIND);

    private static final int WORKERS = 16;

    private final Stores stores;
    private final SecretGenerators generators;
    private final Abroad abroad;
    private final Chance chance;
    private final SecretIndexes indexes;
    private final PodsOfSecrets pods;
    private final Cache secrets;
    private final TemplateObjects templates;
    private final Caches caches;
    private final Deed.Doer<PushPlan.Send> sender;

    /// @param chance what templates and generators get of it
    /// @param sender carries out what is done on other servers
    SecretControllers(Caches caches, Rights rights, Abroad abroad, Chance chance, Deed.Doer<PushPlan.Send> sender) {
        this.stores = new Stores(caches, rights, abroad);
        this.generators = new SecretGenerators(caches, stores.elsewhere(), chance);
        this.abroad = abroad;
        this.chance = chance;
        this.sender = sender;
        this.indexes = new SecretIndexes(caches);
        this.pods = new PodsOfSecrets(caches);
        this.secrets = caches.of(Secrets.KIND);
        this.templates = new TemplateObjects(caches);
        this.caches = caches;
    }

    void measure(Meters meters) {
        pods.measure(meters);
    }

    List<Controller<?, ?>> all() {
        return List.of(
                stores(SecretKinds.SECRET_STORE),
                stores(SecretKinds.CLUSTER_SECRET_STORE),
                new ClusterExternalSecrets(caches).controller(),
                pods.controller(),
                externalSecrets(),
                new PushSecrets(caches, stores, generators, templates, abroad).controller(chance, sender));
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
        return controller.wokenBy(abroad.web());
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

    private Controller<?, ?> externalSecrets() {
        var controller = Controller.of(
                        SecretTarget.MANAGER,
                        SecretKinds.EXTERNAL_SECRET,
                        this::facts,
                        new ExternalSecretReconciler(chance))
                // They wait for the disk most of the time, and what waits together is synced together.
                .withWorkers(WORKERS)
                .wokenBy(Trigger.of(SecretKinds.SECRET_STORE, indexes::usersOfStore))
                .wokenBy(Trigger.of(SecretKinds.CLUSTER_SECRET_STORE, indexes::usersOfStore))
                .wokenBy(Trigger.of(ConfigMaps.KIND, indexes::usersOfConfigMap))
                .wokenBy(Trigger.of(Secrets.KIND, indexes::usersOfSecret));
        for (var right : RIGHTS) {
            controller = controller.wokenBy(Trigger.of(right, indexes::externalSecretsIn));
        }
        return controller.wokenBy(abroad.web()).wokenBy(abroad.objects());
    }

    private ExternalSecretFacts facts(Observed<Json.Obj> observed) {
        var source = observed.object();
        var used = new ArrayList<Store>();
        SecretIndexes.references(source)
                .forEach(reference -> stores.find(source, reference).ifPresent(used::add));
        var target = secrets.get(new ObjectName(source.cluster(), source.namespace(), SecretTarget.name(source)));
        boolean isWatched = used.stream().allMatch(Store::isWatched) && !SecretIndexes.hasGenerators(source);
        // Who has to be asked over a network, or makes something new each time, is asked when it is time.
        boolean isWanted = isWatched
                || new Refresh(source).isDue(abroad.clock().instant())
                || !new SecretTarget(source, target).isUntouched();
        return new ExternalSecretFacts(
                used.stream().allMatch(Store::isOurs),
                isWatched,
                isWanted ? Reading.of(source.spec(), sources(source)) : new Reading.NotDue(),
                target,
                left(source),
                templates.of(source, source.spec().object("target", "template")));
    }

    private Reading.Sources sources(Resource asker) {
        return new Reading.Sources() {
            @Override
            public Provider store(Json.Obj reference) {
                return stores.provider(asker, reference);
            }

            @Override
            public NavigableMap<String, byte[]> generate(Json.Obj reference, String place) {
                return generators.make(asker, reference, place);
            }
        };
    }

    private List<Resource> left(Resource source) {
        return secrets
                .labelled(
                        source.cluster(), source.namespace(), SecretTarget.OWNER_LABEL, SecretTarget.ownerLabel(source))
                .stream()
                .filter(secret -> !secret.name().equals(SecretTarget.name(source)) && !secret.isDeleting())
                .toList();
    }
}

package dev.towtank.controllers.secrets;

import dev.towtank.cluster.Cache;
import dev.towtank.cluster.Caches;
import dev.towtank.cluster.ObjectName;
import dev.towtank.controllers.secrets.api.SecretKinds;
import dev.towtank.controllers.secrets.reading.Calls;
import dev.towtank.controllers.secrets.reading.FakeProvider;
import dev.towtank.controllers.secrets.reading.KubernetesProvider;
import dev.towtank.controllers.secrets.reading.NameExpressions;
import dev.towtank.controllers.secrets.reading.Provider;
import dev.towtank.controllers.secrets.reading.ReadProblem;
import dev.towtank.controllers.secrets.source.Rights;
import dev.towtank.controllers.secrets.source.Rights.Account;
import dev.towtank.model.GroupResource;
import dev.towtank.model.Json;
import dev.towtank.model.LabelSelector;
import dev.towtank.model.Resource;
import dev.towtank.model.StatusError;
import dev.towtank.model.kinds.core.Namespaces;
import dev.towtank.model.kinds.core.Secrets;
import dev.towtank.model.kinds.core.ServiceAccounts;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// From a store, or a reference to one, to what can be read through it.
final class Stores {

    private static final GroupResource SECRETS = Secrets.KIND.resource();

    private final Cache stores;
    private final Cache clusterStores;
    private final Cache namespaces;
    private final Cache secrets;
    private final Cache accounts;
    private final AccountRules rules;
    private final Rights rights;
    private final StoreParts parts;
    private final ElsewhereStores elsewhere;
    private final ObjectStores objects;

    Stores(Caches caches, Rights rights, Abroad abroad) {
        this.stores = caches.of(SecretKinds.SECRET_STORE);
        this.clusterStores = caches.of(SecretKinds.CLUSTER_SECRET_STORE);
        this.namespaces = caches.of(Namespaces.KIND);
        this.secrets = caches.of(Secrets.KIND);
        this.accounts = caches.of(ServiceAccounts.KIND);
        this.rules = new AccountRules(caches);
        this.rights = rights;
        this.parts = new StoreParts(caches);
        this.elsewhere = new ElsewhereStores(caches, parts, abroad);
        this.objects = new ObjectStores(caches, rights, abroad);
    }

    ElsewhereStores elsewhere() {
        return elsewhere;
    }

    /// The store that an ExternalSecret names.
    Optional<Store> find(Resource asker, Json.Obj reference) {
        var name = reference.string("name");
        return (isClusterWide(reference)
                        ? clusterStores.get(new ObjectName(asker.cluster(), "", name))
                        : stores.get(new ObjectName(asker.cluster(), asker.namespace(), name)))
                .map(Store::new);
    }

    static boolean isClusterWide(Json.Obj reference) {
        return reference.string("kind").equals(SecretKinds.CLUSTER_SECRET_STORE.kind());
    }

    /// Names of those with such labels.
    List<String> select(Resource asker, Json.Obj reference, LabelSelector selector) {
        return (isClusterWide(reference)
                        ? clusterStores.select(asker.cluster(), "", selector)
                        : stores.select(asker.cluster(), asker.namespace(), selector))
                .stream().map(Resource::name).toList();
    }

    /// What is read by a reference to a store.
    ///
    /// @throws ReadProblem it may not be used, or not yet
    Provider provider(Resource asker, Json.Obj reference) {
        return client(usable(asker, reference), asker);
    }

    /// @throws ReadProblem it may not be used, or not yet
    Store usable(Resource asker, Json.Obj reference) {
        var kind = isClusterWide(reference) ? "ClusterSecretStore" : "SecretStore";
        var name = Json.of(reference.string("name"));
        var store = find(asker, reference)
                .orElseThrow(() -> ReadProblem.of(
                        "could not get %s %s, %s.external-secrets.io %s not found".formatted(kind, name, kind, name)));
        if (!store.isOurs()) {
            throw ReadProblem.of("can not reference unmanaged store");
        }
        if (store.isClusterWide() && !admits(store, asker.namespace())) {
            throw ReadProblem.of("using cluster store %s is not allowed from namespace %s: denied by spec.condition"
                    .formatted(name, Json.of(asker.namespace())));
        }
        if (!store.isReady()) {
            throw ReadProblem.of(store.describe() + " is not ready");
        }
        return store;
    }

    private boolean admits(Store store, String namespace) {
        var conditions = store.object().spec().objects("conditions");
        var labels = namespaces
                .get(new ObjectName(store.object().cluster(), "", namespace))
                .map(Resource::labels)
                .orElse(Map.of());
        try {
            return conditions.isEmpty()
                    || conditions.stream().anyMatch(condition -> admits(condition, namespace, labels));
        } catch (StatusError e) {
            throw ReadProblem.of("failed to convert label selector into selector: " + e.text());
        }
    }

    private static boolean admits(Json.Obj condition, String namespace, Map<String, String> labels) {
        return condition.array("namespaces").strings().contains(namespace)
                || (condition.get("namespaceSelector") instanceof Json.Obj selector
                        && LabelSelector.of(selector).matches(labels))
                || condition.array("namespaceRegexes").strings().stream()
                        .anyMatch(regexp -> NameExpressions.matches(regexp, namespace));
    }

    /// A cluster-wide store may leave it to whoever reads whose account is meant.
    private Provider client(Store store, Resource asker) {
        var near = new StoreParts.Near(store.object(), asker.namespace());
        if (store.isFake()) {
            return new FakeProvider(store.provider().object("fake"));
        }
        if (store.isElsewhere()) {
            return elsewhere.provider(store, near, asker);
        }
        if (store.isOfObjects()) {
            return objects.provider(store, account(store.provider().object("object", "auth"), near), asker);
        }
        return new KubernetesProvider(own(store, near));
    }

    /// Secrets of this server that the store leads to.
    OwnSecrets own(Store store, StoreParts.Near near) {
        // The connection needs no certificate here, but a store that names a missing one is broken on a cluster.
        var _ = parts.authority(near, store.kubernetes().object("server"));
        return new OwnSecrets(
                store.object().cluster(),
                account(store.kubernetes().object("auth"), near),
                store.remoteNamespace(),
                secrets,
                rights);
    }

    /// What a look at the store itself finds.
    StoreFinding look(Store store) {
        if (store.isFake()) {
            return switch ((int) store.provider().integerOr(0, "fake", "validationResult")) {
                case 0 -> new StoreFinding.Valid();
                case 1 -> new StoreFinding.Unknown("unable to validate");
                default -> new StoreFinding.Invalid("unable to validate");
            };
        }
        try {
            if (store.isElsewhere()) {
                return elsewhere.look(store);
            }
            return store.isOfObjects() ? lookAtObjects(store) : lookAtSecrets(store);
        } catch (Calls.Waiting e) {
            return new StoreFinding.Awaited();
        } catch (ReadProblem e) {
            return e.isUnreachable()
                    ? new StoreFinding.Unknown("could not verify if client is valid: " + e.text())
                    : new StoreFinding.NoClient(e.text());
        } catch (StatusError e) {
            return new StoreFinding.Unknown("could not verify if client is valid: " + e.text());
        }
    }

    private StoreFinding lookAtSecrets(Store store) {
        // Whose account it will be is not known before somebody uses it.
        if (store.isClusterWide() && isLeftToUser(store.kubernetes().object("auth"))) {
            return new StoreFinding.Valid();
        }
        var own = own(store, new StoreParts.Near(store.object(), store.object().namespace()));
        return rights.allow(own.cluster(), own.account(), "get", SECRETS, own.namespace(), "")
                        || rules.allowSome(own.cluster(), own.account(), own.namespace())
                ? new StoreFinding.Valid()
                : new StoreFinding.Invalid("client is not allowed to get secrets");
    }

    private StoreFinding lookAtObjects(Store store) {
        var auth = store.provider().object("object", "auth");
        if (store.isClusterWide() && isLeftToUser(auth)) {
            return new StoreFinding.Valid();
        }
        return objects.look(
                store,
                account(auth, new StoreParts.Near(store.object(), store.object().namespace())));
    }

    static boolean isLeftToUser(Json.Obj auth) {
        return (auth.get("serviceAccount") instanceof Json.Obj account && !account.has("namespace"))
                || (auth.at("token", "bearerToken") instanceof Json.Obj token && !token.has("namespace"));
    }

    private Account account(Json.Obj auth, StoreParts.Near near) {
        if (auth.size() > 1) {
            throw ReadProblem.of("multiple auth methods provided: set exactly one of Token, ServiceAccount, or Cert");
        }
        if (auth.get("serviceAccount") instanceof Json.Obj selector) {
            return serviceAccount(near.name(selector));
        }
        if (auth.at("token", "bearerToken") instanceof Json.Obj selector) {
            return rights.owner(near.owner().cluster(), parts.text(near, selector, "Auth.Token.BearerToken"))
                    .orElseThrow(
                            () -> ReadProblem.of("Auth.Token.BearerToken is no token of this server: Unauthorized"));
        }
        throw ReadProblem.of("no auth provider given");
    }

    private Account serviceAccount(ObjectName name) {
        if (accounts.get(name).isEmpty()) {
            var problem = StatusError.notFound(new GroupResource("", "serviceaccounts"), name.name());
            throw ReadProblem.of("could not fetch Auth.ServiceAccount: cannot create service account token: "
                    + Json.of(problem.text()));
        }
        return Account.ofServiceAccount(name.namespace(), name.name());
    }
}

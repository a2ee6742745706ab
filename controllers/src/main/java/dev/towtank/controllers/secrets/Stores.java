package dev.towtank.controllers.secrets;

import dev.towtank.cluster.Cache;
import dev.towtank.cluster.Caches;
import dev.towtank.cluster.ObjectName;
import dev.towtank.controllers.secrets.api.SecretKinds;
import dev.towtank.controllers.secrets.reading.Expressions;
import dev.towtank.controllers.secrets.reading.FakeProvider;
import dev.towtank.controllers.secrets.reading.KubernetesProvider;
import dev.towtank.controllers.secrets.reading.Provider;
import dev.towtank.controllers.secrets.reading.ReadProblem;
import dev.towtank.controllers.secrets.source.Rights;
import dev.towtank.controllers.secrets.source.Rights.Account;
import dev.towtank.model.GroupResource;
import dev.towtank.model.Json;
import dev.towtank.model.LabelSelector;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Resource;
import dev.towtank.model.StatusError;
import dev.towtank.model.kinds.core.ConfigMaps;
import dev.towtank.model.kinds.core.Namespaces;
import dev.towtank.model.kinds.core.Secrets;
import dev.towtank.model.kinds.core.ServiceAccounts;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// From a store, or a reference to one, to what can be read through it.
final class Stores {

    private static final GroupResource SECRETS = new GroupResource("", "secrets");

    private final Cache stores;
    private final Cache clusterStores;
    private final Cache namespaces;
    private final Cache secrets;
    private final Cache configMaps;
    private final Cache accounts;
    private final AccountRules rules;
    private final Rights rights;

    Stores(Caches caches, Rights rights) {
        this.stores = caches.of(SecretKinds.SECRET_STORE);
        this.clusterStores = caches.of(SecretKinds.CLUSTER_SECRET_STORE);
        this.namespaces = caches.of(Namespaces.KIND);
        this.secrets = caches.of(Secrets.KIND);
        this.configMaps = caches.of(ConfigMaps.KIND);
        this.accounts = caches.of(ServiceAccounts.KIND);
        this.rules = new AccountRules(caches);
        this.rights = rights;
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

    /// What an ExternalSecret reads by a reference to a store.
    ///
    /// @throws ReadProblem it may not use that store, or not yet
    Provider provider(Resource asker, Json.Obj reference) {
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
        return client(store, asker.namespace());
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
                        .anyMatch(regexp -> Expressions.matches(regexp, namespace));
    }

    /// @param namespace of whoever reads: a cluster-wide store may leave it to them whose account is meant
    private Provider client(Store store, String namespace) {
        if (store.isFake()) {
            return new FakeProvider(store.provider().object("fake"));
        }
        return new KubernetesProvider(new OwnSecrets(
                store.object().cluster(), account(store, namespace), store.remoteNamespace(), secrets, rights));
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
            // Whose account it will be is not known before somebody uses it.
            if (store.isClusterWide() && isLeftToUser(store.kubernetes().object("auth"))) {
                return new StoreFinding.Valid();
            }
            var account = account(store, store.object().namespace());
            var cluster = store.object().cluster();
            return rights.allow(cluster, account, "get", store.remoteNamespace(), "")
                            || rules.allowSome(cluster, account, store.remoteNamespace())
                    ? new StoreFinding.Valid()
                    : new StoreFinding.Invalid("client is not allowed to get secrets");
        } catch (ReadProblem e) {
            return new StoreFinding.NoClient(e.text());
        } catch (StatusError e) {
            return new StoreFinding.Unknown("could not verify if client is valid: " + e.text());
        }
    }

    private static boolean isLeftToUser(Json.Obj auth) {
        return (auth.get("serviceAccount") instanceof Json.Obj account && !account.has("namespace"))
                || (auth.at("token", "bearerToken") instanceof Json.Obj token && !token.has("namespace"));
    }

    private Account account(Store store, String namespace) {
        var auth = store.kubernetes().object("auth");
        if (!store.isOfThisServer()) {
            throw ReadProblem.of("server.url " + store.url() + " is another cluster, which cannot be read from here;"
                    + " leave server.url out for this one");
        }
        checkAuthority(store, namespace);
        if (auth.size() > 1) {
            throw ReadProblem.of("multiple auth methods provided: set exactly one of Token, ServiceAccount, or Cert");
        }
        if (auth.get("serviceAccount") instanceof Json.Obj selector) {
            return serviceAccount(store, namespace, selector);
        }
        if (auth.at("token", "bearerToken") instanceof Json.Obj selector) {
            return bearer(store, namespace, selector);
        }
        throw ReadProblem.of("no auth provider given");
    }

    private Account serviceAccount(Store store, String namespace, Json.Obj selector) {
        var name = new ObjectName(store.object().cluster(), place(store, namespace, selector), selector.string("name"));
        if (accounts.get(name).isEmpty()) {
            var problem = StatusError.notFound(new GroupResource("", "serviceaccounts"), name.name());
            throw ReadProblem.of("could not fetch Auth.ServiceAccount: cannot create service account token: "
                    + Json.of(problem.text()));
        }
        return Account.ofServiceAccount(name.namespace(), name.name());
    }

    private Account bearer(Store store, String namespace, Json.Obj selector) {
        var cluster = store.object().cluster();
        var name = new ObjectName(cluster, place(store, namespace, selector), selector.string("name"));
        var secret = secrets.get(name)
                .orElseThrow(() -> ReadProblem.of("could not fetch Auth.Token.BearerToken: cannot get Kubernetes secret"
                        + " %s from namespace %s: secret not found"
                                .formatted(Json.of(name.name()), Json.of(name.namespace()))));
        var token = KubernetesProvider.data(secret).get(selector.string("key"));
        if (token == null) {
            throw ReadProblem.of("could not fetch Auth.Token.BearerToken: cannot find secret data for key: "
                    + Json.of(selector.string("key")));
        }
        return rights.owner(cluster, new String(token, StandardCharsets.UTF_8).strip())
                .orElseThrow(() -> ReadProblem.of("Auth.Token.BearerToken is no token of this server: Unauthorized"));
    }

    /// Only a store of the whole cluster may look into other namespaces for what it needs itself.
    private static String place(Store store, String namespace, Json.Obj selector) {
        return store.isClusterWide() && selector.has("namespace") ? selector.string("namespace") : namespace;
    }

    /// The connection needs no certificate here, but a store that names a missing one is broken on a cluster.
    private void checkAuthority(Store store, String namespace) {
        if (!(store.kubernetes().at("server", "caProvider") instanceof Json.Obj authority)) {
            return;
        }
        var name =
                new ObjectName(store.object().cluster(), place(store, namespace, authority), authority.string("name"));
        var kind = authority.string("type");
        var found = (kind.equals("Secret") ? secrets : configMaps).get(name);
        var key = authority.string("key");
        if (found.filter(object -> key.isEmpty() || object.json().object("data").has(key))
                .isEmpty()) {
            throw ReadProblem.of("failed to get cert from %s: %s %s%s not found"
                    .formatted(kind, kind, name, key.isEmpty() ? "" : " with key " + Json.of(key)));
        }
    }

    /// Secrets of this server, as far as an account may read them.
    private record OwnSecrets(LogicalCluster cluster, Account account, String namespace, Cache secrets, Rights rights)
            implements KubernetesProvider.Source {

        @Override
        public Optional<Resource> get(String name) {
            check("get", name);
            return secrets.get(new ObjectName(cluster, namespace, name));
        }

        @Override
        public List<Resource> list(LabelSelector selector) {
            check("list", "");
            return secrets.select(cluster, namespace, selector);
        }

        private void check(String verb, String name) {
            if (!rights.allow(cluster, account, verb, namespace, name)) {
                throw ReadProblem.of(StatusError.forbidden(
                                SECRETS,
                                name,
                                "User %s cannot %s resource \"secrets\" in API group \"\" in the namespace %s"
                                        .formatted(Json.of(account.user()), verb, Json.of(namespace)))
                        .text());
            }
        }
    }
}

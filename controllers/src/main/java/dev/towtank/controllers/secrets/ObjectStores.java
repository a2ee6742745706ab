package dev.towtank.controllers.secrets;

import dev.towtank.cluster.Cache;
import dev.towtank.cluster.Caches;
import dev.towtank.cluster.ObjectName;
import dev.towtank.controllers.secrets.reading.ObjectProvider;
import dev.towtank.controllers.secrets.reading.Provider;
import dev.towtank.controllers.secrets.reading.ReadProblem;
import dev.towtank.controllers.secrets.source.Rights;
import dev.towtank.controllers.secrets.source.Rights.Account;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Resource;
import dev.towtank.model.crd.CustomResourceDefinitions;
import dev.towtank.model.kinds.BuiltinKinds;
import java.util.Optional;

/// Stores that read fields of objects of this server: `provider.object`, which is ours alone.
final class ObjectStores {

    private final Cache definitions;
    private final Rights rights;
    private final Abroad abroad;

    ObjectStores(Caches caches, Rights rights, Abroad abroad) {
        this.definitions = caches.of(CustomResourceDefinitions.KIND);
        this.rights = rights;
        this.abroad = abroad;
    }

    Provider provider(Store store, Account account, Resource asker) {
        var spec = store.provider().object("object");
        var cluster = store.object().cluster();
        var kind = kind(cluster, spec);
        return new ObjectProvider(kind.kind(), name -> {
            var place = place(kind, spec);
            OwnSecrets.check(rights, cluster, account, "get", kind.resource(), place, name);
            return abroad.object(ObjectName.of(asker), kind, new ObjectName(cluster, place, name));
        });
    }

    StoreFinding look(Store store, Account account) {
        var spec = store.provider().object("object");
        var cluster = store.object().cluster();
        var kind = kind(cluster, spec);
        return rights.allow(cluster, account, "get", kind.resource(), place(kind, spec), "")
                ? new StoreFinding.Valid()
                : new StoreFinding.Invalid("client is not allowed to get " + kind.resource());
    }

    private static String place(Kind<?> kind, Json.Obj spec) {
        var namespace = spec.string("namespace");
        return !kind.isNamespaced() ? "" : namespace.isEmpty() ? "default" : namespace;
    }

    private Kind<Json.Obj> kind(LogicalCluster cluster, Json.Obj spec) {
        var version = spec.string("apiVersion");
        var name = spec.string("kind");
        return BuiltinKinds.ALL.stream()
                .filter(kind -> kind.apiVersion().equals(version) && kind.kind().equals(name))
                .findFirst()
                .map(kind -> kind(kind.group(), kind.version(), name, kind.plural(), kind.isNamespaced()))
                .or(() -> defined(cluster, version, name))
                .orElseThrow(() ->
                        ReadProblem.of("no matches for kind " + Json.of(name) + " in version " + Json.of(version)));
    }

    private Optional<Kind<Json.Obj>> defined(LogicalCluster cluster, String apiVersion, String name) {
        int slash = apiVersion.indexOf('/');
        var group = slash < 0 ? "" : apiVersion.substring(0, slash);
        var version = apiVersion.substring(slash + 1);
        return definitions.in(cluster, "").stream()
                .map(Resource::spec)
                .filter(spec -> spec.string("group").equals(group)
                        && spec.string("names", "kind").equals(name)
                        && spec.objects("versions").stream()
                                .anyMatch(each -> each.string("name").equals(version) && each.flag("served")))
                .findFirst()
                .map(spec -> kind(
                        group,
                        version,
                        name,
                        spec.string("names", "plural"),
                        spec.string("scope").equals("Namespaced")));
    }

    private static Kind<Json.Obj> kind(String group, String version, String name, String plural, boolean isNamespaced) {
        return isNamespaced
                ? Kind.namespaced(group, version, name, plural)
                : Kind.clusterScoped(group, version, name, plural);
    }
}

package dev.towtank.controllers.secrets;

import dev.towtank.cluster.Cache;
import dev.towtank.cluster.Caches;
import dev.towtank.cluster.ObjectName;
import dev.towtank.controllers.secrets.reading.ObjectProvider;
import dev.towtank.controllers.secrets.reading.Provider;
import dev.towtank.controllers.secrets.reading.ReadProblem;
import dev.towtank.controllers.secrets.reading.WebCall;
import dev.towtank.controllers.secrets.source.Rights;
import dev.towtank.controllers.secrets.source.Rights.Account;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Resource;
import dev.towtank.model.crd.CustomResourceDefinitions;
import dev.towtank.model.crd.DefinedKinds;
import dev.towtank.model.kinds.BuiltinKinds;
import java.util.List;

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
            var object = new ObjectName(cluster, place, name);
            return abroad.object(
                    ObjectName.of(asker), new Abroad.ObjectQuestion(reader(cluster, account), kind, object));
        });
    }

    private static WebCall.Account reader(LogicalCluster cluster, Account account) {
        var parts = account.serviceAccount()
                .orElseThrow(() -> ReadProblem.of("provider.object reads by serviceAccount alone"));
        return new WebCall.Account(cluster, parts.namespace(), parts.name(), List.of());
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

    private Kind<?> kind(LogicalCluster cluster, Json.Obj spec) {
        var version = spec.string("apiVersion");
        var name = spec.string("kind");
        return BuiltinKinds.ALL.stream()
                .filter(kind -> kind.apiVersion().equals(version) && kind.kind().equals(name))
                .<Kind<?>>map(kind -> kind)
                .findFirst()
                .or(() -> DefinedKinds.find(definitions.in(cluster, "").stream().map(Resource::json), version, name))
                .orElseThrow(() ->
                        ReadProblem.of("no matches for kind " + Json.of(name) + " in version " + Json.of(version)));
    }
}

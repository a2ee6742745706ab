package dev.towtank.apiserver.upkeep;

import dev.towtank.apiserver.Api;
import dev.towtank.apiserver.Body;
import dev.towtank.apiserver.Call;
import dev.towtank.apiserver.Catalog;
import dev.towtank.apiserver.Catalog.Served;
import dev.towtank.apiserver.Params;
import dev.towtank.apiserver.Target;
import dev.towtank.apiserver.User;
import dev.towtank.apiserver.Verb;
import dev.towtank.apiserver.store.Key;
import dev.towtank.model.Json;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.StatusError;
import java.util.Optional;

/// A loop's hands: writes by key, under the loop's own identity, through the same API as everybody's.
final class Caretaker {

    private final Api api;
    private final Catalog catalog;
    private final User user;

    Caretaker(Api api, Catalog catalog, User user) {
        this.api = api;
        this.catalog = catalog;
        this.user = user;
    }

    /// How a stored resource is addressed; nothing where no version of it is served any more.
    Optional<Served> served(Key key) {
        var versions = catalog.served(key.cluster()).stream()
                .filter(served -> served.kind().resource().equals(key.resource())
                        && served.verbs().contains(Verb.DELETE))
                .toList();
        // What needs no conversion needs nobody else to be there.
        return versions.stream()
                .filter(served -> served.conversion().isStoredVersion())
                .findFirst()
                .or(() -> versions.stream().findFirst());
    }

    void delete(Key key, String uid, String propagation) {
        var options = Json.Obj.builder()
                .put("kind", "DeleteOptions")
                .put("apiVersion", "v1")
                .put("preconditions", Json.Obj.of("uid", Json.of(uid)))
                .putNonEmpty("propagationPolicy", propagation)
                .build();
        call(Verb.DELETE, key, "", Body.of(options));
    }

    /// Changes the metadata of exactly this version of an object.
    void patchMetadata(Key key, String uid, long revision, Json.Obj metadata) {
        var guarded = metadata.with("uid", Json.of(uid)).with("resourceVersion", Json.of(Long.toString(revision)));
        call(Verb.PATCH, key, "", new Body.Tree("application/merge-patch+json", Json.Obj.of("metadata", guarded)));
    }

    void update(Key key, String subresource, Json.Obj object) {
        call(Verb.UPDATE, key, subresource, Body.of(object));
    }

    void deleteAll(LogicalCluster cluster, Served served, String namespace) {
        var kind = served.kind();
        var target = new Target(kind.group(), kind.version(), kind.plural(), namespace, "", "");
        var options = Json.Obj.of("propagationPolicy", Json.of("Background"));
        api.handle(new Call(user, cluster, Verb.DELETECOLLECTION, target, Params.NONE, Body.of(options)));
    }

    // What is already gone is as it should be.
    private void call(Verb verb, Key key, String subresource, Body body) {
        var served = served(key);
        if (served.isEmpty()) {
            return;
        }
        var kind = served.get().kind();
        var target = new Target(kind.group(), kind.version(), kind.plural(), key.namespace(), key.name(), subresource);
        try {
            api.handle(new Call(user, key.cluster(), verb, target, Params.NONE, body));
        } catch (StatusError e) {
            if (!e.is(StatusError.Reason.NOT_FOUND)) {
                throw e;
            }
        }
    }

    static User controller(String name) {
        return User.of(
                "system:serviceaccount:kube-system:" + name,
                "system:serviceaccounts",
                "system:serviceaccounts:kube-system",
                User.ALL_AUTHENTICATED);
    }
}

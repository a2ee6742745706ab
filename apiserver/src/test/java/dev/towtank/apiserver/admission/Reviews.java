package dev.towtank.apiserver.admission;

import static dev.towtank.apiserver.Objects.json;

import dev.towtank.apiserver.Body;
import dev.towtank.apiserver.Call;
import dev.towtank.apiserver.Params;
import dev.towtank.apiserver.Target;
import dev.towtank.apiserver.User;
import dev.towtank.apiserver.Verb;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.LogicalCluster;
import org.jspecify.annotations.Nullable;

/// Reviews of writes as the server would make them.
final class Reviews {

    static final Kind<Json.Obj> POD = Kind.namespaced("", "v1", "Pod", "pods");
    static final Kind<Json.Obj> CLAIM = Kind.namespaced("", "v1", "PersistentVolumeClaim", "persistentvolumeclaims");
    static final Kind<Json.Obj> NAMESPACE = Kind.clusterScoped("", "v1", "Namespace", "namespaces");
    static final Kind<Json.Obj> DEPLOYMENT = Kind.namespaced("apps", "v1", "Deployment", "deployments");

    private Reviews() {}

    static Review create(Kind<?> kind, String object) {
        return of(kind, Review.Operation.CREATE, "", json(object), null);
    }

    static Review create(Kind<?> kind, Json.Obj object) {
        return of(kind, Review.Operation.CREATE, "", object, null);
    }

    static Review update(Kind<?> kind, String object, String old) {
        return of(kind, Review.Operation.UPDATE, "", json(object), json(old));
    }

    static Review delete(Kind<?> kind, String old) {
        return of(kind, Review.Operation.DELETE, "", null, json(old));
    }

    static Review of(
            Kind<?> kind,
            Review.Operation operation,
            String subresource,
            Json.@Nullable Obj object,
            Json.@Nullable Obj old) {
        var present = object == null ? old : object;
        var metadata = present == null ? Json.Obj.EMPTY : present.object("metadata");
        var namespace = metadata.string("namespace");
        var name = metadata.string("name");
        var target = new Target(kind.group(), kind.version(), kind.plural(), namespace, name, subresource);
        var verb = switch (operation) {
            case CREATE -> Verb.CREATE;
            case UPDATE -> Verb.UPDATE;
            case DELETE -> Verb.DELETE;
            case CONNECT -> Verb.GET;
        };
        var call = new Call(User.of("jane"), LogicalCluster.DEFAULT, verb, target, Params.NONE, Body.None.NONE);
        return new Review(call, kind, operation, namespace, name, subresource, object, old);
    }

    /// What a rule makes of a new object.
    static Json.Obj changed(Admission rule, Kind<?> kind, String object) {
        return rule.change(create(kind, object), json(object));
    }
}

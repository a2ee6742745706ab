package dev.towtank.controllers.triggers.source;

import dev.towtank.cluster.Cluster;
import dev.towtank.cluster.web.Endpoint;
import dev.towtank.cluster.web.WebRequest;
import dev.towtank.cluster.web.WebResponse;
import dev.towtank.controllers.triggers.api.TriggersKinds;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.Resource;

/// What listeners did with their last events, for those who may list the listeners.
public final class EventsEndpoint {

    /// With `?namespace=`; without it, of all namespaces.
    public static final String PATH = "/towtank/trigger-events";

    private static final Kind<Json.Obj> REVIEW =
            Kind.clusterScoped("authorization.k8s.io", "v1", "SubjectAccessReview", "subjectaccessreviews");

    private EventsEndpoint() {}

    public static Endpoint of(Cluster cluster, Listeners listeners) {
        return new Endpoint(PATH, Endpoint.Access.AUTHENTICATED, 0, request -> answer(cluster, listeners, request));
    }

    private static WebResponse answer(Cluster cluster, Listeners listeners, WebRequest request) {
        var caller = request.caller().orElseThrow();
        var namespace = request.parameter("namespace");
        if (!mayList(cluster, caller, namespace)) {
            return WebResponse.text(
                    403,
                    "User \"" + caller.name() + "\" cannot list resource \"eventlisteners\" in API group \""
                            + TriggersKinds.GROUP + "\""
                            + (namespace.isEmpty()
                                    ? " at the cluster scope"
                                    : " in the namespace \"" + namespace + "\"")
                            + "\n");
        }
        return WebResponse.json(200, Json.Obj.of("items", listeners.told(caller.cluster(), namespace)));
    }

    private static boolean mayList(Cluster cluster, WebRequest.Caller caller, String namespace) {
        var attributes = Json.Obj.builder()
                .put("verb", "list")
                .put("group", TriggersKinds.GROUP)
                .put("resource", TriggersKinds.EVENT_LISTENER.plural())
                .putNonEmpty("namespace", namespace)
                .build();
        var review = Json.Obj.builder()
                .put("apiVersion", REVIEW.apiVersion())
                .put("kind", REVIEW.kind())
                .put("metadata", Json.Obj.EMPTY)
                .put(
                        "spec",
                        Json.Obj.of(
                                "user", Json.of(caller.name()),
                                "groups", Json.Arr.ofStrings(caller.groups()),
                                "resourceAttributes", attributes))
                .build();
        return cluster.create(REVIEW, new Resource(caller.cluster(), review), Cluster.WriteOptions.DEFAULT)
                .status()
                .flag("allowed");
    }
}

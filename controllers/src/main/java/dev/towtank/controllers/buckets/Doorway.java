package dev.towtank.controllers.buckets;

import dev.towtank.cluster.Change;
import dev.towtank.cluster.Plan;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.model.kinds.core.Namespaces;
import dev.towtank.model.kinds.core.Services;
import dev.towtank.model.kinds.discovery.EndpointSlices;
import java.util.List;
import java.util.Optional;

/// The Service by which pods find the object store: the name that it has in OpenShift, for this process's ports.
///
/// @param ports where the store listens now; empty before it does
record Doorway(
        Optional<S3Ports> ports, Optional<Resource> namespace, Optional<Resource> service, Optional<Resource> slice) {

    static final String NAMESPACE = "openshift-storage";
    static final String SERVICE = "s3";
    static final String SLICE = "s3-towtank";
    static final String HOST = SERVICE + "." + NAMESPACE + ".svc";
    static final int PORT = 443;

    /// Beside the usual ones: a Service on this machine's loopback address needs rights for ports below 1024, which a
    /// server that is not root's does not have.
    static final int HIGH_PORT = 6001;

    static final String ENDPOINT = "http://" + HOST + ":" + HIGH_PORT;

    /// What a certificate must be for.
    static final List<String> NAMES =
            List.of(HOST, HOST + ".cluster.local", SERVICE + "." + NAMESPACE, SERVICE, "localhost", "127.0.0.1");

    private static final String MANAGER = "towtank-buckets";
    private static final Json.Obj LABELS = Json.Obj.of("app.kubernetes.io/managed-by", Json.of(MANAGER));

    /// Nothing where the Service leads to the store.
    ///
    /// @param claim in whose logical cluster it is
    Plan plan(Resource claim) {
        return ports.map(open -> plan(claim, open))
                .orElseGet(() ->
                        Plan.of(new Change.Act(new BucketDeed.Open(), result -> plan(claim, S3Ports.read(result)))));
    }

    private Plan plan(Resource claim, S3Ports open) {
        var plan = Plan.none();
        if (namespace.isEmpty()) {
            plan = plan.then(new Change.Apply(Namespaces.KIND, claim.with(namespaceObject()), MANAGER));
        }
        if (!service.map(seen -> ports(seen.spec())).equals(Optional.of(List.of(80L, (long) PORT, (long) HIGH_PORT)))) {
            plan = plan.then(new Change.Apply(Services.KIND, claim.with(serviceObject()), MANAGER));
        }
        var wanted = sliceObject(open);
        boolean isRight = slice.map(seen -> ports(seen.json())).equals(Optional.of(ports(wanted)));
        return isRight ? plan : plan.then(new Change.Apply(EndpointSlices.KIND, claim.with(wanted), MANAGER));
    }

    private static List<Long> ports(Json.Obj holder) {
        return holder.objects("ports").stream()
                .map(port -> port.integer("port"))
                .toList();
    }

    private static Json.Obj namespaceObject() {
        return object("v1", "Namespace", Json.Obj.of("name", Json.of(NAMESPACE)));
    }

    private static Json.Obj serviceObject() {
        var metadata = Json.Obj.of("name", Json.of(SERVICE), "namespace", Json.of(NAMESPACE), "labels", LABELS);
        return object("v1", "Service", metadata)
                .with(
                        "spec",
                        Json.Obj.of(
                                "ports",
                                Json.Arr.of(port("s3", 80), port("s3-https", PORT), port("s3-high", HIGH_PORT))));
    }

    private static Json.Obj sliceObject(S3Ports open) {
        var labels = LABELS.with("kubernetes.io/service-name", Json.of(SERVICE));
        var metadata = Json.Obj.of("name", Json.of(SLICE), "namespace", Json.of(NAMESPACE), "labels", labels);
        var endpoint = Json.Obj.of(
                "addresses", Json.Arr.of(Json.of("127.0.0.1")), "conditions", Json.Obj.of("ready", Json.of(true)));
        return object("discovery.k8s.io/v1", "EndpointSlice", metadata)
                .with("addressType", Json.of("IPv4"))
                .with("endpoints", Json.Arr.of(endpoint))
                .with(
                        "ports",
                        Json.Arr.of(
                                port("s3", open.http()), port("s3-https", open.https()), port("s3-high", open.http())));
    }

    private static Json.Obj port(String name, int number) {
        return Json.Obj.of("name", Json.of(name), "port", Json.of(number), "protocol", Json.of("TCP"));
    }

    private static Json.Obj object(String apiVersion, String kind, Json.Obj metadata) {
        return Json.Obj.of("apiVersion", Json.of(apiVersion), "kind", Json.of(kind), "metadata", metadata);
    }
}

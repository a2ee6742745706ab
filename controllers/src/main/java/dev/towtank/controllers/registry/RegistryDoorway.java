package dev.towtank.controllers.registry;

import dev.towtank.cluster.Change;
import dev.towtank.cluster.Deed;
import dev.towtank.cluster.Observed;
import dev.towtank.cluster.Plan;
import dev.towtank.cluster.Reconciler;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Resource;
import dev.towtank.model.kinds.core.Namespaces;
import dev.towtank.model.kinds.core.Services;
import dev.towtank.model.kinds.discovery.EndpointSlices;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// The Service by which pods find the registry: the name that it has in OpenShift, for this process's port. It is kept
/// as long as there is a namespace `default`.
final class RegistryDoorway implements Reconciler<Json.Obj, RegistryDoorway.Facts> {

    static final String NAMESPACE = "openshift-image-registry";
    static final String SERVICE = "image-registry";
    static final String SLICE = "image-registry-towtank";
    static final int PORT = 5000;
    static final String HOST = SERVICE + "." + NAMESPACE + ".svc";

    /// What a certificate must be for.
    static final List<String> NAMES =
            List.of(HOST, HOST + ".cluster.local", SERVICE + "." + NAMESPACE, "localhost", "127.0.0.1");

    private static final String MANAGER = "towtank-registry";
    private static final Json.Obj LABELS = Json.Obj.of("app.kubernetes.io/managed-by", Json.of(MANAGER));

    /// Taking away what nobody can ask for any more, when it is known which namespaces there are.
    record Sweep() implements Deed {
        @Override
        public Json.Obj json() {
            return Json.Obj.of("sweep", Json.of("registry"));
        }
    }

    /// @param port where it listens, with a certificate
    record Facts(
            int port,
            boolean isSwept,
            Optional<Resource> namespace,
            Optional<Resource> service,
            Optional<Resource> slice) {}

    @Override
    public Plan reconcile(Observed<Json.Obj> observed, Facts facts, Instant now) {
        var beside = observed.object();
        if (!beside.name().equals("default") || !beside.cluster().equals(LogicalCluster.DEFAULT)) {
            return Plan.none();
        }
        var plan = facts.isSwept ? Plan.none() : Plan.of(new Change.Act(new Sweep(), _ -> Plan.none()));
        if (facts.namespace.isEmpty()) {
            plan = plan.then(apply(Namespaces.KIND, beside, namespaceObject()));
        }
        if (facts.service.isEmpty()) {
            plan = plan.then(apply(Services.KIND, beside, serviceObject()));
        }
        boolean isRight = facts.slice
                .filter(seen ->
                        seen.json().objects("ports").stream().anyMatch(port -> port.integer("port") == facts.port))
                .isPresent();
        return isRight ? plan : plan.then(apply(EndpointSlices.KIND, beside, sliceObject(facts.port)));
    }

    private static Change apply(Kind<?> kind, Resource beside, Json.Obj object) {
        return new Change.Apply(kind, beside.with(object), MANAGER);
    }

    private static Json.Obj namespaceObject() {
        return object("v1", "Namespace", Json.Obj.of("name", Json.of(NAMESPACE)));
    }

    private static Json.Obj serviceObject() {
        var metadata = Json.Obj.of("name", Json.of(SERVICE), "namespace", Json.of(NAMESPACE), "labels", LABELS);
        return object("v1", "Service", metadata).with("spec", Json.Obj.of("ports", Json.Arr.of(port(PORT))));
    }

    private static Json.Obj sliceObject(int open) {
        var labels = LABELS.with("kubernetes.io/service-name", Json.of(SERVICE));
        var metadata = Json.Obj.of("name", Json.of(SLICE), "namespace", Json.of(NAMESPACE), "labels", labels);
        var endpoint = Json.Obj.of(
                "addresses", Json.Arr.of(Json.of("127.0.0.1")), "conditions", Json.Obj.of("ready", Json.of(true)));
        return object("discovery.k8s.io/v1", "EndpointSlice", metadata)
                .with("addressType", Json.of("IPv4"))
                .with("endpoints", Json.Arr.of(endpoint))
                .with("ports", Json.Arr.of(port(open)));
    }

    private static Json.Obj port(int number) {
        return Json.Obj.of("name", Json.of("registry"), "port", Json.of(number), "protocol", Json.of("TCP"));
    }

    private static Json.Obj object(String apiVersion, String kind, Json.Obj metadata) {
        return Json.Obj.of("apiVersion", Json.of(apiVersion), "kind", Json.of(kind), "metadata", metadata);
    }
}

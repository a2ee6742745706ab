package dev.towtank.apiserver.webhook;

import dev.towtank.apiserver.store.Key;
import dev.towtank.apiserver.store.Range;
import dev.towtank.apiserver.store.Store;
import dev.towtank.model.GroupResource;
import dev.towtank.model.Json;
import dev.towtank.model.LogicalCluster;
import java.net.URI;
import java.util.Optional;

/// Finds what stands behind a Service: nothing in this process routes its virtual address.
final class ServiceEndpoints {

    private static final GroupResource SERVICES = new GroupResource("", "services");
    private static final GroupResource SLICES = new GroupResource("discovery.k8s.io", "endpointslices");
    private static final GroupResource ENDPOINTS = new GroupResource("", "endpoints");

    private final Store store;

    ServiceEndpoints(Store store) {
        this.store = store;
    }

    /// @param service of a client configuration: namespace, name, and perhaps path and port
    Endpoint resolve(LogicalCluster cluster, Json.Obj service, String query) throws WebhookClient.Failed {
        var namespace = service.string("namespace");
        var name = service.string("name");
        int port = service.has("port") ? (int) service.integer("port") : 443;
        var path = service.string("path");
        var uri = URI.create("https://" + name + "." + namespace + ".svc:" + port
                + (path.startsWith("/") ? path : "/" + path) + query);
        var found = store.get(new Key(SERVICES, cluster, namespace, name));
        if (found == null) {
            throw new WebhookClient.Failed("Post \"" + uri + "\": service \"" + name + "\" not found");
        }
        var spec = found.tree().object("spec");
        if (spec.string("type").equals("ExternalName")) {
            return new Endpoint(uri, spec.string("externalName"), port);
        }
        var portName = spec.objects("ports").stream()
                .filter(each -> each.integer("port") == port)
                .map(each -> each.string("name"))
                .findFirst()
                .orElseThrow(() -> new WebhookClient.Failed(
                        "Post \"" + uri + "\": no service port " + port + " found for service \"" + name + "\""));
        return slices(cluster, namespace, name, portName, uri)
                .or(() -> endpoints(cluster, namespace, name, portName, uri))
                .orElseThrow(() -> new WebhookClient.Failed(
                        "Post \"" + uri + "\": no endpoints available for service \"" + name + "\""));
    }

    private Optional<Endpoint> slices(LogicalCluster cluster, String namespace, String name, String portName, URI uri) {
        for (var item :
                store.list(Range.of(SLICES, cluster, namespace), 0, null, 0).items()) {
            var slice = item.tree();
            if (slice.string("metadata", "labels", "kubernetes.io/service-name").equals(name)) {
                var address = slice.objects("endpoints").stream()
                        .filter(endpoint ->
                                !endpoint.object("conditions").has("ready") || endpoint.flag("conditions", "ready"))
                        .flatMap(endpoint -> endpoint.array("addresses").strings().stream())
                        .findFirst();
                var port = port(slice, portName);
                if (address.isPresent() && port.isPresent()) {
                    return Optional.of(new Endpoint(uri, address.get(), port.get()));
                }
            }
        }
        return Optional.empty();
    }

    private Optional<Endpoint> endpoints(
            LogicalCluster cluster, String namespace, String name, String portName, URI uri) {
        var found = store.get(new Key(ENDPOINTS, cluster, namespace, name));
        if (found == null) {
            return Optional.empty();
        }
        for (var subset : found.tree().objects("subsets")) {
            var addresses = subset.objects("addresses");
            var port = port(subset, portName);
            if (!addresses.isEmpty() && port.isPresent()) {
                return Optional.of(new Endpoint(uri, addresses.getFirst().string("ip"), port.get()));
            }
        }
        return Optional.empty();
    }

    private static Optional<Integer> port(Json.Obj slice, String name) {
        return slice.objects("ports").stream()
                .filter(port -> port.string("name").equals(name))
                .map(port -> (int) port.integer("port"))
                .findFirst();
    }
}

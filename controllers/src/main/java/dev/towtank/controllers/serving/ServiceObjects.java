package dev.towtank.controllers.serving;

import dev.towtank.cluster.Change;
import dev.towtank.cluster.Plan;
import dev.towtank.controllers.serving.api.ServingKinds;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.model.kinds.core.Services;
import dev.towtank.model.kinds.discovery.EndpointSlices;

/// The Service by which an InferenceService is reached: on port 80 as in a cluster, and on 8080, which needs no rights.
final class ServiceObjects {

    static final int PORT = 8080;

    private static final String MANAGER = "towtank-serving";

    private ServiceObjects() {}

    static String name(Resource service) {
        return service.name() + "-predictor";
    }

    /// Nothing where the Service leads to the front.
    static Plan plan(Resource service, ServiceFacts facts) {
        var plan = Plan.none();
        if (facts.service().isEmpty()) {
            plan = plan.then(new Change.Apply(Services.KIND, service(service), MANAGER));
        }
        int port = facts.port().orElseThrow();
        boolean isRight = facts.slice()
                .filter(slice -> slice.json().objects("ports").stream().allMatch(each -> each.integer("port") == port))
                .isPresent();
        return isRight ? plan : plan.then(new Change.Apply(EndpointSlices.KIND, slice(service, port), MANAGER));
    }

    private static Json.Obj metadata(Resource service, Json.Obj labels) {
        return Json.Obj.builder()
                .put("name", name(service))
                .put("namespace", service.namespace())
                .put(
                        "labels",
                        labels.with(ServingKinds.SERVICE_LABEL, Json.of(service.name()))
                                .with("component", Json.of("predictor"))
                                .with("app", Json.of("isvc." + name(service))))
                .put("ownerReferences", Json.Arr.of(service.asOwner(true).json()))
                .build();
    }

    private static Resource service(Resource service) {
        return service.with(Json.Obj.builder()
                .put("apiVersion", Services.KIND.apiVersion())
                .put("kind", Services.KIND.kind())
                .put("metadata", metadata(service, Json.Obj.EMPTY))
                .put("spec", Json.Obj.of("ports", Json.Arr.of(port("http", 80), port("user-port", PORT))))
                .build());
    }

    private static Resource slice(Resource service, int port) {
        var endpoint = Json.Obj.of(
                "addresses", Json.Arr.of(Json.of("127.0.0.1")), "conditions", Json.Obj.of("ready", Json.Bool.TRUE));
        return service.with(Json.Obj.builder()
                .put("apiVersion", EndpointSlices.KIND.apiVersion())
                .put("kind", EndpointSlices.KIND.kind())
                .put("metadata", metadata(service, Json.Obj.of("kubernetes.io/service-name", Json.of(name(service)))))
                .put("addressType", "IPv4")
                .put("endpoints", Json.Arr.of(endpoint))
                .put("ports", Json.Arr.of(port("http", port), port("user-port", port)))
                .build());
    }

    private static Json.Obj port(String name, int number) {
        return Json.Obj.of("name", Json.of(name), "port", Json.of(number), "protocol", Json.of("TCP"));
    }
}

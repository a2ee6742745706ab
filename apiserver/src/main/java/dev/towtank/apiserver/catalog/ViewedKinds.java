package dev.towtank.apiserver.catalog;

import dev.towtank.model.Column;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import java.util.List;

/// The kinds whose objects are worked out.
public final class ViewedKinds {

    public static final Kind<Json.Obj> API_SERVICE = Kind.clusterScoped(
                    "apiregistration.k8s.io", "v1", "APIService", "apiservices")
            .withCategories("api-extensions")
            .withColumns(
                    Column.ofName(),
                    Column.text("Service", (_, _) -> Json.of("Local")),
                    Column.text("Available", (object, _) -> Json.of(available(object))),
                    Column.ofAge());

    public static final Kind<Json.Obj> NODE_METRICS =
            Kind.clusterScoped("metrics.k8s.io", "v1beta1", "NodeMetrics", "nodes");

    public static final Kind<Json.Obj> POD_METRICS = Kind.namespaced("metrics.k8s.io", "v1beta1", "PodMetrics", "pods");

    static final List<Kind<Json.Obj>> METRICS = List.of(NODE_METRICS, POD_METRICS);

    private ViewedKinds() {}

    private static String available(Json.Obj service) {
        return service.objects("status", "conditions").stream()
                .filter(condition -> condition.string("type").equals("Available"))
                .map(condition -> condition.string("status"))
                .findFirst()
                .orElse("<unknown>");
    }
}

package dev.towtank.controllers.workloads;

import dev.towtank.cluster.Caches;
import dev.towtank.cluster.Controller;
import dev.towtank.cluster.ObjectName;
import dev.towtank.cluster.Trigger;
import dev.towtank.controllers.workloads.pods.Claim;
import dev.towtank.controllers.workloads.services.EndpointSliceReconciler;
import dev.towtank.controllers.workloads.services.EndpointsReconciler;
import dev.towtank.controllers.workloads.services.KubernetesServiceReconciler;
import dev.towtank.controllers.workloads.services.MirrorReconciler;
import dev.towtank.controllers.workloads.services.ServicePods;
import dev.towtank.model.Json;
import dev.towtank.model.kinds.core.Endpoints;
import dev.towtank.model.kinds.core.Namespaces;
import dev.towtank.model.kinds.core.Pods;
import dev.towtank.model.kinds.core.Services;
import dev.towtank.model.kinds.discovery.EndpointSlices;
import java.util.List;

/// The controllers around Services.
final class ServiceControllers {

    private ServiceControllers() {}

    static Controller<Json.Obj, EndpointSliceReconciler.Facts> endpointSlices(Caches caches) {
        var pods = caches.of(Pods.KIND);
        var slices = caches.of(EndpointSlices.KIND);
        return Controller.of(
                        "endpoint-slice-controller",
                        Services.KIND,
                        service -> new EndpointSliceReconciler.Facts(
                                ServicePods.of(pods, service.object()),
                                Claim.Candidates.of(slices, service.object()).owned().stream()
                                        .filter(EndpointSliceReconciler::isOurs)
                                        .toList()),
                        new EndpointSliceReconciler())
                .wokenBy(ServicePods.wakes(caches.of(Services.KIND)))
                .wokenBy(Trigger.owned(EndpointSlices.KIND, Services.KIND));
    }

    static Controller<Json.Obj, EndpointsReconciler.Facts> endpoints(Caches caches) {
        var pods = caches.of(Pods.KIND);
        var endpoints = caches.of(Endpoints.KIND);
        return Controller.of(
                        "endpoint-controller",
                        Services.KIND,
                        service -> new EndpointsReconciler.Facts(
                                ServicePods.of(pods, service.object()), endpoints.get(service.name())),
                        new EndpointsReconciler())
                .wokenBy(ServicePods.wakes(caches.of(Services.KIND)))
                .wokenBy(Trigger.of(Endpoints.KIND, object -> List.of(ObjectName.of(object))));
    }

    static Controller<Json.Obj, MirrorReconciler.Facts> mirrors(Caches caches) {
        var services = caches.of(Services.KIND);
        var slices = caches.of(EndpointSlices.KIND);
        return Controller.of(
                        "endpoint-slice-mirroring-controller",
                        Endpoints.KIND,
                        endpoints -> new MirrorReconciler.Facts(
                                services.get(endpoints.name()),
                                Claim.Candidates.of(slices, endpoints.object()).owned()),
                        new MirrorReconciler())
                .wokenBy(Trigger.owned(EndpointSlices.KIND, Endpoints.KIND))
                .wokenBy(Trigger.of(Services.KIND, service -> List.of(ObjectName.of(service))));
    }

    static Controller<Json.Obj, KubernetesServiceReconciler.Facts> kubernetesService(
            Caches caches, KubernetesServiceReconciler.Listener listener) {
        var services = caches.of(Services.KIND);
        var slices = caches.of(EndpointSlices.KIND);
        var endpoints = caches.of(Endpoints.KIND);
        var controller = Controller.of(
                "kubernetes-service-controller",
                Namespaces.KIND,
                namespace -> {
                    var name = new ObjectName(
                            namespace.object().cluster(), namespace.object().name(), KubernetesServiceReconciler.NAME);
                    return new KubernetesServiceReconciler.Facts(
                            services.get(name), slices.get(name), endpoints.get(name));
                },
                new KubernetesServiceReconciler(listener));
        for (var kind : List.of(Services.KIND, EndpointSlices.KIND, Endpoints.KIND)) {
            controller = controller.wokenBy(Trigger.of(
                    kind,
                    object -> object.name().equals(KubernetesServiceReconciler.NAME)
                            ? List.of(new ObjectName(object.cluster(), "", object.namespace()))
                            : List.of()));
        }
        return controller;
    }
}

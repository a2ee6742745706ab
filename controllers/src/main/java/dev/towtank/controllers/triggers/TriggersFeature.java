package dev.towtank.controllers.triggers;

import dev.towtank.cluster.Controller;
import dev.towtank.cluster.Definitions;
import dev.towtank.cluster.Feature;
import dev.towtank.cluster.ObjectName;
import dev.towtank.cluster.Observer;
import dev.towtank.cluster.Permission;
import dev.towtank.cluster.Place;
import dev.towtank.cluster.Running;
import dev.towtank.cluster.Trigger;
import dev.towtank.controllers.triggers.api.TriggersKinds;
import dev.towtank.controllers.triggers.source.Listeners;
import dev.towtank.controllers.triggers.validation.TriggersBehaviour;
import dev.towtank.model.Json;
import dev.towtank.model.crd.KindBehaviour;
import dev.towtank.model.kinds.core.Services;
import dev.towtank.model.kinds.discovery.EndpointSlices;
import java.util.List;

/// Tekton Triggers.
public final class TriggersFeature implements Feature {

    @Override
    public String name() {
        return "triggers";
    }

    @Override
    public Definitions definitions() {
        return Definitions.of(
                TriggersFeature.class,
                "crds/eventlisteners.yaml",
                "crds/triggers.yaml",
                "crds/triggerbindings.yaml",
                "crds/clustertriggerbindings.yaml",
                "crds/triggertemplates.yaml",
                "crds/interceptors.yaml",
                "crds/clusterinterceptors.yaml",
                "crds/roles.yaml");
    }

    @Override
    public List<KindBehaviour> behaviours() {
        return TriggersBehaviour.all();
    }

    @Override
    public List<Permission> permissions() {
        return Permission.read("""
                read | triggers.tekton.dev | *
                update patch | triggers.tekton.dev | eventlisteners/status
                update | triggers.tekton.dev | eventlisteners/finalizers
                read | operator.tekton.dev | tektonconfigs
                read | core | secrets
                list | tekton.dev | pipelineruns taskruns
                read create update patch delete | core | services
                read create update patch delete | discovery.k8s.io | endpointslices
                create | core | serviceaccounts/token
                create | authorization.k8s.io | subjectaccessreviews
                read create update patch | core events.k8s.io | events
                """);
    }

    @Override
    public Running start(Place place) {
        var listeners = new Listeners(place);
        return Running.of(controller(place, listeners))
                .observing(List.of(Observer.of(TriggersKinds.EVENT_LISTENER, listeners::seen)))
                .closing(listeners::close);
    }

    private static Controller<Json.Obj, EventListenerReconciler.Facts> controller(Place place, Listeners listeners) {
        var services = place.caches().of(Services.KIND);
        var slices = place.caches().of(EndpointSlices.KIND);
        return Controller.of(
                        "eventlistener-controller",
                        TriggersKinds.EVENT_LISTENER,
                        listener -> {
                            var object = listener.object();
                            var name = new ObjectName(
                                    object.cluster(),
                                    object.namespace(),
                                    EventListenerReconciler.generatedName(object));
                            return new EventListenerReconciler.Facts(
                                    listeners.port(listener.name()), services.get(name), slices.get(name));
                        },
                        new EventListenerReconciler())
                .doing(OpenPort.class, deed -> Json.of(listeners.open(deed.listener())))
                .wokenBy(Trigger.owned(Services.KIND, TriggersKinds.EVENT_LISTENER))
                .wokenBy(Trigger.owned(EndpointSlices.KIND, TriggersKinds.EVENT_LISTENER));
    }
}

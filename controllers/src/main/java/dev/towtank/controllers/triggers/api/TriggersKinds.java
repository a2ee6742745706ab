package dev.towtank.controllers.triggers.api;

import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import java.util.Map;

/// The kinds in the versions that are stored.
public final class TriggersKinds {

    public static final String GROUP = "triggers.tekton.dev";

    public static final Kind<Json.Obj> EVENT_LISTENER =
            Kind.namespaced(GROUP, "v1beta1", "EventListener", "eventlisteners").withStatus();
    public static final Kind<Json.Obj> TRIGGER =
            Kind.namespaced(GROUP, "v1beta1", "Trigger", "triggers").withStatus();
    public static final Kind<Json.Obj> TRIGGER_BINDING =
            Kind.namespaced(GROUP, "v1beta1", "TriggerBinding", "triggerbindings");
    public static final Kind<Json.Obj> CLUSTER_TRIGGER_BINDING =
            Kind.clusterScoped(GROUP, "v1beta1", "ClusterTriggerBinding", "clustertriggerbindings");
    public static final Kind<Json.Obj> TRIGGER_TEMPLATE =
            Kind.namespaced(GROUP, "v1beta1", "TriggerTemplate", "triggertemplates");
    public static final Kind<Json.Obj> INTERCEPTOR = Kind.namespaced(GROUP, "v1alpha1", "Interceptor", "interceptors");
    public static final Kind<Json.Obj> CLUSTER_INTERCEPTOR =
            Kind.clusterScoped(GROUP, "v1alpha1", "ClusterInterceptor", "clusterinterceptors");

    /// Ours: a repository that is looked at, because it cannot send events.
    public static final Kind<Json.Obj> GIT_REPOSITORY = Kind.namespaced(
                    "triggers.towtank.dev", "v1alpha1", "GitRepository", "gitrepositories")
            .withStatus();

    /// Those that are counted, by the names in metrics.
    public static final Map<String, Kind<Json.Obj>> COUNTED = Map.of(
            "eventlistener", EVENT_LISTENER,
            "triggerbinding", TRIGGER_BINDING,
            "triggertemplate", TRIGGER_TEMPLATE,
            "clustertriggerbinding", CLUSTER_TRIGGER_BINDING,
            "clusterinterceptor", CLUSTER_INTERCEPTOR);

    private TriggersKinds() {}
}

package dev.towtank.controllers.namespaces;

import dev.towtank.cluster.Caches;
import dev.towtank.cluster.Controller;
import dev.towtank.cluster.Feature;
import dev.towtank.cluster.ObjectName;
import dev.towtank.cluster.Reconciler;
import dev.towtank.cluster.Trigger;
import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import dev.towtank.model.Resource;
import dev.towtank.model.kinds.core.ConfigMaps;
import dev.towtank.model.kinds.core.NamespaceStandards;
import dev.towtank.model.kinds.core.Namespaces;
import dev.towtank.model.kinds.core.ServiceAccounts;
import java.util.List;
import java.util.Optional;

/// Gives every active namespace its standard objects.
public final class NamespacesFeature implements Feature {

    private final String rootCertificates;

    /// @param rootCertificates in PEM, what pods need to trust the API server
    public NamespacesFeature(String rootCertificates) {
        this.rootCertificates = rootCertificates;
    }

    @Override
    public String name() {
        return "namespaces";
    }

    @Override
    public List<Controller<?, ?>> controllers(Caches caches) {
        return List.of(serviceAccounts(caches), rootCertificates(caches));
    }

    Controller<Json.Obj, Optional<Resource>> serviceAccounts(Caches caches) {
        return new Child("service-account-controller", ServiceAccounts.KIND, NamespaceStandards.ACCOUNT)
                .controller(caches, new ServiceAccountReconciler());
    }

    Controller<Json.Obj, Optional<Resource>> rootCertificates(Caches caches) {
        return new Child("root-ca-certificate-publisher", ConfigMaps.KIND, NamespaceStandards.CERTIFICATES)
                .controller(caches, new RootCertificateReconciler(rootCertificates));
    }

    /// Both controllers look at a namespace and at one object of a fixed name in it.
    private record Child(String controller, Kind<?> kind, String name) {

        Controller<Json.Obj, Optional<Resource>> controller(
                Caches caches, Reconciler<Json.Obj, Optional<Resource>> reconciler) {
            var cache = caches.of(kind);
            return Controller.of(
                            controller, Namespaces.KIND, namespace -> cache.get(in(namespace.object())), reconciler)
                    .wokenBy(Trigger.of(kind, this::namespaceOf));
        }

        private ObjectName in(Resource namespace) {
            return new ObjectName(namespace.cluster(), namespace.name(), name);
        }

        private List<ObjectName> namespaceOf(Resource object) {
            return object.name().equals(name)
                    ? List.of(new ObjectName(object.cluster(), "", object.namespace()))
                    : List.of();
        }
    }

    /// Nothing is put into a namespace that is going away.
    static boolean isActive(Resource namespace) {
        return !namespace.isDeleting() && !namespace.status().string("phase").equals("Terminating");
    }
}

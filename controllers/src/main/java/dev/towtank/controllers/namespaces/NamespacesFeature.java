package dev.towtank.controllers.namespaces;

import dev.towtank.cluster.Caches;
import dev.towtank.cluster.Controller;
import dev.towtank.cluster.Feature;
import dev.towtank.cluster.ObjectName;
import dev.towtank.cluster.Permission;
import dev.towtank.cluster.Place;
import dev.towtank.cluster.Reconciler;
import dev.towtank.cluster.Running;
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

    @Override
    public String name() {
        return "namespaces";
    }

    @Override
    public List<Permission> permissions() {
        return Permission.read("""
                read | core | namespaces
                read create patch | core | serviceaccounts configmaps
                """);
    }

    @Override
    public Running start(Place place) {
        var caches = place.caches();
        return Running.of(
                serviceAccounts(caches), rootCertificates(caches, place.ground().authority()));
    }

    static Controller<Json.Obj, Optional<Resource>> serviceAccounts(Caches caches) {
        return new Child("service-account-controller", ServiceAccounts.KIND, NamespaceStandards.ACCOUNT)
                .controller(caches, new ServiceAccountReconciler());
    }

    /// @param authority in PEM, what pods need to trust the API server
    static Controller<Json.Obj, Optional<Resource>> rootCertificates(Caches caches, String authority) {
        return new Child("root-ca-certificate-publisher", ConfigMaps.KIND, NamespaceStandards.CERTIFICATES)
                .controller(caches, new RootCertificateReconciler(authority));
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

package dev.towtank.controllers.namespaces;

import dev.towtank.cluster.Observed;
import dev.towtank.cluster.Plan;
import dev.towtank.cluster.Reconciler;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.model.kinds.core.ConfigMaps;
import dev.towtank.model.kinds.core.NamespaceStandards;
import java.time.Instant;
import java.util.Optional;

/// Keeps the ConfigMap with the certificates that pods trust the API server by, whatever people do to it.
final class RootCertificateReconciler implements Reconciler<Json.Obj, Optional<Resource>> {

    private final String certificates;

    RootCertificateReconciler(String certificates) {
        this.certificates = certificates;
    }

    @Override
    public Plan reconcile(Observed<Json.Obj> namespace, Optional<Resource> map, Instant now) {
        if (!NamespacesFeature.isActive(namespace.object())) {
            return Plan.none();
        }
        return map.map(this::repair).orElseGet(() -> Plan.none().create(ConfigMaps.KIND, standard(namespace.object())));
    }

    private Plan repair(Resource map) {
        var right = map.json().object("data").equals(data())
                && !map.annotations()
                        .getOrDefault(NamespaceStandards.DESCRIPTION, "")
                        .isEmpty();
        return right || map.isDeleting() ? Plan.none() : Plan.none().patch(ConfigMaps.KIND, map, corrections(map));
    }

    private Json.Obj corrections(Resource map) {
        var data = Json.Obj.builder();
        map.json().object("data").forEach((key, _) -> data.put(key, Json.Null.NULL));
        data.put(NamespaceStandards.CERTIFICATES_KEY, certificates);
        return Json.Obj.of(
                "metadata", Json.Obj.of("annotations", NamespaceStandards.annotations()), "data", data.build());
    }

    private Json.Obj data() {
        return Json.Obj.of(NamespaceStandards.CERTIFICATES_KEY, Json.of(certificates));
    }

    private Resource standard(Resource namespace) {
        return namespace.with(NamespaceStandards.certificates(namespace.name(), certificates));
    }
}

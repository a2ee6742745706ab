package dev.towtank.controllers.namespaces;

import dev.towtank.cluster.Observed;
import dev.towtank.cluster.Plan;
import dev.towtank.cluster.Reconciler;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.model.kinds.core.ConfigMaps;
import java.time.Instant;
import java.util.Optional;

/// Keeps the ConfigMap with the certificates that pods trust the API server by, whatever people do to it.
final class RootCertificateReconciler implements Reconciler<Json.Obj, Optional<Resource>> {

    static final String NAME = "kube-root-ca.crt";

    private static final String KEY = "ca.crt";
    private static final String DESCRIPTION = "kubernetes.io/description";
    private static final String DESCRIPTION_TEXT =
            "Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as"
                    + " the internal service IP or kubernetes.default.svc. No other usage is guaranteed across"
                    + " distributions of Kubernetes clusters.";

    private final String certificates;

    RootCertificateReconciler(String certificates) {
        this.certificates = certificates;
    }

    @Override
    public Plan reconcile(Observed<Json.Obj> namespace, Optional<Resource> map, Instant now) {
        if (!NamespacesFeature.isActive(namespace.object())) {
            return Plan.none();
        }
        return map.map(this::repair).orElseGet(() -> Plan.none().create(ConfigMaps.KIND, map(namespace.object())));
    }

    private Plan repair(Resource map) {
        var right = map.json().object("data").equals(data())
                && !map.annotations().getOrDefault(DESCRIPTION, "").isEmpty();
        return right || map.isDeleting() ? Plan.none() : Plan.none().patch(ConfigMaps.KIND, map, corrections(map));
    }

    private Json.Obj corrections(Resource map) {
        var data = Json.Obj.builder();
        map.json().object("data").forEach((key, _) -> data.put(key, Json.Null.NULL));
        data.put(KEY, certificates);
        return Json.Obj.of("metadata", Json.Obj.of("annotations", annotations()), "data", data.build());
    }

    private Resource map(Resource namespace) {
        var metadata = Json.Obj.of(
                "name", Json.of(NAME), "namespace", Json.of(namespace.name()), "annotations", annotations());
        return namespace.with(Json.Obj.builder()
                .put("apiVersion", ConfigMaps.KIND.apiVersion())
                .put("kind", ConfigMaps.KIND.kind())
                .put("metadata", metadata)
                .put("data", data())
                .build());
    }

    private Json.Obj data() {
        return Json.Obj.of(KEY, Json.of(certificates));
    }

    private static Json.Obj annotations() {
        return Json.Obj.of(DESCRIPTION, Json.of(DESCRIPTION_TEXT));
    }
}

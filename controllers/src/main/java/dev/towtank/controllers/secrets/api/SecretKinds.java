package dev.towtank.controllers.secrets.api;

import dev.towtank.model.Json;
import dev.towtank.model.Kind;

/// The kinds of External Secrets in the version that is stored.
public final class SecretKinds {

    public static final String GROUP = "external-secrets.io";

    public static final Kind<Json.Obj> EXTERNAL_SECRET =
            Kind.namespaced(GROUP, "v1", "ExternalSecret", "externalsecrets").withStatus();
    public static final Kind<Json.Obj> SECRET_STORE =
            Kind.namespaced(GROUP, "v1", "SecretStore", "secretstores").withStatus();
    public static final Kind<Json.Obj> CLUSTER_SECRET_STORE = Kind.clusterScoped(
                    GROUP, "v1", "ClusterSecretStore", "clustersecretstores")
            .withStatus();

    private SecretKinds() {}
}

package dev.towtank.controllers.secrets.api;

import dev.towtank.model.Json;
import dev.towtank.model.Kind;
import java.util.List;

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

    public static final Kind<Json.Obj> CLUSTER_EXTERNAL_SECRET = Kind.clusterScoped(
                    GROUP, "v1", "ClusterExternalSecret", "clusterexternalsecrets")
            .withStatus();
    public static final Kind<Json.Obj> PUSH_SECRET =
            Kind.namespaced(GROUP, "v1alpha1", "PushSecret", "pushsecrets").withStatus();

    private static final String MAKERS = "generators." + GROUP;

    public static final List<Kind<Json.Obj>> GENERATORS = List.of(
            Kind.namespaced(MAKERS, "v1alpha1", "Fake", "fakes"),
            Kind.namespaced(MAKERS, "v1alpha1", "Password", "passwords"),
            Kind.namespaced(MAKERS, "v1alpha1", "UUID", "uuids"),
            Kind.namespaced(MAKERS, "v1alpha1", "Webhook", "webhooks"));
    public static final Kind<Json.Obj> CLUSTER_GENERATOR =
            Kind.clusterScoped(MAKERS, "v1alpha1", "ClusterGenerator", "clustergenerators");

    private SecretKinds() {}
}

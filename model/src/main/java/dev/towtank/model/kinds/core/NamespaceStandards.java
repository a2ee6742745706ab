package dev.towtank.model.kinds.core;

import dev.towtank.model.Json;

/// What every namespace has: an account for its pods, and the certificates by which they know the API server.
public final class NamespaceStandards {

    public static final String ACCOUNT = "default";
    public static final String CERTIFICATES = "kube-root-ca.crt";
    public static final String CERTIFICATES_KEY = "ca.crt";
    public static final String DESCRIPTION = "kubernetes.io/description";

    private static final String DESCRIPTION_TEXT =
            "Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as"
                    + " the internal service IP or kubernetes.default.svc. No other usage is guaranteed across"
                    + " distributions of Kubernetes clusters.";

    private NamespaceStandards() {}

    public static Json.Obj account(String namespace) {
        return object(ServiceAccounts.KIND.kind(), metadata(ACCOUNT, namespace));
    }

    /// @param pem what clients inside pods trust
    public static Json.Obj certificates(String namespace, String pem) {
        var metadata = metadata(CERTIFICATES, namespace).with("annotations", annotations());
        return object(ConfigMaps.KIND.kind(), metadata).with("data", Json.Obj.of(CERTIFICATES_KEY, Json.of(pem)));
    }

    public static Json.Obj annotations() {
        return Json.Obj.of(DESCRIPTION, Json.of(DESCRIPTION_TEXT));
    }

    private static Json.Obj metadata(String name, String namespace) {
        return Json.Obj.of("name", Json.of(name), "namespace", Json.of(namespace));
    }

    private static Json.Obj object(String kind, Json.Obj metadata) {
        return Json.Obj.of("apiVersion", Json.of("v1"), "kind", Json.of(kind), "metadata", metadata);
    }
}

package dev.towtank.controllers.secrets;

import dev.towtank.cluster.ObjectName;
import dev.towtank.controllers.secrets.api.SecretKinds;
import dev.towtank.controllers.secrets.reading.WebCall;
import dev.towtank.model.Durations;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import java.time.Duration;
import java.util.List;

/// A SecretStore or ClusterSecretStore.
record Store(Resource object) {

    private static final String WATCH_ANNOTATION = "secrets.towtank.dev/watch-sources";
    private static final int MOST_RETRIES = 10;
    private static final List<String> OWN_ADDRESSES =
            List.of("", "kubernetes.default", "kubernetes.default.svc", "kubernetes.default.svc.cluster.local");

    boolean isClusterWide() {
        return object.kind().equals(SecretKinds.CLUSTER_SECRET_STORE.kind());
    }

    /// Who is named here wants another installation to work on it.
    boolean isOurs() {
        return object.spec().string("controller").isEmpty();
    }

    Json.Obj provider() {
        return object.spec().object("provider");
    }

    Json.Obj kubernetes() {
        return provider().object("kubernetes");
    }

    boolean isFake() {
        return provider().get("fake") instanceof Json.Obj;
    }

    boolean isKubernetes() {
        return provider().get("kubernetes") instanceof Json.Obj;
    }

    boolean isWebhook() {
        return provider().get("webhook") instanceof Json.Obj;
    }

    /// Whether it reads fields of objects, which no other installation knows.
    boolean isOfObjects() {
        return provider().get("object") instanceof Json.Obj;
    }

    /// Whether values come over a network.
    boolean isElsewhere() {
        return isWebhook() || (isKubernetes() && !isOfThisServer());
    }

    String capabilities() {
        return isOfObjects() ? "ReadOnly" : "ReadWrite";
    }

    String remoteNamespace() {
        var namespace = kubernetes().string("remoteNamespace");
        return namespace.isEmpty() ? "default" : namespace;
    }

    String url() {
        return kubernetes().string("server", "url");
    }

    /// Whether it reads Secrets of the very server that it is an object of.
    boolean isOfThisServer() {
        var host = url().replaceFirst("^https://", "").replaceFirst("(:443)?/?$", "");
        return isKubernetes() && OWN_ADDRESSES.contains(host);
    }

    /// How often a request is repeated at once.
    WebCall.Retries retries() {
        var settings = object.spec().object("retrySettings");
        var pause = settings.string("retryInterval");
        try {
            return new WebCall.Retries(
                    Math.clamp(settings.integerOr(0, "maxRetries"), 0, MOST_RETRIES),
                    pause.isEmpty() ? Duration.ZERO : Durations.parse(pause));
        } catch (Durations.Malformed e) {
            return WebCall.Retries.NONE;
        }
    }

    /// Whether a change of the source is seen at once. Who wants what a cluster does, waits for the refresh instead.
    boolean isWatched() {
        return !isElsewhere() && !"false".equals(object.annotations().get(WATCH_ANNOTATION));
    }

    boolean isReady() {
        return Ready.of(object.status()).isTrue();
    }

    String describe() {
        return object.kind() + " " + Json.of(object.name());
    }

    /// How ExternalSecrets are found that refer to it.
    String key() {
        return key(object.kind(), ObjectName.of(object));
    }

    static String key(String kind, ObjectName name) {
        return name.cluster().id() + ":" + kind + "/" + name.namespace() + "/" + name.name();
    }
}

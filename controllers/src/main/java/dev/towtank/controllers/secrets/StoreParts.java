package dev.towtank.controllers.secrets;

import dev.towtank.cluster.Cache;
import dev.towtank.cluster.Caches;
import dev.towtank.cluster.ObjectName;
import dev.towtank.controllers.secrets.reading.KubernetesProvider;
import dev.towtank.controllers.secrets.reading.ReadProblem;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.model.kinds.core.ConfigMaps;
import dev.towtank.model.kinds.core.Secrets;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// What a store or a generator needs for itself: tokens, keys and certificates out of Secrets and ConfigMaps.
final class StoreParts {

    private final Cache secrets;
    private final Cache configMaps;

    StoreParts(Caches caches) {
        this.secrets = caches.of(Secrets.KIND);
        this.configMaps = caches.of(ConfigMaps.KIND);
    }

    /// Whose parts are meant.
    ///
    /// @param owner a store or a generator
    /// @param namespace of whoever reads: what belongs to the whole cluster may leave it to them
    record Near(Resource owner, String namespace) {

        /// Only what belongs to the whole cluster may look into other namespaces for what it needs itself.
        ObjectName name(Json.Obj selector) {
            var place =
                    owner.namespace().isEmpty() && selector.has("namespace") ? selector.string("namespace") : namespace;
            return new ObjectName(owner.cluster(), place, selector.string("name"));
        }
    }

    /// The value that a selector of a Secret and a key means.
    String text(Near near, Json.Obj selector, String what) {
        var name = near.name(selector);
        var secret = secrets.get(name)
                .orElseThrow(() -> ReadProblem.of("could not fetch %s: cannot get Kubernetes secret %s from namespace"
                                .formatted(what, Json.of(name.name()))
                        + " " + Json.of(name.namespace()) + ": secret not found"));
        var value = KubernetesProvider.data(secret).get(selector.string("key"));
        if (value == null) {
            throw ReadProblem.of("could not fetch %s: cannot find secret data for key: %s"
                    .formatted(what, Json.of(selector.string("key"))));
        }
        return new String(value, StandardCharsets.UTF_8).strip();
    }

    /// The certificates that `caBundle` or `caProvider` give, as PEM; empty where there are none.
    String authority(Near near, Json.Obj server) {
        var bundle = server.string("caBundle");
        if (!bundle.isEmpty()) {
            try {
                return new String(Base64.getMimeDecoder().decode(bundle), StandardCharsets.US_ASCII);
            } catch (IllegalArgumentException e) {
                throw ReadProblem.of("caBundle is not in base64");
            }
        }
        if (!(server.get("caProvider") instanceof Json.Obj provider)) {
            return "";
        }
        return certificate(near, provider)
                .orElseThrow(() -> ReadProblem.of("failed to get cert from %s: %s %s%s not found"
                        .formatted(
                                provider.string("type"),
                                provider.string("type"),
                                near.name(provider),
                                provider.string("key").isEmpty()
                                        ? ""
                                        : " with key " + Json.of(provider.string("key")))));
    }

    private Optional<String> certificate(Near near, Json.Obj provider) {
        var key = provider.string("key").isEmpty() ? "ca.crt" : provider.string("key");
        if (provider.string("type").equals("Secret")) {
            return secrets.get(near.name(provider))
                    .flatMap(secret ->
                            Optional.ofNullable(KubernetesProvider.data(secret).get(key)))
                    .map(value -> new String(value, StandardCharsets.US_ASCII));
        }
        return configMaps
                .get(near.name(provider))
                .filter(map -> map.json().object("data").has(key))
                .map(map -> map.json().string("data", key));
    }

    /// The Secrets that templates of a webhook may use, by the names that it gives them.
    Map<String, Map<String, String>> ofWebhook(Near near, Json.Obj spec) {
        var all = new TreeMap<String, Map<String, String>>();
        for (var each : spec.objects("secrets")) {
            var selector = each.object("secretRef");
            if (near.owner().namespace().isEmpty() && !selector.has("namespace")) {
                throw ReadProblem.of("no namespace on ClusterScoped webhook secret " + selector.string("name"));
            }
            var secret = secrets.get(near.name(selector))
                    .orElseThrow(() ->
                            ReadProblem.of("failed to get clustersecretstore webhook secret " + selector.string("name")
                                    + ": secrets " + Json.of(selector.string("name")) + " not found"));
            // Its owner must have meant it for this, or whoever may write a store could have every Secret sent away.
            if (!"webhook".equals(secret.labels().get("external-secrets.io/type"))) {
                throw ReadProblem.of("secret does not contain needed label 'external-secrets.io/type: webhook'. Update"
                        + " secret label to use it with webhook");
            }
            var values = all.computeIfAbsent(each.string("name"), _ -> new TreeMap<>());
            KubernetesProvider.data(secret)
                    .forEach((key, value) -> values.put(key, new String(value, StandardCharsets.UTF_8)));
        }
        return all;
    }
}

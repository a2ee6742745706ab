package dev.towtank.controllers.pipelines.resolution;

import dev.towtank.cluster.Cache;
import dev.towtank.cluster.Caches;
import dev.towtank.cluster.ObjectName;
import dev.towtank.controllers.pipelines.source.Resolver;
import dev.towtank.controllers.pipelines.source.Resolver.Problem;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.Resource;
import dev.towtank.model.kinds.core.Secrets;
import dev.towtank.model.kinds.core.ServiceAccounts;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The Secrets that a request may use: those of its own namespace, and what the administrator names in the settings.
///
/// @param request whose cluster and namespace count
record RequestCredentials(Source source, Resource request) implements Resolver.Credentials {

    record Source(Cache secrets, Cache accounts) {
        static Source of(Caches caches) {
            return new Source(caches.of(Secrets.KIND), caches.of(ServiceAccounts.KIND));
        }
    }

    @Override
    public String secret(String namespace, String name, String key) throws Problem {
        var place = namespace.isEmpty() ? request.namespace() : namespace;
        var secret = source.secrets()
                .get(new ObjectName(request.cluster(), place, name))
                .orElseThrow(() -> new Problem(
                        "cannot get API token, secret %s not found in namespace %s".formatted(name, place)));
        if (!secret.json().object("data").has(key)) {
            throw new Problem(
                    "cannot get API token, key %s not found in secret %s in namespace %s".formatted(key, name, place));
        }
        return decoded(secret.json().string("data", key));
    }

    @Override
    public Map<String, String> secret(String name) {
        var values = new LinkedHashMap<String, String>();
        source.secrets()
                .get(new ObjectName(request.cluster(), request.namespace(), name))
                .ifPresent(secret ->
                        secret.json().stringMap("data").forEach((key, value) -> values.put(key, decoded(value))));
        return values;
    }

    private static String decoded(String base64) {
        return new String(Base64.getDecoder().decode(base64), StandardCharsets.UTF_8);
    }

    @Override
    public List<Json.Obj> registries(String serviceAccount, Optional<String> secret) {
        var names = new LinkedHashSet<String>();
        secret.ifPresent(names::add);
        source.accounts()
                .get(new ObjectName(request.cluster(), request.namespace(), serviceAccount))
                .ifPresent(account -> account.json()
                        .objects("imagePullSecrets")
                        .forEach(reference -> names.add(reference.string("name"))));
        var auths = new ArrayList<Json.Obj>();
        for (var name : names) {
            var values = secret(name);
            auths(values.getOrDefault(".dockerconfigjson", ""))
                    .map(all -> all.object("auths"))
                    .ifPresent(auths::add);
            auths(values.getOrDefault(".dockercfg", "")).ifPresent(auths::add);
        }
        return auths;
    }

    private static Optional<Json.Obj> auths(String text) {
        try {
            return text.isEmpty() ? Optional.empty() : Optional.of(JsonText.parseObject(text));
        } catch (JsonText.Malformed e) {
            return Optional.empty();
        }
    }

    @Override
    public String toString() {
        return "RequestCredentials[" + request.namespace() + "]";
    }
}

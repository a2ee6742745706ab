package dev.towtank.cluster.registry;

import dev.towtank.model.Json;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Names and passwords by registry, as in the `auths` of a `.dockerconfigjson`.
public final class RegistryLogins {

    private static final Set<String> HUB = Set.of("docker.io", "index.docker.io", "registry-1.docker.io");

    private RegistryLogins() {}

    /// The value of `Authorization` for an image.
    ///
    /// @param auths the first of them that has something for it counts
    /// @param name of the image with its registry and without its version
    public static Optional<String> authorization(List<Json.Obj> auths, String name) {
        for (var auth : auths) {
            for (var place : auth.keys()) {
                if (isFor(place, name)) {
                    var found = basic(auth.object(place));
                    if (found.isPresent()) {
                        return found;
                    }
                }
            }
        }
        return Optional.empty();
    }

    private static boolean isFor(String key, String name) {
        var place = hub(key.replaceFirst("^https?://", "").replaceFirst("/(v1|v2)?/?$", ""));
        return (hub(name) + "/").startsWith(place + "/");
    }

    /// One registry has several names.
    private static String hub(String name) {
        int slash = name.indexOf('/');
        var host = slash < 0 ? name : name.substring(0, slash);
        return HUB.contains(host) ? "docker.io" + name.substring(host.length()) : name;
    }

    private static Optional<String> basic(Json.Obj auth) {
        var packed = auth.string("auth");
        if (packed.isEmpty() && !auth.string("username").isEmpty()) {
            packed = Base64.getEncoder()
                    .encodeToString(
                            (auth.string("username") + ":" + auth.string("password")).getBytes(StandardCharsets.UTF_8));
        }
        return packed.isEmpty() ? Optional.empty() : Optional.of("Basic " + packed);
    }
}

package dev.towtank.controllers.triggers.source;

import dev.towtank.cluster.web.WebDoor;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;
import java.util.function.Function;

/// The certificate and the key that a listener names in `TLS_CERT` and `TLS_KEY`.
public sealed interface Identity {

    record Found(WebDoor.KeyPair pair) implements Identity {}

    /// @param why in words for the status
    record Missing(String why) implements Identity {}

    /// @param secrets those beside the listener, by name
    static Optional<Identity> of(Resource listener, Function<String, Optional<Resource>> secrets) {
        for (var container :
                listener.spec().objects("resources", "kubernetesResource", "spec", "template", "spec", "containers")) {
            var certificate = reference(container, "TLS_CERT");
            var key = reference(container, "TLS_KEY");
            if (certificate.isPresent() && key.isPresent()) {
                return Optional.of(found(certificate.get(), key.get(), secrets));
            }
        }
        return Optional.empty();
    }

    private static Optional<Json.Obj> reference(Json.Obj container, String name) {
        return container.objects("env").stream()
                .filter(variable -> variable.string("name").equals(name))
                .map(variable -> variable.object("valueFrom", "secretKeyRef"))
                .findFirst();
    }

    private static Identity found(Json.Obj certificate, Json.Obj key, Function<String, Optional<Resource>> secrets) {
        for (var reference : new Json.Obj[] {certificate, key}) {
            if (value(reference, secrets).isEmpty()) {
                return new Missing("the listener speaks TLS with the Secret " + reference.string("name")
                        + ", which does not exist or has no key " + reference.string("key"));
            }
        }
        return new Found(new WebDoor.KeyPair(value(certificate, secrets), value(key, secrets)));
    }

    private static String value(Json.Obj reference, Function<String, Optional<Resource>> secrets) {
        return secrets.apply(reference.string("name"))
                .map(secret -> secret.json().string("data", reference.string("key")))
                .map(value -> new String(Base64.getDecoder().decode(value), StandardCharsets.UTF_8))
                .orElse("");
    }
}

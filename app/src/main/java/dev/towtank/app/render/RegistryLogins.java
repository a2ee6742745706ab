package dev.towtank.app.render;

import dev.towtank.controllers.rendering.source.Login;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/// The names and passwords, and tokens, that `helm registry login` and `docker login` left behind, by registry: in
/// their files, or
/// with the
/// programs that those name.
public final class RegistryLogins implements Function<String, Optional<Login>> {
    private final List<Json.Obj> configurations;
    private final Map<String, String> environment;

    private RegistryLogins(List<Json.Obj> configurations, Map<String, String> environment) {
        this.configurations = configurations;
        this.environment = environment;
    }

    public static RegistryLogins of(Map<String, String> environment) {
        var home = Path.of(environment.getOrDefault("HOME", "/"));
        var places = new ArrayList<Path>();
        if (environment.containsKey("HELM_REGISTRY_CONFIG")) {
            places.add(Path.of(environment.get("HELM_REGISTRY_CONFIG")));
        }
        places.add(home.resolve(".config/helm/registry/config.json"));
        places.add(Path.of(environment.getOrDefault(
                        "DOCKER_CONFIG", home.resolve(".docker").toString()))
                .resolve("config.json"));
        return new RegistryLogins(places.stream().map(RegistryLogins::read).toList(), environment);
    }

    // Somebody else's file: where it cannot be read there are no logins, and the registry says so.
    private static Json.Obj read(Path place) {
        try {
            return Files.isRegularFile(place) ? JsonText.parseObject(Files.readAllBytes(place)) : Json.Obj.EMPTY;
        } catch (IOException | JsonText.Malformed e) {
            return Json.Obj.EMPTY;
        }
    }

    @Override
    public Optional<Login> apply(String address) {
        if (!address.startsWith("oci://")) {
            return Optional.empty();
        }
        var place = address.substring("oci://".length());
        return configurations.stream()
                .flatMap(each -> kept(each, place).or(() -> written(each.object("auths"), place)).stream())
                .findFirst();
    }

    /// A program for one registry counts more than the one for all.
    private Optional<Login> kept(Json.Obj configuration, String place) {
        var special = configuration.object("credHelpers");
        for (var key : special.keys()) {
            if (isOf(key, place)) {
                return new CredentialProgram(special.string(key), environment).ask(key);
            }
        }
        var usual = configuration.string("credsStore");
        return usual.isEmpty()
                ? Optional.empty()
                : new CredentialProgram(usual, environment).ask(place.replaceFirst("/.*$", ""));
    }

    private static Optional<Login> written(Json.Obj auths, String place) {
        return auths.keys().stream()
                .filter(key -> isOf(key, place))
                .flatMap(key -> login(auths.object(key)).stream())
                .findFirst();
    }

    private static boolean isOf(String key, String place) {
        var registry = key.replaceFirst("^https?://", "").replaceFirst("/(v1|v2)?/?$", "");
        return place.equals(registry) || place.startsWith(registry + "/");
    }

    private static Optional<Login> login(Json.Obj auth) {
        if (!auth.string("registrytoken").isEmpty()) {
            return Optional.of(new Login(Login.Kind.REGISTRY_TOKEN, "", auth.string("registrytoken")));
        }
        if (!auth.string("identitytoken").isEmpty()) {
            return Optional.of(new Login(Login.Kind.IDENTITY_TOKEN, "", auth.string("identitytoken")));
        }
        try {
            var packed = new String(Base64.getDecoder().decode(auth.string("auth")), StandardCharsets.UTF_8);
            int colon = packed.indexOf(':');
            return colon < 0
                    ? Optional.empty()
                    : Optional.of(new Login(packed.substring(0, colon), packed.substring(colon + 1)));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}

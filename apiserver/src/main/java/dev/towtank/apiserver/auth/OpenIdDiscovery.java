package dev.towtank.apiserver.auth;

import dev.towtank.model.Json;
import java.util.List;

/// The documents with which others verify our service account tokens without asking us each time.
///
/// @param issuer as our tokens name it
/// @param keys that tokens in use may be signed with
public record OpenIdDiscovery(String issuer, List<TokenKey> keys) {

    public static final String CONFIGURATION_PATH = "/.well-known/openid-configuration";
    public static final String KEYS_PATH = "/openid/v1/jwks";
    public static final String CONFIGURATION_TYPE = "application/json";
    public static final String KEYS_TYPE = "application/jwk-set+json";
    /// Others may keep both documents for an hour.
    public static final String CACHING = "public, max-age=3600";

    public OpenIdDiscovery {
        keys = List.copyOf(keys);
    }

    /// Served at [#CONFIGURATION_PATH].
    ///
    /// @param address of this server, as `https://host:port`
    public Json.Obj configuration(String address) {
        return Json.Obj.builder()
                .put("issuer", issuer)
                .put("jwks_uri", address + KEYS_PATH)
                .put("response_types_supported", Json.Arr.of(Json.of("id_token")))
                .put("subject_types_supported", Json.Arr.of(Json.of("public")))
                .put("id_token_signing_alg_values_supported", algorithms())
                .build();
    }

    private Json.Arr algorithms() {
        return new Json.Arr(keys.stream()
                .map(key -> key.algorithm().name())
                .distinct()
                .<Json>map(Json::of)
                .toList());
    }

    /// Served at [#KEYS_PATH].
    public Json.Obj keySet() {
        return Json.Obj.of(
                "keys", new Json.Arr(keys.stream().<Json>map(TokenKey::jwk).toList()));
    }
}

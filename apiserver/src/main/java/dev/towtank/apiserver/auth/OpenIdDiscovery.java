package dev.towtank.apiserver.auth;

import dev.towtank.model.Json;
import java.util.List;

/// The documents with which others verify our service account tokens without asking us each time.
public final class OpenIdDiscovery {

    public static final String CONFIGURATION_PATH = "/.well-known/openid-configuration";
    public static final String KEYS_PATH = "/openid/v1/jwks";

    private OpenIdDiscovery() {}

    /// Served as `application/json` at [#CONFIGURATION_PATH].
    public static Json.Obj configuration(String issuer, String keysUrl) {
        return Json.Obj.builder()
                .put("issuer", issuer)
                .put("jwks_uri", keysUrl)
                .put("response_types_supported", Json.Arr.of(Json.of("id_token")))
                .put("subject_types_supported", Json.Arr.of(Json.of("public")))
                .put("id_token_signing_alg_values_supported", Json.Arr.of(Json.of("ES256")))
                .build();
    }

    /// Served as `application/jwk-set+json` at [#KEYS_PATH].
    public static Json.Obj keys(List<TokenKey> keys) {
        return Json.Obj.of(
                "keys", new Json.Arr(keys.stream().<Json>map(TokenKey::jwk).toList()));
    }
}

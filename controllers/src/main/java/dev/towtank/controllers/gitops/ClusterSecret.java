package dev.towtank.controllers.gitops;

import dev.towtank.cluster.remote.RemoteAccess;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.Resource;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/// A Secret that says how to reach a cluster of another server, as Argo CD writes it.
record ClusterSecret(Optional<RemoteAccess> access, String problem) {

    private static final List<String> UNSERVED = List.of("awsAuthConfig", "execProviderConfig", "proxyUrl");

    private static ClusterSecret none(Resource secret, String why) {
        return new ClusterSecret(
                Optional.empty(), "the cluster Secret " + secret.namespace() + "/" + secret.name() + ": " + why);
    }

    static ClusterSecret read(Resource secret) {
        var server = Destinations.text(secret, "server");
        if (!server.startsWith("https://")) {
            return none(secret, "its server must begin with https://");
        }
        Json.Obj config;
        try {
            var text = Destinations.text(secret, "config");
            config = text.isEmpty() ? Json.Obj.EMPTY : JsonText.parseObject(text);
        } catch (JsonText.Malformed e) {
            return none(secret, "its config is no JSON: " + e.getMessage());
        }
        var unserved = UNSERVED.stream().filter(config::has).findFirst();
        if (unserved.isPresent()) {
            return none(
                    secret, "config." + unserved.get() + " is not served: give a bearerToken, or certData and keyData");
        }
        var tls = config.object("tlsClientConfig");
        if (tls.flag("insecure") || !tls.string("serverName").isEmpty()) {
            return none(
                    secret,
                    "config.tlsClientConfig." + (tls.flag("insecure") ? "insecure" : "serverName")
                            + " is not served: give caData, by which the server is known under its address");
        }
        try {
            return new ClusterSecret(
                    Optional.of(new RemoteAccess(
                            server,
                            decoded(tls, "caData"),
                            config.string("bearerToken"),
                            decoded(tls, "certData"),
                            decoded(tls, "keyData"),
                            config.string("username"),
                            config.string("password"))),
                    "");
        } catch (IllegalArgumentException e) {
            return none(secret, "caData, certData and keyData of config.tlsClientConfig must be in base64");
        }
    }

    private static String decoded(Json.Obj json, String field) {
        return new String(Base64.getDecoder().decode(json.string(field)), StandardCharsets.UTF_8);
    }
}

package dev.towtank.controllers.testclusters.api;

import dev.towtank.cluster.remote.RemoteAccess;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.YamlText;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/// The way into a cluster that somebody brings, as far as it can be used here: nothing in it may lead to a file or a
/// program of this machine.
///
/// @param access secret
/// @param problem why it cannot be used; empty where it can
public record GivenKubeconfig(Optional<RemoteAccess> access, String problem) {

    private static final int LONGEST = 256 << 10;
    private static final List<String> ELSEWHERE =
            List.of("exec", "auth-provider", "tokenFile", "client-certificate", "client-key");

    public static GivenKubeconfig read(String text) {
        if (text.length() > LONGEST) {
            return none("is longer than " + LONGEST + " characters");
        }
        try {
            return YamlText.parse(text.getBytes(StandardCharsets.UTF_8)) instanceof Json.Obj config
                    ? of(config)
                    : none("is no mapping");
        } catch (JsonText.Malformed e) {
            return none("cannot be read as YAML"); // what is wrong with it may be a part of a secret
        } catch (IllegalArgumentException e) {
            return none("has data that is not in base64");
        }
    }

    private static GivenKubeconfig none(String why) {
        return new GivenKubeconfig(Optional.empty(), why);
    }

    private static GivenKubeconfig of(Json.Obj config) {
        var context =
                named(config, "contexts", config.string("current-context")).object("context");
        var cluster = named(config, "clusters", context.string("cluster")).object("cluster");
        var user = named(config, "users", context.string("user")).object("user");
        if (!cluster.string("server").startsWith("https://")) {
            return none("has no cluster in its current context whose server begins with https://");
        }
        if (cluster.flag("insecure-skip-tls-verify")) {
            return none("says insecure-skip-tls-verify: give certificate-authority-data instead");
        }
        if (cluster.has("certificate-authority")) {
            return none("names the file certificate-authority: give certificate-authority-data instead");
        }
        var unserved = ELSEWHERE.stream().filter(user::has).findFirst();
        if (unserved.isPresent()) {
            return none("has " + unserved.get()
                    + ", which leads to this machine: give a token, or client-certificate-data and client-key-data");
        }
        return new GivenKubeconfig(
                Optional.of(new RemoteAccess(
                        cluster.string("server"),
                        decoded(cluster, "certificate-authority-data"),
                        user.string("token"),
                        decoded(user, "client-certificate-data"),
                        decoded(user, "client-key-data"),
                        user.string("username"),
                        user.string("password"))),
                "");
    }

    private static Json.Obj named(Json.Obj config, String list, String name) {
        return config.objects(list).stream()
                .filter(each -> each.string("name").equals(name))
                .findFirst()
                .orElse(Json.Obj.EMPTY);
    }

    private static String decoded(Json.Obj json, String field) {
        return new String(Base64.getDecoder().decode(json.string(field)), StandardCharsets.UTF_8);
    }

    /// As Argo CD keeps it in a cluster Secret.
    public static Json.Obj argo(RemoteAccess access) {
        var tls = Json.Obj.builder()
                .putNonEmpty("caData", encoded(access.authority()))
                .putNonEmpty("certData", encoded(access.certificate()))
                .putNonEmpty("keyData", encoded(access.key()))
                .build();
        return Json.Obj.builder()
                .putNonEmpty("bearerToken", access.token())
                .putNonEmpty("username", access.user())
                .putNonEmpty("password", access.password())
                .put("tlsClientConfig", tls)
                .build();
    }

    private static String encoded(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public String toString() {
        return "kubeconfig of " + access.map(RemoteAccess::server).orElse("nowhere");
    }
}

package dev.towtank.app.client;

import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.YamlText;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Optional;
import javax.net.ssl.SSLContext;

/// How to reach a server and who we are there, read from a kubeconfig.
///
/// @param server without a slash at its end; it may have a path, as the one of a logical cluster has
/// @param token secret
/// @param namespace where objects are looked for when nobody says
public record Connection(URI server, SSLContext tls, Optional<String> token, String namespace) {

    private static final long LARGEST = 1 << 20;
    private static final String ANOTHER =
            "Name another one with --kubeconfig FILE;" + " 'towtank kubeconfig' writes the one of a server of ours.";

    /// What the current context of a file says.
    public static Connection read(Path kubeconfig) {
        var config = parse(kubeconfig);
        var context = named(config, "contexts", config.string("current-context"))
                .orElseThrow(() -> unusable(kubeconfig, "it has no current-context", "Choose one of its contexts."))
                .object("context");
        var cluster = named(config, "clusters", context.string("cluster"))
                .orElseThrow(() -> unusable(kubeconfig, "its current context names no cluster of it", "Correct it."))
                .object("cluster");
        var user = named(config, "users", context.string("user"))
                .map(found -> found.object("user"))
                .orElse(Json.Obj.EMPTY);
        var folder = kubeconfig.toAbsolutePath().getParent();
        return new Source(kubeconfig, folder == null ? Path.of("/") : folder).connection(cluster, user, context);
    }

    /// For connections to a server whose certificate this authority has signed.
    public static SSLContext trusting(String authority) {
        return KubeconfigTls.context(Optional.of(authority), Optional.empty(), Optional.empty(), false);
    }

    private static Json.Obj parse(Path kubeconfig) {
        try {
            if (Files.size(kubeconfig) > LARGEST) {
                throw unusable(kubeconfig, "it is larger than 1 MiB", "Name another one.");
            }
            if (YamlText.parse(Files.readAllBytes(kubeconfig)) instanceof Json.Obj object
                    && (object.has("clusters") || object.has("contexts"))) {
                return object;
            }
            throw unusable(kubeconfig, "it is no kubeconfig: it has neither clusters nor contexts", ANOTHER);
        } catch (NoSuchFileException e) {
            throw new ClientProblem("There is no kubeconfig " + kubeconfig + ". Name one with --kubeconfig FILE.", e);
        } catch (IOException | JsonText.Malformed e) {
            throw new ClientProblem(
                    "Cannot read the kubeconfig " + kubeconfig + ": " + e.getMessage() + ". " + ANOTHER, e);
        }
    }

    private static Optional<Json.Obj> named(Json.Obj config, String list, String name) {
        return config.objects(list).stream()
                .filter(each -> !name.isEmpty() && each.string("name").equals(name))
                .findFirst();
    }

    private static ClientProblem unusable(Path kubeconfig, String why, String what) {
        return new ClientProblem("The kubeconfig " + kubeconfig + " cannot be used: " + why + ". " + what);
    }

    /// A kubeconfig, and the directory in which its relative paths begin.
    private record Source(Path kubeconfig, Path folder) {

        Connection connection(Json.Obj cluster, Json.Obj user, Json.Obj context) {
            if (user.has("exec") || user.has("auth-provider")) {
                throw unusable(
                        kubeconfig,
                        "its user gets a token from another program, which Towtank does not start",
                        "Use one with a token or a client certificate.");
            }
            var token = text(user, "tokenFile")
                    .or(() -> Optional.of(user.string("token")))
                    .map(String::strip)
                    .filter(value -> !value.isEmpty());
            var tls = KubeconfigTls.context(
                    content(cluster, "certificate-authority"),
                    content(user, "client-certificate"),
                    content(user, "client-key"),
                    cluster.flag("insecure-skip-tls-verify"));
            var namespace = context.string("namespace");
            return new Connection(
                    server(cluster.string("server")), tls, token, namespace.isEmpty() ? "default" : namespace);
        }

        private URI server(String address) {
            var text = address.endsWith("/") ? address.substring(0, address.length() - 1) : address;
            if (!text.matches("https?://[^\\s?#]+")) {
                throw unusable(kubeconfig, "\"" + address + "\" is no address of a server", "Correct it.");
            }
            return URI.create(text);
        }

        /// What a field holds in base64 as `<name>-data`, or the file that it names.
        private Optional<String> content(Json.Obj from, String name) {
            var data = from.string(name + "-data");
            if (data.isEmpty()) {
                return text(from, name);
            }
            try {
                return Optional.of(new String(Base64.getMimeDecoder().decode(data), StandardCharsets.ISO_8859_1));
            } catch (IllegalArgumentException e) {
                throw unusable(kubeconfig, name + "-data is not in base64", "Correct it.");
            }
        }

        private Optional<String> text(Json.Obj from, String name) {
            var file = from.string(name);
            if (file.isEmpty()) {
                return Optional.empty();
            }
            try {
                return Optional.of(Files.readString(folder.resolve(file), StandardCharsets.ISO_8859_1));
            } catch (IOException e) {
                throw unusable(kubeconfig, name + " names " + file + ", which cannot be read: " + e, "Correct it.");
            }
        }
    }

    /// Without the token.
    @Override
    public String toString() {
        return server.toString();
    }
}

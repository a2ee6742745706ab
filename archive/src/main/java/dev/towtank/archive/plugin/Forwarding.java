package dev.towtank.archive.plugin;

import dev.towtank.cluster.ObjectName;
import dev.towtank.cluster.web.PemTls;
import dev.towtank.cluster.web.WebRequest;
import dev.towtank.cluster.web.WebResponse;
import dev.towtank.model.Resource;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import javax.net.ssl.SSLContext;

/// Passes requests on to another server: as ourselves, in the name of who asks.
public final class Forwarding {

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    /// Of what a client says; who it is, we say.
    private static final List<String> PASSED = List.of("accept", "content-type", "fields");

    private final Function<ObjectName, Optional<Resource>> secrets;

    /// @param secrets by their names
    public Forwarding(Function<ObjectName, Optional<Resource>> secrets) {
        this.secrets = secrets;
    }

    /// @param member a ToolchainCluster: `spec.apiEndpoint`, and a Secret with `token` and perhaps `ca.crt`
    WebResponse forward(Resource member, String rest, WebRequest request, WebRequest.Caller caller)
            throws IOException, InterruptedException {
        var said = member.spec().string("apiEndpoint");
        var endpoint = said.isEmpty() ? member.status().string("apiEndpoint") : said;
        var token = secret(member, "token");
        if (!endpoint.matches("https?://[^/?#@]+/?") || token.isEmpty()) {
            return WebResponse.text(
                    500,
                    "unable to get target cluster: ToolchainCluster " + member.name()
                            + " needs spec.apiEndpoint and a Secret with a token\n");
        }
        var address = endpoint.replaceFirst("/$", "") + rest + (request.query().isEmpty() ? "" : "?" + request.query());
        var body = HttpRequest.BodyPublishers.ofByteArray(request.readBody());
        var passed = HttpRequest.newBuilder(URI.create(address))
                .timeout(PATIENCE)
                .method(request.method(), body)
                .header("Authorization", "Bearer " + token.get())
                .header("Impersonate-User", caller.name())
                .header("X-SSO-User", caller.name());
        caller.groups().forEach(group -> passed.header("Impersonate-Group", group));
        for (var name : PASSED) {
            if (!request.header(name).isEmpty()) {
                passed.header(name, request.header(name));
            }
        }
        // One for each request: they are few, and whom to trust may change.
        var client = HttpClient.newBuilder()
                .connectTimeout(PATIENCE)
                .followRedirects(HttpClient.Redirect.NEVER)
                .version(HttpClient.Version.HTTP_1_1)
                .sslContext(trust(member))
                .build();
        try {
            var answer = client.send(passed.build(), HttpResponse.BodyHandlers.ofInputStream());
            var type = answer.headers().firstValue("Content-Type").orElse("application/json");
            return WebResponse.stream(answer.statusCode(), type, out -> {
                try (client;
                        var content = answer.body()) {
                    content.transferTo(out);
                }
            });
        } catch (IOException e) {
            client.shutdownNow();
            return WebResponse.text(
                    502,
                    "the server of this workspace does not answer: "
                            + e.getClass().getSimpleName() + "\n");
        }
    }

    private SSLContext trust(Resource member) throws IOException {
        var authority = secret(member, "ca.crt");
        return authority.isPresent()
                ? PemTls.trusting(authority.get())
                : PemTls.context(Optional.empty(), Optional.empty(), Optional.empty());
    }

    private Optional<String> secret(Resource member, String key) {
        var name = member.spec().string("secretRef", "name");
        return name.isEmpty()
                ? Optional.empty()
                : secrets.apply(new ObjectName(member.cluster(), member.namespace(), name))
                        .map(found -> found.json().string("data", key))
                        .filter(text -> !text.isEmpty())
                        .map(text -> new String(Base64.getDecoder().decode(text), StandardCharsets.UTF_8).strip());
    }
}

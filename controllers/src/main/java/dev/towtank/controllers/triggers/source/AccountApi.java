package dev.towtank.controllers.triggers.source;

import dev.towtank.cluster.Cluster;
import dev.towtank.cluster.web.PemTls;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Resource;
import dev.towtank.model.StatusError;
import dev.towtank.model.kinds.core.ServiceAccounts;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Creates objects in the name of ServiceAccounts, with the rights of these and no others: it asks for a token of the
/// account and speaks to the API as everybody does.
final class AccountApi implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final long TOKEN_SECONDS = 600;

    private final Cluster cluster;
    private final Supplier<URI> server;
    private final String authority;
    private @Nullable HttpClient client;

    AccountApi(Cluster cluster, Supplier<URI> server, String authority) {
        this.cluster = cluster;
        this.server = server;
        this.authority = authority;
    }

    /// Who creates.
    ///
    /// @param actingFor another account that this one wants to be; empty for none
    record Account(LogicalCluster cluster, String namespace, String name, String actingFor) {}

    /// @throws StatusError as the API refuses
    Json.Obj create(Account account, Json.Obj object) throws IOException, InterruptedException {
        var token = token(account);
        var version = object.string("apiVersion");
        var group = version.contains("/") ? "/apis/" + version : "/api/" + version;
        var kind = kind(account, token, group, object);
        var metadata = object.object("metadata");
        var path = kind.flag("namespaced")
                ? group + "/namespaces/" + segment(metadata.string("namespace")) + "/" + kind.string("name")
                : group + "/" + kind.string("name");
        var body = kind.flag("namespaced") ? object : object.with("metadata", metadata.without("namespace"));
        return send(account, token, path + "?fieldManager=tekton-triggers", body);
    }

    private Json.Obj kind(Account account, String token, String group, Json.Obj object)
            throws IOException, InterruptedException {
        var words = "apiVersion " + object.string("apiVersion") + " and kind " + object.string("kind");
        if (!group.matches("/[a-z0-9./-]+") || group.contains("..")) {
            throw StatusError.badRequest("couldn't find API resource for json: there is no " + words);
        }
        try {
            return send(account, token, group, null).objects("resources").stream()
                    .filter(each -> each.string("kind").equals(object.string("kind"))
                            && !each.string("name").contains("/"))
                    .findFirst()
                    .orElseThrow(() -> StatusError.badRequest(
                            "couldn't find API resource for json: error could not" + " find resource with " + words));
        } catch (StatusError e) {
            if (e.is(StatusError.Reason.NOT_FOUND)) {
                throw StatusError.badRequest("couldn't find API resource for json: the server has no " + words);
            }
            throw e;
        }
    }

    private String token(Account account) {
        var request = Json.Obj.builder()
                .put("apiVersion", "authentication.k8s.io/v1")
                .put("kind", "TokenRequest")
                .put("metadata", Json.Obj.of("name", Json.of(account.name), "namespace", Json.of(account.namespace)))
                .put("spec", Json.Obj.of("expirationSeconds", Json.of(TOKEN_SECONDS)))
                .build();
        return cluster.create(
                        ServiceAccounts.KIND,
                        new Resource(account.cluster, request),
                        Cluster.WriteOptions.DEFAULT.on("token"))
                .status()
                .string("token");
    }

    private Json.Obj send(Account account, String token, String path, Json.@Nullable Obj body)
            throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(address(account.cluster, path))
                .timeout(PATIENCE)
                .header("Authorization", "Bearer " + token)
                .header("Accept", "application/json")
                .header("User-Agent", "towtank-triggers");
        if (body != null) {
            if (!account.actingFor.isEmpty()) {
                request.header("Impersonate-User", account.actingFor);
            }
            request.header("Content-Type", "application/json")
                    .POST(HttpRequest.BodyPublishers.ofByteArray(JsonText.bytes(body)));
        }
        var response = client().send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
        Json.Obj answer;
        try {
            answer = JsonText.parseObject(response.body());
        } catch (JsonText.Malformed e) {
            throw new IOException("the API server answered " + response.statusCode() + " without JSON", e);
        }
        if (response.statusCode() / 100 != 2) {
            throw StatusError.relayed(
                    response.statusCode(), answer.string("reason"), answer.string("message"), answer.object("details"));
        }
        return answer;
    }

    private URI address(LogicalCluster logical, String path) {
        var prefix = logical.equals(LogicalCluster.DEFAULT) ? "" : "/clusters/" + logical.id();
        return server.get().resolve(prefix + path);
    }

    // It becomes a part of a path.
    private static String segment(String namespace) {
        if (!LogicalCluster.isValid(namespace)) {
            throw StatusError.badRequest("\"" + namespace + "\" is no name of a namespace");
        }
        return namespace;
    }

    // Made when the first event comes.
    private synchronized HttpClient client() throws IOException {
        var present = client;
        if (present == null) {
            present = HttpClient.newBuilder()
                    .connectTimeout(PATIENCE)
                    .sslContext(PemTls.trusting(authority))
                    .build();
            client = present;
        }
        return present;
    }

    @Override
    public synchronized void close() {
        if (client != null) {
            client.shutdownNow();
        }
    }
}

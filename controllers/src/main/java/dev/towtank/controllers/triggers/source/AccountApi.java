package dev.towtank.controllers.triggers.source;

import dev.towtank.cluster.Cluster;
import dev.towtank.cluster.Timers;
import dev.towtank.cluster.web.HttpCalls;
import dev.towtank.cluster.web.PemTls;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Resource;
import dev.towtank.model.StatusError;
import dev.towtank.model.kinds.core.ServiceAccounts;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Creates objects in the name of ServiceAccounts, with the rights of these and no others: it asks for a token of the
/// account and speaks to the API as everybody does.
final class AccountApi implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final long TOKEN_SECONDS = 600;
    private static final int AT_ONCE = 32;
    private static final int USUAL_PORT = 443;
    private static final int ATTEMPTS = 6;
    private static final Duration PAUSE = Duration.ofMillis(50);
    private static final Duration TOKEN_USED = Duration.ofMinutes(5);
    private static final Duration KIND_KNOWN = Duration.ofSeconds(10);

    private final Cluster cluster;
    private final Supplier<URI> server;
    private final String authority;
    private final Timers timers;

    // Events wait here for each other rather than be refused by a server that has too much to do.
    private final Semaphore places = new Semaphore(AT_ONCE);
    private final Remembered<Account, String> tokens;
    private final Remembered<Type, Json.Obj> kinds;
    private @Nullable HttpCalls calls;

    /// @param path of its group
    private record Type(LogicalCluster cluster, String path, String kind) {}

    AccountApi(Cluster cluster, Supplier<URI> server, String authority, Timers timers) {
        this.timers = timers;
        this.tokens = new Remembered<>(TOKEN_USED, timers);
        this.kinds = new Remembered<>(KIND_KNOWN, timers);
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
        places.acquire();
        try {
            for (int attempt = 0; ; attempt++) {
                try {
                    return create(account, tokens.of(account, () -> token(account)), object);
                } catch (StatusError e) {
                    boolean isBusy = e.is(StatusError.Reason.TOO_MANY_REQUESTS);
                    if (attempt == ATTEMPTS || !(isBusy || e.is(StatusError.Reason.UNAUTHORIZED))) {
                        throw e;
                    }
                    if (isBusy) {
                        timers.pause(PAUSE.multipliedBy(1L << attempt));
                    } else {
                        // The account was made anew meanwhile, and its old tokens count for nothing.
                        tokens.forget(account);
                    }
                }
            }
        } finally {
            places.release();
        }
    }

    private Json.Obj create(Account account, String token, Json.Obj object) throws IOException {
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

    private Json.Obj kind(Account account, String token, String group, Json.Obj object) throws IOException {
        var words = "apiVersion " + object.string("apiVersion") + " and kind " + object.string("kind");
        if (!group.matches("/[a-z0-9./-]+") || group.contains("..")) {
            throw StatusError.badRequest("couldn't find API resource for json: there is no " + words);
        }
        try {
            var type = new Type(account.cluster, group, object.string("kind"));
            var known = kinds.known(type);
            if (known.isPresent()) {
                return known.get();
            }
            var found = send(account, token, group, null).objects("resources").stream()
                    .filter(each -> each.string("kind").equals(object.string("kind"))
                            && !each.string("name").contains("/"))
                    .findFirst()
                    .orElseThrow(() -> StatusError.badRequest(
                            "couldn't find API resource for json: error could not find resource with " + words));
            kinds.keep(type, found);
            return found;
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

    private Json.Obj send(Account account, String token, String path, Json.@Nullable Obj body) throws IOException {
        var message = message(account, path, body == null ? "GET" : "POST")
                .header("Authorization", "Bearer " + token)
                .header("Accept", "application/json")
                .header("User-Agent", "towtank-triggers");
        if (body != null) {
            actFor(account, message);
            message.header("Content-Type", "application/json").body(JsonText.bytes(body));
        }
        var response = calls().send(message, PATIENCE);
        var text = new ByteArrayOutputStream();
        response.body().writeTo(text);
        Json.Obj answer;
        try {
            answer = JsonText.parseObject(text.toByteArray());
        } catch (JsonText.Malformed e) {
            throw new IOException("the API server answered " + response.status() + " without JSON", e);
        }
        if (response.status() / 100 != 2) {
            throw StatusError.relayed(
                    response.status(), answer.string("reason"), answer.string("message"), answer.object("details"));
        }
        return answer;
    }

    private static void actFor(Account account, HttpCalls.Message message) {
        try {
            if (!account.actingFor.isEmpty()) {
                message.header("Impersonate-User", account.actingFor);
            }
        } catch (IllegalArgumentException e) {
            throw StatusError.badRequest(Json.of(account.actingFor) + " is no name of an account");
        }
    }

    private HttpCalls.Message message(Account account, String path, String method) {
        var address = server.get();
        var prefix = account.cluster.equals(LogicalCluster.DEFAULT) ? "" : "/clusters/" + account.cluster.id();
        int port = address.getPort() < 0 ? USUAL_PORT : address.getPort();
        return new HttpCalls.Message(address.getHost() + ":" + port, method, address.getPath() + prefix + path);
    }

    // It becomes a part of a path.
    private static String segment(String namespace) {
        if (!LogicalCluster.isValid(namespace)) {
            throw StatusError.badRequest("\"" + namespace + "\" is no name of a namespace");
        }
        return namespace;
    }

    // Made when the first event comes.
    private synchronized HttpCalls calls() throws IOException {
        var present = calls;
        if (present == null) {
            present = HttpCalls.over(PemTls.context(
                    Optional.of(authority).filter(each -> !each.isEmpty()), Optional.empty(), Optional.empty()));
            calls = present;
        }
        return present;
    }

    @Override
    public synchronized void close() {
        if (calls != null) {
            calls.close();
        }
    }
}

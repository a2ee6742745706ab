package dev.towtank.controllers.secrets.source;

import dev.towtank.cluster.Cluster;
import dev.towtank.cluster.Timers;
import dev.towtank.cluster.web.PemTls;
import dev.towtank.controllers.git.source.NetworkWords;
import dev.towtank.controllers.secrets.reading.WebAnswer;
import dev.towtank.controllers.secrets.reading.WebCall;
import dev.towtank.model.Json;
import dev.towtank.model.Resource;
import dev.towtank.model.StatusError;
import dev.towtank.model.kinds.core.ServiceAccounts;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import javax.net.ssl.SSLContext;

/// Sends requests to web servers: bounded in time and size, and never on to where an answer points.
public final class Web implements AutoCloseable {

    private static final int LARGEST_ANSWER = 4 << 20;
    private static final long TOKEN_SECONDS = 600;
    private static final int MOST_CLIENTS = 16;

    /// What belongs to the connection, which nobody else may set.
    private static final Set<String> OF_CONNECTIONS =
            Set.of("connection", "content-length", "expect", "host", "upgrade", "transfer-encoding");

    private final Cluster cluster;
    private final Timers timers;
    private final Map<WebCall.Tls, HttpClient> clients = new HashMap<>();

    /// @param cluster gives tokens of accounts
    public Web(Cluster cluster, Timers timers) {
        this.cluster = cluster;
        this.timers = timers;
    }

    /// @throws IOException nobody answers, however often it was asked
    public WebAnswer send(WebCall call) throws IOException, InterruptedException {
        var token = token(call);
        for (int attempt = 0; ; attempt++) {
            try {
                var answer = attempt(call, token);
                if (answer.status() / 100 != 5 || attempt >= call.retries().most()) {
                    return answer;
                }
            } catch (IOException e) {
                if (attempt >= call.retries().most()) {
                    throw new IOException(NetworkWords.words(e, call.host()), e);
                }
            }
            timers.pause(call.retries().pause());
        }
    }

    private WebAnswer attempt(WebCall call, Optional<String> token) throws IOException, InterruptedException {
        var address = address(call);
        if (call.method().equals(WebCall.REACH)) {
            return reached(call, address);
        }
        var client = client(call.tls());
        try {
            var answer = client.send(
                    request(call, address, token),
                    HttpResponse.BodyHandlers.limiting(HttpResponse.BodyHandlers.ofByteArray(), LARGEST_ANSWER));
            return WebAnswer.of(answer.statusCode(), answer.body());
        } catch (IllegalArgumentException e) {
            // What is wrong with a header is not told, since it may be the secret in it.
            throw new IOException("the request cannot be sent: its method or a header is not allowed");
        } finally {
            if (!isKept(call.tls())) {
                client.shutdownNow();
            }
        }
    }

    private static URI address(WebCall call) throws IOException {
        try {
            var address = URI.create(call.url());
            var scheme = String.valueOf(address.getScheme()).toLowerCase(Locale.ROOT);
            if (address.getHost() != null && Set.of("http", "https").contains(scheme)) {
                return address;
            }
        } catch (IllegalArgumentException e) {
            // the address may have a secret in it
        }
        throw new IOException("the address is none of a web server");
    }

    private static WebAnswer reached(WebCall call, URI address) throws IOException {
        int usual = address.getScheme().equalsIgnoreCase("https") ? 443 : 80;
        try (var socket = new Socket()) {
            int port = address.getPort() < 0 ? usual : address.getPort();
            socket.connect(new InetSocketAddress(address.getHost(), port), (int)
                    call.timeout().toMillis());
        }
        return new WebAnswer(200, "");
    }

    private static HttpRequest request(WebCall call, URI address, Optional<String> token) {
        var request = HttpRequest.newBuilder(address).timeout(call.timeout()).header("User-Agent", "towtank-secrets");
        request.method(
                call.method(),
                call.body().isEmpty()
                        ? HttpRequest.BodyPublishers.noBody()
                        : HttpRequest.BodyPublishers.ofString(call.body()));
        call.headers().forEach((name, value) -> {
            if (!OF_CONNECTIONS.contains(name.toLowerCase(Locale.ROOT))) {
                request.setHeader(name, value);
            }
        });
        token.ifPresent(text -> request.setHeader("Authorization", "Bearer " + text));
        return request.build();
    }

    private Optional<String> token(WebCall call) throws IOException {
        try {
            return call.account().map(this::token);
        } catch (StatusError e) {
            throw new IOException("cannot create service account token: " + e.text(), e);
        }
    }

    private String token(WebCall.Account account) {
        var spec = Json.Obj.builder().put("expirationSeconds", TOKEN_SECONDS);
        spec.putNonEmpty("audiences", Json.Arr.ofStrings(account.audiences()));
        var request = Json.Obj.builder()
                .put("apiVersion", "authentication.k8s.io/v1")
                .put("kind", "TokenRequest")
                .put(
                        "metadata",
                        Json.Obj.of("name", Json.of(account.name()), "namespace", Json.of(account.namespace())))
                .put("spec", spec.build())
                .build();
        return cluster.create(
                        ServiceAccounts.KIND,
                        new Resource(account.cluster(), request),
                        Cluster.WriteOptions.DEFAULT.on("token"))
                .status()
                .string("token");
    }

    /// Whether others may use the same connections: not where a certificate says who we are.
    private static boolean isKept(WebCall.Tls tls) {
        return tls.certificate().isEmpty();
    }

    private HttpClient client(WebCall.Tls tls) throws IOException {
        return isKept(tls) ? kept(tls) : made(tls);
    }

    private static HttpClient made(WebCall.Tls tls) throws IOException {
        return client(PemTls.context(present(tls.authority()), present(tls.certificate()), present(tls.key())));
    }

    // Made when they are first needed: most servers ask nobody.
    private synchronized HttpClient kept(WebCall.Tls tls) throws IOException {
        var known = clients.get(tls);
        if (known != null) {
            return known;
        }
        if (clients.size() >= MOST_CLIENTS) {
            clients.clear(); // which ends them once nobody uses them any more
        }
        var made = made(tls);
        clients.put(tls, made);
        return made;
    }

    private static Optional<String> present(String text) {
        return text.isEmpty() ? Optional.empty() : Optional.of(text);
    }

    private static HttpClient client(SSLContext tls) {
        return HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                .connectTimeout(WebCall.LONGEST_CONNECT)
                .sslContext(tls)
                .build();
    }

    @Override
    public synchronized void close() {
        clients.values().forEach(HttpClient::shutdownNow);
        clients.clear();
    }
}

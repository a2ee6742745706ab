package dev.towtank.apiserver.server;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.towtank.apiserver.pki.Pki;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.function.UnaryOperator;

/// A conversion webhook on loopback: `v1` has `spec.address` of the form `host:port`, `v2` has both apart.
final class ConversionServer implements AutoCloseable {

    /// The objects of each request, as it came.
    final List<Json.Obj> requests = Collections.synchronizedList(new ArrayList<>());

    /// What becomes of a right answer before it is sent.
    volatile UnaryOperator<Json.Obj> spoil = UnaryOperator.identity();

    volatile int code = 200;
    private final HttpsServer server;
    private final Pki pki;

    ConversionServer(Path directory) throws IOException {
        pki = Pki.open(directory, InstantSource.system(), List.of("converter.default.svc", "localhost"));
        server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(pki.serverTls()));
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/convert", this::handle);
        server.start();
    }

    int port() {
        return server.getAddress().getPort();
    }

    String caBundle() {
        return Base64.getEncoder().encodeToString(pki.authorityPem().getBytes(StandardCharsets.UTF_8));
    }

    /// The `conversion` of a definition that asks this server.
    String strategy() {
        return strategy("url: 'https://localhost:" + port() + "/convert'");
    }

    /// @param target how it is to be found: `url` or `service`
    String strategy(String target) {
        return "{strategy: Webhook, webhook: {conversionReviewVersions: [v3, v1, v1beta1], clientConfig: {caBundle: "
                + caBundle() + ", " + target + "}}}";
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            var review = JsonText.parseObject(exchange.getRequestBody().readAllBytes());
            requests.add(review.object("request"));
            var body = JsonText.bytes(spoil.apply(answer(review)));
            exchange.sendResponseHeaders(code, body.length);
            exchange.getResponseBody().write(body);
        }
    }

    private static Json.Obj answer(Json.Obj review) {
        var wanted = review.string("request", "desiredAPIVersion");
        var converted = review.objects("request", "objects").stream()
                .<Json>map(object -> convert(object, wanted))
                .toList();
        return review.without("request")
                .with(
                        "response",
                        Json.Obj.of(
                                "uid",
                                Json.of(review.string("request", "uid")),
                                "convertedObjects",
                                new Json.Arr(converted),
                                "result",
                                Json.Obj.of("status", Json.of("Success"))));
    }

    private static Json.Obj convert(Json.Obj object, String wanted) {
        var spec = object.object("spec");
        return object.with("apiVersion", Json.of(wanted))
                .with("spec", wanted.endsWith("/v2") ? apart(spec) : joined(spec));
    }

    private static Json.Obj apart(Json.Obj spec) {
        if (!spec.has("address")) {
            return spec;
        }
        var parts = spec.string("address").split(":", -1);
        return spec.without("address").with("host", Json.of(parts[0])).with("port", Json.of(Long.parseLong(parts[1])));
    }

    private static Json.Obj joined(Json.Obj spec) {
        return spec.has("host")
                ? spec.without("host")
                        .without("port")
                        .with("address", Json.of(spec.string("host") + ":" + spec.integer("port")))
                : spec;
    }

    @Override
    public void close() {
        server.stop(0);
    }
}

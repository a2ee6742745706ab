package dev.towtank.controllers.buckets.source;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.towtank.cluster.web.WebHandler;
import dev.towtank.cluster.web.WebRequest;
import dev.towtank.controllers.buckets.s3.OutsidePlace;
import dev.towtank.controllers.buckets.s3.S3Keys;
import dev.towtank.model.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/// An object store that listens on this machine.
public final class S3Site implements AutoCloseable {

    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    public S3Site(WebHandler handler) throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> serve(exchange, handler));
        server.setExecutor(threads);
        server.start();
    }

    /// One of ours, in a directory.
    public static S3Site of(BucketStore store, InstantSource clock) throws IOException {
        return new S3Site(new S3Server(store, new Gateway(new OutsideStores(clock), _ -> Optional.empty()), clock));
    }

    private static void serve(HttpExchange exchange, WebHandler handler) throws IOException {
        var headers = new HashMap<String, List<String>>();
        exchange.getRequestHeaders().forEach((name, values) -> headers.put(name.toLowerCase(Locale.ROOT), values));
        var address = exchange.getRequestURI();
        var query = Optional.ofNullable(address.getRawQuery()).orElse("");
        try (exchange) {
            var answer = handler.handle(new WebRequest(
                    exchange.getRequestMethod(),
                    address.getRawPath(),
                    query,
                    headers,
                    exchange.getRequestBody(),
                    Optional.empty(),
                    false));
            answer.headers().forEach(header -> exchange.getResponseHeaders().add(header.name(), header.value()));
            boolean isHead = exchange.getRequestMethod().equals("HEAD");
            if (isHead) {
                exchange.getResponseHeaders().set("Content-Length", Long.toString(answer.length()));
            }
            exchange.sendResponseHeaders(
                    answer.status(), isHead || answer.length() == 0 ? -1 : Math.max(0, answer.length()));
            if (!isHead) {
                answer.body().writeTo(exchange.getResponseBody());
            }
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    public int port() {
        return server.getAddress().getPort();
    }

    /// With the keys of a claim.
    OutsidePlace place(Json.Obj keys) {
        return new OutsidePlace(
                "http://127.0.0.1:" + port(),
                new S3Keys(keys.string("accessKey"), keys.string("secretKey"), S3Keys.USUAL_REGION),
                "");
    }

    @Override
    public void close() {
        server.stop(0);
        threads.close();
    }
}

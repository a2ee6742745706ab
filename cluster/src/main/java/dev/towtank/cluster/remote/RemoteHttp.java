package dev.towtank.cluster.remote;

import dev.towtank.cluster.Watch;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.Resource;
import dev.towtank.model.StatusError;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientFactory;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Requests to one server. Failures of the network are thrown as [UncheckedIOException]; nothing is tried again here,
/// because every caller has its own idea of when.
final class RemoteHttp implements AutoCloseable {

    private static final String JSON = "application/json";

    private final String base;
    private final HttpClient client;
    private final String authority;

    RemoteHttp(Config config) {
        config.setRequestRetryBackoffLimit(0);
        config.setUserAgent("towtank");
        var address = config.getMasterUrl();
        this.base = address.endsWith("/") ? address : address + "/";
        this.client = new JdkHttpClientFactory().newBuilder(config).build();
        this.authority = ClientKeys.authority(config);
    }

    /// Paths begin with a slash, so it ends without one.
    URI address() {
        return URI.create(base.substring(0, base.length() - 1));
    }

    /// In PEM; empty where the machine's own list is used.
    String authority() {
        return authority;
    }

    Json.Obj send(String method, RemotePath path) {
        return send(path, request(path).method(method, JSON, (String) null));
    }

    Json.Obj send(String method, RemotePath path, Json body) {
        return send(method, path, JSON, body);
    }

    Json.Obj send(String method, RemotePath path, String mediaType, Json body) {
        return send(path, request(path).method(method, mediaType, JsonText.write(body)));
    }

    private HttpRequest.Builder request(RemotePath path) {
        return client.newHttpRequestBuilder().uri(path.url(base)).setHeader("Accept", JSON);
    }

    private Json.Obj send(RemotePath path, HttpRequest.Builder request) {
        var response = await(path, client.sendAsync(request.build(), byte[].class));
        if (!response.isSuccessful()) {
            throw RemoteErrors.of(response.code(), bodyOf(response), header(response, "Retry-After"));
        }
        try {
            return JsonText.parseObject(bodyOf(response));
        } catch (JsonText.Malformed e) {
            throw StatusError.internal(
                    "the answer of the server to " + path.path() + " is not JSON: " + e.getMessage());
        }
    }

    Watch watch(RemotePath path, Function<Json.Obj, Resource> reader) {
        var watch = new RemoteWatch(reader);
        var request = request(path).forStreaming().build();
        var response = await(path, client.consumeBytes(request, watch));
        watch.opened(response.code(), response.body());
        return watch;
    }

    private static byte[] bodyOf(HttpResponse<byte[]> response) {
        byte @Nullable [] body = response.body();
        return body == null ? new byte[0] : body;
    }

    private static String header(HttpResponse<?> response, String name) {
        @Nullable String value = response.header(name);
        return value == null ? "" : value;
    }

    private static <T> T await(RemotePath path, CompletableFuture<T> answer) {
        try {
            return answer.get();
        } catch (InterruptedException e) {
            answer.cancel(true);
            Thread.currentThread().interrupt();
            throw new UncheckedIOException(new InterruptedIOException("interrupted while waiting for " + path.path()));
        } catch (ExecutionException e) {
            var cause = e.getCause();
            var problem = cause instanceof IOException network ? network : new IOException(cause);
            throw new UncheckedIOException("no answer to " + path.path() + ": " + problem.getMessage(), problem);
        }
    }

    @Override
    public void close() {
        client.close();
    }
}

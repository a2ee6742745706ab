package dev.towtank.apiserver.http;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Arrays;

/// A started server with its fake backend, and clients that trust it.
final class TestServer implements AutoCloseable {

    static final TestCertificates CERTIFICATES = new TestCertificates();

    final FakeBackend fake;
    final FakeClock clock = new FakeClock();
    final HttpServer server;
    private final HttpClient http1;
    private final HttpClient http2;

    TestServer() throws Exception {
        this(options(), new FakeBackend());
    }

    TestServer(Options options, FakeBackend fake) throws Exception {
        this.fake = fake;
        server = new HttpServer(options, CERTIFICATES::tls, fake.backend(), clock, clock);
        server.start();
        http1 = client(HttpClient.Version.HTTP_1_1, false);
        http2 = client(HttpClient.Version.HTTP_2, false);
    }

    static Options options() {
        return Options.on("127.0.0.1", 0).withTick(Duration.ofMillis(10));
    }

    static HttpClient client(HttpClient.Version version, boolean withCertificate) throws Exception {
        return HttpClient.newBuilder()
                .version(version)
                .sslContext(CERTIFICATES.clientContext(withCertificate))
                .build();
    }

    HttpClient client(HttpClient.Version version) {
        return version == HttpClient.Version.HTTP_2 ? http2 : http1;
    }

    HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("https://localhost:" + server.port() + path))
                .header("Authorization", "Bearer admin");
    }

    HttpResponse<String> get(String path, String... headers) throws IOException, InterruptedException {
        var request = request(path);
        return send(headers.length == 0 ? request : request.headers(headers));
    }

    HttpResponse<String> send(String method, String path, String mediaType, String body)
            throws IOException, InterruptedException {
        return send(request(path).header("Content-Type", mediaType).method(method, BodyPublishers.ofString(body)));
    }

    HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        return http2.send(request.build(), BodyHandlers.ofString());
    }

    /// Once they have all these texts: what is counted at the end of an answer is there a moment after the client has
    /// it.
    String metrics(String... texts) throws IOException, InterruptedException {
        long end = System.nanoTime() + Duration.ofMinutes(2).toNanos();
        var told = get("/metrics").body();
        while (!Arrays.stream(texts).allMatch(told::contains) && System.nanoTime() < end) {
            told = get("/metrics").body();
        }
        return told;
    }

    @Override
    public void close() {
        http1.shutdownNow();
        http2.shutdownNow();
        server.close();
    }
}

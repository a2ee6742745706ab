package dev.towtank.controllers.buckets.source.tool;

import dev.towtank.controllers.buckets.s3.S3Keys;
import dev.towtank.controllers.buckets.s3.S3Refusal;
import dev.towtank.controllers.buckets.s3.Signing;
import dev.towtank.controllers.buckets.s3.UriText;
import dev.towtank.controllers.buckets.source.XmlReading;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;

/// Sends signed requests to the object store that options and environment name.
final class S3Session {

    private static final int CONNECT_SECONDS = 60;
    private static final int READ_SECONDS = 60;
    private static final int THOUSAND = 1000;

    /// The bytes of a request.
    record Body(InputStream bytes, long length) {}

    private final AwsWords words;
    private final S3Keys keys;
    private final URI endpoint;
    private final InstantSource clock;

    S3Session(AwsWords words, Map<String, String> environment, InstantSource clock) throws AwsProblem {
        this.words = words;
        this.clock = clock;
        var access = environment.getOrDefault("AWS_ACCESS_KEY_ID", "");
        var hidden = environment.getOrDefault("AWS_SECRET_ACCESS_KEY", "");
        if (access.isEmpty() || hidden.isEmpty()) {
            throw new AwsProblem(
                    AwsProblem.OF_KEYS,
                    "Unable to locate credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.");
        }
        var region = words.option("--region")
                .orElse(environment.getOrDefault(
                        "AWS_REGION", environment.getOrDefault("AWS_DEFAULT_REGION", S3Keys.USUAL_REGION)));
        keys = new S3Keys(access, hidden, region);
        var address = words.option("--endpoint-url")
                .orElse(environment.getOrDefault(
                        "AWS_ENDPOINT_URL_S3", environment.getOrDefault("AWS_ENDPOINT_URL", "")));
        if (address.isEmpty()) {
            throw AwsProblem.words("--endpoint-url is needed: where the object store is");
        }
        try {
            endpoint = URI.create(address);
            if (endpoint.getHost() == null || !List.of("http", "https").contains(endpoint.getScheme())) {
                throw new IllegalArgumentException();
            }
        } catch (IllegalArgumentException e) {
            throw new AwsProblem(AwsProblem.OF_EVERYTHING_ELSE, "Invalid endpoint: " + address);
        }
    }

    /// A request that was answered with success.
    ///
    /// @param operation what Amazon calls it
    HttpURLConnection send(
            String operation,
            String method,
            String path,
            List<UriText.Parameter> query,
            Map<String, String> headers,
            Body body)
            throws AwsProblem {
        try {
            var connection = connect(method, path, query, headers, body);
            int status = connection.getResponseCode();
            if (status / 100 == 2) {
                return connection;
            }
            throw refused(operation, status, connection);
        } catch (IOException e) {
            throw new AwsProblem(
                    AwsProblem.OF_EVERYTHING_ELSE,
                    "Could not connect to the endpoint URL: \"" + endpoint + path + "\": " + e);
        }
    }

    private HttpURLConnection connect(
            String method, String path, List<UriText.Parameter> query, Map<String, String> headers, Body body)
            throws IOException, AwsProblem {
        int port = endpoint.getPort();
        boolean isUsual = port < 0 || port == (endpoint.getScheme().equals("https") ? 443 : 80);
        var hash = body.length() == 0 ? Signing.NOTHING : S3Keys.UNSIGNED;
        var call =
                new S3Keys.Call(method, endpoint.getHost() + (isUsual ? "" : ":" + port), path, query, headers, hash);
        var text = call.queryText();
        var address = endpoint.getScheme() + "://" + call.host() + path + (text.isEmpty() ? "" : "?" + text);
        var connection = (HttpURLConnection) URI.create(address).toURL().openConnection();
        connection.setInstanceFollowRedirects(false);
        connection.setConnectTimeout(words.number("--cli-connect-timeout", CONNECT_SECONDS) * THOUSAND);
        connection.setReadTimeout(words.number("--cli-read-timeout", READ_SECONDS) * THOUSAND);
        connection.setRequestMethod(method);
        if (connection instanceof HttpsURLConnection secure) {
            trust(secure);
        }
        keys.signed(call, clock.instant()).forEach(connection::setRequestProperty);
        if (body.length() > 0) {
            connection.setDoOutput(true);
            connection.setFixedLengthStreamingMode(body.length());
            try (var out = connection.getOutputStream()) {
                body.bytes().transferTo(out);
            }
        }
        return connection;
    }

    private void trust(HttpsURLConnection connection) throws IOException {
        try {
            var tls = SSLContext.getInstance("TLS");
            if (words.has("--no-verify-ssl")) {
                tls.init(null, new TrustManager[] {new Everybody()}, null);
                connection.setHostnameVerifier((_, _) -> true);
            } else if (words.option("--ca-bundle").isPresent()) {
                tls.init(null, authorities(Path.of(words.option("--ca-bundle").get())), null);
            } else {
                return;
            }
            connection.setSSLSocketFactory(tls.getSocketFactory());
        } catch (GeneralSecurityException e) {
            throw new IOException("the certificates cannot be used: " + e.getMessage(), e);
        }
    }

    private static TrustManager[] authorities(Path file) throws IOException, GeneralSecurityException {
        var store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        try (var in = Files.newInputStream(file)) {
            int number = 0;
            for (var each : CertificateFactory.getInstance("X.509").generateCertificates(in)) {
                store.setCertificateEntry("authority-" + number++, each);
            }
        }
        var factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(store);
        return factory.getTrustManagers();
    }

    /// What `--no-verify-ssl` asks for.
    private static final class Everybody implements X509TrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }

    private static AwsProblem refused(String operation, int status, HttpURLConnection connection) throws IOException {
        var code = Integer.toString(status);
        var message = switch (status) {
            case 403 -> "Forbidden";
            case 404 -> "Not Found";
            default -> String.valueOf(connection.getResponseMessage());
        };
        var stream = connection.getErrorStream();
        var bytes = stream == null ? new byte[0] : stream.readNBytes(64 << 10);
        if (bytes.length > 0) {
            try {
                var texts = XmlReading.read(new ByteArrayInputStream(bytes), "Error", "", 1)
                        .texts();
                code = texts.getOrDefault("Code", code);
                message = texts.getOrDefault("Message", message);
            } catch (S3Refusal e) {
                message = "the answer is no document of S3";
            }
        }
        return new AwsProblem(
                AwsProblem.OF_SERVICE,
                "An error occurred (" + code + ") when calling the " + operation + " operation: " + message);
    }
}

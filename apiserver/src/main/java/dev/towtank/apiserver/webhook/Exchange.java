package dev.towtank.apiserver.webhook;

import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.Proxy;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateException;
import java.time.Duration;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/// One request to a webhook and its answer.
final class Exchange {

    private static final int MAX_ANSWER = 32 * 1024 * 1024;
    private static final int SHOWN = 1024;

    private final Endpoint endpoint;
    private final NamedSockets sockets;
    private final byte[] body;
    private final Duration timeout;
    private volatile @Nullable HttpsURLConnection connection;

    Exchange(Endpoint endpoint, NamedSockets sockets, byte[] body, Duration timeout) {
        this.endpoint = endpoint;
        this.sockets = sockets;
        this.body = body;
        this.timeout = timeout;
    }

    Json.Obj run() throws WebhookClient.Failed {
        try {
            var opened = open();
            connection = opened;
            try (var out = opened.getOutputStream()) {
                out.write(body);
            }
            return read(opened);
        } catch (SocketTimeoutException e) {
            throw failed("context deadline exceeded");
        } catch (UnknownHostException e) {
            throw failed("dial tcp: lookup " + endpoint.host() + ": no such host");
        } catch (ConnectException e) {
            throw failed("dial tcp " + endpoint.host() + ":" + endpoint.port() + ": connect: connection refused");
        } catch (SSLException e) {
            throw failed("tls: " + reason(e));
        } catch (IOException e) {
            throw failed(String.valueOf(e.getMessage()));
        }
    }

    private HttpsURLConnection open() throws IOException {
        var url = address().toURL();
        var opened =
                (HttpsURLConnection) (endpoint.isService() ? url.openConnection(Proxy.NO_PROXY) : url.openConnection());
        opened.setSSLSocketFactory(sockets);
        // The sockets have compared the certificate with the name already.
        opened.setHostnameVerifier((_, _) -> true);
        opened.setConnectTimeout((int) timeout.toMillis());
        opened.setReadTimeout((int) timeout.toMillis());
        opened.setInstanceFollowRedirects(false);
        opened.setUseCaches(false);
        opened.setDoOutput(true);
        opened.setRequestMethod("POST");
        opened.setRequestProperty("Content-Type", "application/json");
        opened.setRequestProperty("Accept", "application/json, */*");
        opened.setRequestProperty("User-Agent", "towtank");
        return opened;
    }

    private URI address() throws IOException {
        var uri = endpoint.uri();
        try {
            return new URI("https", null, endpoint.host(), endpoint.port(), uri.getPath(), uri.getQuery(), null);
        } catch (URISyntaxException e) {
            throw new IOException("parse \"" + uri + "\": " + e.getReason(), e);
        }
    }

    private Json.Obj read(HttpsURLConnection opened) throws IOException, WebhookClient.Failed {
        int code = opened.getResponseCode();
        if (code < 200 || code > 299) {
            throw refused(code, opened.getErrorStream());
        }
        try (var in = opened.getInputStream()) {
            var text = in.readNBytes(MAX_ANSWER + 1);
            if (text.length > MAX_ANSWER) {
                throw failed("the answer has more than " + MAX_ANSWER + " bytes");
            }
            return JsonText.parseObject(text);
        } catch (JsonText.Malformed e) {
            throw new WebhookClient.Failed("couldn't get version/kind; json parse error: " + e.getMessage());
        }
    }

    private static WebhookClient.Failed refused(int code, @Nullable InputStream error) throws IOException {
        if (code == 404) {
            return new WebhookClient.Failed("the server could not find the requested resource");
        }
        var shown = error == null ? "" : new String(error.readNBytes(SHOWN), StandardCharsets.UTF_8).strip();
        return new WebhookClient.Failed(
                code >= 500 || code < 400
                        ? "an error on the server (" + Json.of(shown.isEmpty() ? "unknown" : shown)
                                + ") has prevented the request from succeeding"
                        : shown.isEmpty() ? "the server rejected our request for an unknown reason" : shown);
    }

    private String reason(SSLException e) {
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            var text = String.valueOf(cause.getMessage());
            if (text.contains("No subject alternative") || text.contains("No name matching")) {
                return "failed to verify certificate: x509: certificate is not valid for any names, but wanted to"
                        + " match " + endpoint.serverName();
            }
            if (text.contains("unable to find valid certification path") || text.contains("Path does not chain")) {
                return "failed to verify certificate: x509: certificate signed by unknown authority";
            }
            if (cause instanceof CertificateException && cause.getCause() == null) {
                return "failed to verify certificate: x509: " + text;
            }
        }
        return String.valueOf(e.getMessage());
    }

    WebhookClient.Failed failed(String why) {
        return new WebhookClient.Failed("Post \"" + endpoint.uri() + "\": " + why);
    }

    /// Ends it from another thread.
    void abandon() {
        var opened = connection;
        if (opened != null) {
            opened.disconnect();
        }
    }
}

package dev.towtank.controllers.rendering.source;

import dev.towtank.controllers.git.source.Trust;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import javax.net.ssl.SSLException;

/// Gets files over HTTP, bounded in time and size. Who we are is told to the server that was named, and to no other
/// that
/// it points at.
final class WebFiles {
    private static final int REDIRECTS = 5;
    private static final Duration CONNECT = Duration.ofSeconds(10);
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private final UnaryOperator<String> authorities;
    private final Map<String, HttpClient> clients = new ConcurrentHashMap<>();

    /// @param authorities certificates in PEM that count for a host beside those of the machine; mostly empty
    WebFiles(UnaryOperator<String> authorities) {
        this.authorities = authorities;
    }

    private HttpClient client(URI place) throws IOException {
        var pem = authorities.apply(place.getHost());
        var known = clients.get(pem);
        if (known != null) {
            return known;
        }
        var builder = HttpClient.newBuilder()
                .followRedirects(HttpClient.Redirect.NEVER)
                .connectTimeout(CONNECT);
        if (!pem.isEmpty()) {
            builder.sslContext(Trust.of(pem).context());
        }
        var made = builder.build();
        clients.put(pem, made);
        return made;
    }

    boolean hasAuthorities(String host) {
        return !authorities.apply(host).isEmpty();
    }

    @SuppressWarnings("ArrayRecordComponent") // handed over once, and never compared
    record Page(int status, byte[] body, Map<String, String> headers) {
        boolean isGood() {
            return status == 200;
        }

        String header(String name) {
            return headers.getOrDefault(name, "");
        }
    }

    /// @param headers of which `Authorization` stays with the server of the address
    Page get(URI address, Map<String, String> headers, int largest) throws IOException {
        return told(address, () -> followed(address, headers, largest));
    }

    /// Sends a form, which may hold something secret, to this address and nowhere else.
    Page post(URI address, String form, int largest) throws IOException {
        var request = HttpRequest.newBuilder(checked(address, address))
                .timeout(LIMIT)
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(HttpRequest.BodyPublishers.ofString(form))
                .build();
        return told(address, () -> {
            var response = client(address).send(request, HttpResponse.BodyHandlers.ofInputStream());
            try (var body = response.body()) {
                return page(address, response, body, largest);
            }
        });
    }

    private interface Asking {
        Page ask() throws IOException, InterruptedException;
    }

    private Page followed(URI address, Map<String, String> headers, int largest)
            throws IOException, InterruptedException {
        var place = checked(address, address);
        for (int i = 0; i <= REDIRECTS; i++) {
            var response =
                    client(place).send(request(address, place, headers), HttpResponse.BodyHandlers.ofInputStream());
            try (var body = response.body()) {
                var next = response.headers().firstValue("Location");
                if (response.statusCode() / 100 != 3 || response.statusCode() == 304 || next.isEmpty()) {
                    return page(address, response, body, largest);
                }
                place = checked(address, place.resolve(next.get()));
            }
        }
        throw new IOException(shown(address) + " leads through more than " + REDIRECTS + " redirects");
    }

    private static Page told(URI address, Asking asking) throws IOException {
        try {
            return asking.ask();
        } catch (IllegalArgumentException e) {
            throw new IOException(shown(address) + " points to what is no address", e);
        } catch (HttpTimeoutException e) {
            throw new IOException(shown(address) + " did not answer within " + LIMIT.toSeconds() + " seconds", e);
        } catch (SSLException e) {
            throw new IOException(
                    "no safe connection to " + address.getHost() + ": " + e.getMessage()
                            + "; is its authority trusted, by --ca-file or argocd-tls-certs-cm?",
                    e);
        } catch (ConnectException e) {
            throw new IOException(
                    "cannot reach " + address.getHost() + ": is the address right, and the server up?", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while waiting for " + shown(address), e);
        }
    }

    // What begins encrypted stays so.
    private static URI checked(URI first, URI place) throws IOException {
        var scheme = String.valueOf(place.getScheme());
        boolean isWeb = scheme.equals("https") || (scheme.equals("http") && !"https".equals(first.getScheme()));
        if (!isWeb || place.getHost() == null) {
            throw new IOException(shown(first) + " is, or leads to, no address that is read: " + scheme);
        }
        return place;
    }

    private static HttpRequest request(URI first, URI place, Map<String, String> headers) {
        boolean isSame = Objects.equals(first.getScheme(), place.getScheme())
                && Objects.equals(first.getHost(), place.getHost())
                && first.getPort() == place.getPort();
        var request = HttpRequest.newBuilder(place).timeout(LIMIT).GET();
        headers.forEach((name, value) -> {
            if (isSame || !name.equalsIgnoreCase("Authorization")) {
                request.header(name, value);
            }
        });
        return request.build();
    }

    private static Page page(URI address, HttpResponse<InputStream> response, InputStream in, int largest)
            throws IOException {
        var body = in.readNBytes(largest + 1);
        if (body.length > largest) {
            throw new IOException(shown(address) + " is larger than the " + largest + " bytes that are read");
        }
        var headers = new TreeMap<String, String>(String.CASE_INSENSITIVE_ORDER);
        response.headers().map().forEach((name, values) -> headers.put(name, values.getFirst()));
        return new Page(response.statusCode(), body, headers);
    }

    /// An address without names and passwords in it.
    static String shown(URI address) {
        return String.valueOf(address).replaceAll("://[^/@\\s]+@", "://").replaceAll("[?#].*", "");
    }
}

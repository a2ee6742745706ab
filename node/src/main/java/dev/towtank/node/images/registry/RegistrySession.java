package dev.towtank.node.images.registry;

import dev.towtank.cluster.registry.RegistryChallenge;
import dev.towtank.cluster.registry.RegistryHost;
import dev.towtank.cluster.registry.RegistryLogins;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.node.images.store.Digest;
import dev.towtank.node.images.store.ImageSource;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/// One image in a registry, asked by the distribution protocol. Passwords and tokens go to the registry itself and to
/// no other server that it points at.
public final class RegistrySession implements ImageSource {

    private static final String MANIFESTS = String.join(
            ", ",
            "application/vnd.oci.image.index.v1+json",
            "application/vnd.docker.distribution.manifest.list.v2+json",
            "application/vnd.oci.image.manifest.v1+json",
            "application/vnd.docker.distribution.manifest.v2+json");
    private static final int REDIRECTS = 5;
    private static final int LARGEST_ANSWER = 1 << 20;

    private final HttpClient client;
    private final RegistryPlaces.Place place;
    private final List<Json.Obj> auths;
    private final Duration patience;
    private @Nullable String authorization;

    /// @param auths by registry, as in a `.dockerconfigjson`
    /// @param patience how long it waits for an answer, and for more of one
    RegistrySession(HttpClient client, RegistryPlaces.Place place, List<Json.Obj> auths, Duration patience) {
        this.client = client;
        this.place = place;
        this.auths = List.copyOf(auths);
        this.patience = patience;
    }

    @Override
    public byte[] manifest(String version) throws IOException {
        var answer = get("manifests/" + version, MANIFESTS, 0);
        try (var body = new PatientBody(answer.body(), patience)) {
            return bounded(body, LARGEST_MANIFEST, "the manifest");
        }
    }

    @Override
    public InputStream blob(Digest digest, long size) throws IOException {
        return new ResumedBody(from -> open(digest, from), size);
    }

    private InputStream open(Digest digest, long from) throws IOException {
        var answer = get("blobs/" + digest, "*/*", from);
        var body = new PatientBody(answer.body(), patience);
        if (from > 0 && answer.statusCode() != 206) {
            try {
                body.skipNBytes(from); // it begins at the beginning again
            } catch (IOException e) {
                body.close();
                throw e;
            }
        }
        return body;
    }

    private HttpResponse<InputStream> get(String part, String accepted, long from) throws IOException {
        var address = address(part);
        var answer = send(address, accepted, from);
        if (answer.statusCode() == 401) {
            answer.body().close();
            login(answer.headers().firstValue("WWW-Authenticate").orElse(""));
            answer = send(address, accepted, from);
        }
        if (answer.statusCode() / 100 != 2) {
            throw refused(address, answer);
        }
        return answer;
    }

    private URI address(String part) throws RegistryProblem {
        try {
            return URI.create(place.scheme() + "://" + place.host() + "/v2/" + place.repository() + "/" + part);
        } catch (IllegalArgumentException e) {
            throw new RegistryProblem(place.host() + " is no address of a registry");
        }
    }

    /// Several layers are asked for at once.
    private synchronized @Nullable String authorization() {
        return authorization;
    }

    private synchronized void login(String header) throws IOException {
        var own = RegistryLogins.authorization(auths, place.name());
        var challenge = RegistryChallenge.parse(header);
        if (!challenge.wantsToken()) {
            authorization = own.orElseThrow(() -> new RegistryProblem(
                    "the registry " + place.host() + " wants a name and password, and there is none for it"));
            return;
        }
        var address = challenge.tokenAddress(new RegistryHost(place.host()), place.repository());
        var request = HttpRequest.newBuilder(address).timeout(patience).GET();
        own.ifPresent(value -> request.header("Authorization", value));
        var answer = exchanged(request.build());
        try (var body = new PatientBody(answer.body(), patience)) {
            if (answer.statusCode() != 200) {
                throw new RegistryProblem("failed to authorize: failed to fetch %s token from %s: unexpected status: %d"
                        .formatted(own.isEmpty() ? "anonymous" : "oauth", shown(address), answer.statusCode()));
            }
            authorization = RegistryChallenge.authorization(bounded(body, LARGEST_ANSWER, "the token"));
        }
    }

    private HttpResponse<InputStream> send(URI first, String accepted, long from) throws IOException {
        var next = first;
        for (int i = 0; i <= REDIRECTS; i++) {
            var request = HttpRequest.newBuilder(next)
                    .timeout(patience)
                    .header("Accept", accepted)
                    .GET();
            var known = authorization();
            if (known != null && isSameServer(first, next)) {
                request.header("Authorization", known);
            }
            if (from > 0) {
                request.header("Range", "bytes=" + from + "-");
            }
            var answer = exchanged(request.build());
            var location = answer.headers().firstValue("Location");
            if (answer.statusCode() / 100 != 3 || location.isEmpty()) {
                return answer;
            }
            answer.body().close();
            next = followed(first, next, location.get());
        }
        throw new RegistryProblem(shown(first) + " leads through more than " + REDIRECTS + " redirects");
    }

    /// What begins encrypted stays so, and nobody outside points to this machine.
    private URI followed(URI first, URI here, String location) throws RegistryProblem {
        try {
            var next = here.resolve(location);
            boolean isSecure = "https".equals(next.getScheme())
                    || ("http".equals(next.getScheme()) && "http".equals(first.getScheme()));
            boolean isLocal = new RegistryHost(String.valueOf(next.getAuthority())).isLocal();
            if (isSecure && next.getHost() != null && (!isLocal || new RegistryHost(place.host()).isLocal())) {
                return next;
            }
        } catch (IllegalArgumentException e) {
            throw new RegistryProblem(shown(first) + " points to what is no address");
        }
        throw new RegistryProblem(shown(first) + " points to an address that is not followed");
    }

    private static boolean isSameServer(URI first, URI second) {
        return Objects.equals(first.getScheme(), second.getScheme())
                && Objects.equals(first.getHost(), second.getHost())
                && first.getPort() == second.getPort();
    }

    private HttpResponse<InputStream> exchanged(HttpRequest request) throws IOException {
        var host = request.uri().getAuthority();
        try {
            return client.send(request, HttpResponse.BodyHandlers.ofInputStream());
        } catch (HttpTimeoutException e) {
            throw new RegistryProblem(host + " did not answer within " + patience.toSeconds() + " seconds");
        } catch (ConnectException e) {
            throw new RegistryProblem(
                    e.getCause() instanceof UnresolvedAddressException
                            ? "dial tcp: lookup " + host + ": no such host"
                            : "dial tcp " + host + ": connect: connection refused");
        } catch (SSLException e) {
            throw new RegistryProblem("tls: failed to verify certificate of " + host + ": " + e.getMessage()
                    + ". An authority of your own is named by 'ca' below 'registries' in images.yaml.");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new RegistryProblem("interrupted while waiting for " + host);
        }
    }

    /// With what the registry itself says, if it says anything that is meant for people.
    private RegistryProblem refused(URI address, HttpResponse<InputStream> answer) throws IOException {
        try (var body = new PatientBody(answer.body(), patience)) {
            var said = said(body.readNBytes(LARGEST_ANSWER))
                    .map(text -> ": " + text)
                    .orElse("");
            return new RegistryProblem("unexpected status from GET request to %s: %d%s"
                    .formatted(shown(address), answer.statusCode(), said));
        }
    }

    private static Optional<String> said(byte[] body) {
        try {
            return JsonText.parseObject(body).objects("errors").stream()
                    .map(error -> error.string("code") + ": " + error.string("message"))
                    .map(text -> text.replaceAll("\\p{Cntrl}", " "))
                    .map(text -> text.substring(0, Math.min(300, text.length())))
                    .findFirst();
        } catch (JsonText.Malformed e) {
            return Optional.empty();
        }
    }

    private static byte[] bounded(InputStream in, int largest, String what) throws IOException {
        var bytes = in.readNBytes(largest + 1);
        if (bytes.length > largest) {
            throw new RegistryProblem(what + " is larger than the " + largest + " bytes that are read");
        }
        return bytes;
    }

    /// An address without a query, in which others put keys.
    private static String shown(URI address) {
        return address.getScheme() + "://" + address.getAuthority().replaceFirst(".*@", "") + address.getPath();
    }
}

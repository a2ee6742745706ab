package dev.towtank.node.images.registry;

import dev.towtank.model.Json;
import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/// The way to registries: one client for all, and one for each file of authorities that a user names.
public final class RegistryClients implements AutoCloseable {

    private static final Duration CONNECT = Duration.ofSeconds(10);
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Supplier<RegistryPlaces> places;
    private final Duration patience;

    // Guarded by this object's monitor.
    private final Map<Optional<Path>, HttpClient> clients = new HashMap<>();

    /// @param places where images are just now: who says so may change it
    public RegistryClients(Supplier<RegistryPlaces> places) {
        this(places, PATIENCE);
    }

    /// @param patience how long a registry may take until it answers, and until it says more
    public RegistryClients(Supplier<RegistryPlaces> places, Duration patience) {
        this.places = places;
        this.patience = patience;
    }

    /// @param logins by registry, as in a `.dockerconfigjson`
    public RegistrySession session(ImageReference image, List<Json.Obj> logins) throws IOException {
        var place = places.get().of(image);
        return new RegistrySession(client(place.authorities()), place, logins, patience);
    }

    private synchronized HttpClient client(Optional<Path> authorities) throws IOException {
        var known = clients.get(authorities);
        if (known != null) {
            return known;
        }
        var builder = HttpClient.newBuilder()
                .followRedirects(HttpClient.Redirect.NEVER)
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(CONNECT);
        if (authorities.isPresent()) {
            builder.sslContext(trusting(authorities.get()));
        }
        var made = builder.build();
        clients.put(authorities, made);
        return made;
    }

    private static SSLContext trusting(Path file) throws IOException {
        try (var in = Files.newInputStream(file)) {
            var known = KeyStore.getInstance(KeyStore.getDefaultType());
            known.load(null, null);
            int number = 0;
            for (var certificate : CertificateFactory.getInstance("X.509").generateCertificates(in)) {
                known.setCertificateEntry("authority" + number++, certificate);
            }
            var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(known);
            var context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new RegistryProblem(file + " holds no certificates: " + e.getMessage());
        }
    }

    @Override
    public synchronized void close() {
        clients.values().forEach(HttpClient::shutdownNow);
        clients.clear();
    }
}

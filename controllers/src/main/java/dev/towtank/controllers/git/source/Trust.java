package dev.towtank.controllers.git.source;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.Proxy;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
import org.eclipse.jgit.transport.Transport;
import org.eclipse.jgit.transport.TransportHttp;
import org.eclipse.jgit.transport.http.HttpConnection;
import org.eclipse.jgit.transport.http.HttpConnectionFactory;
import org.eclipse.jgit.transport.http.JDKHttpConnectionFactory;
import org.jspecify.annotations.Nullable;

/// Certificate authorities that count beside those of the machine.
public final class Trust {

    private final TrustManager[] managers;

    private Trust(TrustManager[] managers) {
        this.managers = managers;
    }

    /// @param pem certificates, one or several
    /// @throws IOException if there is none in it; for people
    public static Trust of(String pem) throws IOException {
        try {
            var certificates = new ArrayList<X509Certificate>();
            for (var each : CertificateFactory.getInstance("X.509")
                    .generateCertificates(new ByteArrayInputStream(pem.getBytes(StandardCharsets.US_ASCII)))) {
                certificates.add((X509Certificate) each);
            }
            if (certificates.isEmpty()) {
                throw new IOException("there is no certificate in PEM");
            }
            certificates.addAll(machines());
            var store = KeyStore.getInstance(KeyStore.getDefaultType());
            store.load(null, null);
            for (int i = 0; i < certificates.size(); i++) {
                store.setCertificateEntry("authority-" + i, certificates.get(i));
            }
            return new Trust(managers(store));
        } catch (GeneralSecurityException e) {
            throw new IOException("the certificates cannot be read: " + e.getMessage(), e);
        }
    }

    private static List<X509Certificate> machines() throws GeneralSecurityException {
        for (var manager : managers(null)) {
            if (manager instanceof X509TrustManager usual) {
                return List.of(usual.getAcceptedIssuers());
            }
        }
        return List.of();
    }

    private static TrustManager[] managers(@Nullable KeyStore store) throws GeneralSecurityException {
        var factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(store);
        return factory.getTrustManagers();
    }

    public SSLContext context() {
        try {
            var context = SSLContext.getInstance("TLS");
            context.init(null, managers, null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("TLS is part of every JVM", e);
        }
    }

    /// Makes a fetch by git trust them.
    public void on(Transport transport) {
        if (transport instanceof TransportHttp http) {
            http.setHttpConnectionFactory(new Connections());
        }
    }

    private final class Connections implements HttpConnectionFactory {
        private final HttpConnectionFactory usual = new JDKHttpConnectionFactory();

        @Override
        public HttpConnection create(URL url) throws IOException {
            return trusting(usual.create(url));
        }

        @Override
        public HttpConnection create(URL url, Proxy proxy) throws IOException {
            return trusting(usual.create(url, proxy));
        }

        private HttpConnection trusting(HttpConnection connection) throws IOException {
            try {
                connection.configure(null, managers, null);
                return connection;
            } catch (GeneralSecurityException e) {
                throw new IOException("TLS cannot be set up: " + e.getMessage(), e);
            }
        }
    }
}

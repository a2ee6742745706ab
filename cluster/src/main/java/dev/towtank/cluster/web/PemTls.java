package dev.towtank.cluster.web;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;

/// TLS from PEM texts.
public final class PemTls {
    private static final Pattern PKCS8 =
            Pattern.compile("-----BEGIN PRIVATE KEY-----([A-Za-z0-9+/=\\s]+)-----END PRIVATE KEY-----");
    private static final List<String> ALGORITHMS = List.of("EC", "RSA", "EdDSA");
    private static final char[] NO_PASSWORD = {};

    private PemTls() {}

    /// Trusts these certificates alone.
    public static SSLContext trusting(String authority) throws IOException {
        return context(Optional.of(authority), Optional.empty(), Optional.empty());
    }

    /// @param authority whom to trust; the JDK's list without one
    /// @throws IOException what is given cannot be used; the message tells none of it
    public static SSLContext context(Optional<String> authority, Optional<String> certificate, Optional<String> key)
            throws IOException {
        try {
            var tls = SSLContext.getInstance("TLS");
            tls.init(
                    certificate.isPresent() && key.isPresent() ? identity(certificate.get(), key.get()) : null,
                    authority.isPresent() ? trust(authority.get()) : null,
                    null);
            return tls;
        } catch (GeneralSecurityException e) {
            throw new IOException("these certificates cannot be used: " + e.getMessage(), e);
        }
    }

    /// Trusts these certificates, if they are for a name, whatever the address is that is connected to.
    public static SSLContext trusting(String authority, String serverName) throws IOException {
        try {
            var tls = SSLContext.getInstance("TLS");
            var managers = trust(authority);
            tls.init(null, new TrustManager[] {new NamedTrust((X509TrustManager) managers[0], serverName)}, null);
            return tls;
        } catch (GeneralSecurityException e) {
            throw new IOException("these certificates cannot be used: " + e.getMessage(), e);
        }
    }

    /// What a server shows who it is with.
    ///
    /// @param password of the key in the store, which is in this memory alone
    /// @throws IOException what is given cannot be used; the message tells none of it
    public static KeyStore identity(WebDoor.KeyPair pair, String password) throws IOException {
        try {
            var store = empty();
            store.setKeyEntry(
                    "server",
                    privateKey(pair.key()),
                    password.toCharArray(),
                    certificates(pair.certificates()).toArray(Certificate[]::new));
            return store;
        } catch (GeneralSecurityException e) {
            throw new IOException("this certificate cannot be used: " + e.getMessage(), e);
        }
    }

    private static TrustManager[] trust(String pem) throws GeneralSecurityException, IOException {
        var store = empty();
        int count = 0;
        for (var each : certificates(pem)) {
            store.setCertificateEntry("authority-" + count++, each);
        }
        var factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(store);
        return factory.getTrustManagers();
    }

    private static KeyManager[] identity(String certificate, String key) throws GeneralSecurityException, IOException {
        var store = empty();
        store.setKeyEntry(
                "client",
                privateKey(key),
                NO_PASSWORD,
                certificates(certificate).toArray(Certificate[]::new));
        var factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        factory.init(store, NO_PASSWORD);
        return factory.getKeyManagers();
    }

    private static KeyStore empty() throws GeneralSecurityException, IOException {
        var store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        return store;
    }

    private static Collection<? extends Certificate> certificates(String pem) throws GeneralSecurityException {
        var found = CertificateFactory.getInstance("X.509")
                .generateCertificates(new ByteArrayInputStream(pem.getBytes(StandardCharsets.ISO_8859_1)));
        if (found.isEmpty()) {
            throw new CertificateException("there is none in it");
        }
        return found;
    }

    private static PrivateKey privateKey(String pem) throws IOException {
        var found = PKCS8.matcher(pem);
        if (!found.find()) {
            throw new IOException("the key is of an older form; convert it with 'openssl pkcs8 -topk8"
                    + " -nocrypt', and use what that prints");
        }
        var spec = new PKCS8EncodedKeySpec(Base64.getMimeDecoder().decode(found.group(1)));
        for (var algorithm : ALGORITHMS) {
            var key = key(algorithm, spec);
            if (key.isPresent()) {
                return key.get();
            }
        }
        throw new IOException("the key is of no known kind");
    }

    private static Optional<PrivateKey> key(String algorithm, PKCS8EncodedKeySpec spec) {
        try {
            return Optional.of(KeyFactory.getInstance(algorithm).generatePrivate(spec));
        } catch (GeneralSecurityException e) {
            return Optional.empty();
        }
    }
}

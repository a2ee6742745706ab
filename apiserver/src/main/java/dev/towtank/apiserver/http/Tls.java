package dev.towtank.apiserver.http;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;

/// What the server proves itself with, and whose client certificates it believes.
///
/// @param chain the server's certificate, then its issuers
/// @param clientAuthorities issuers of client certificates; none means that no client can use one
public record Tls(PrivateKey key, List<X509Certificate> chain, List<X509Certificate> clientAuthorities) {

    /// Protects a store that never leaves this memory.
    static final String PASSWORD = "in-memory";

    public Tls {
        chain = List.copyOf(chain);
        clientAuthorities = List.copyOf(clientAuthorities);
    }

    @Override
    public String toString() {
        return "Tls[" + chain.getFirst().getSubjectX500Principal() + "]";
    }

    KeyStore keyStore() {
        var store = empty();
        try {
            store.setKeyEntry("server", key, PASSWORD.toCharArray(), chain.toArray(X509Certificate[]::new));
        } catch (GeneralSecurityException e) {
            throw new IllegalArgumentException("the server's key does not fit its certificate: " + e.getMessage(), e);
        }
        return store;
    }

    KeyStore trustStore() {
        var store = empty();
        try {
            for (int i = 0; i < clientAuthorities.size(); i++) {
                store.setCertificateEntry("client-ca-" + i, clientAuthorities.get(i));
            }
        } catch (GeneralSecurityException e) {
            throw new IllegalArgumentException("a client authority cannot be used: " + e.getMessage(), e);
        }
        return store;
    }

    private static KeyStore empty() {
        try {
            // Not PKCS12, which makes a key from the password by hashing it ten thousand times: nothing leaves this
            // memory.
            var store = KeyStore.getInstance("JKS");
            store.load(null, null);
            return store;
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException("this Java has no JKS key stores", e);
        }
    }
}

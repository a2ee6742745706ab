package dev.towtank.apiserver.pki;

import java.io.IOException;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.function.Supplier;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/// TLS with one certificate that may be replaced while connections come in.
final class Tls {

    private Tls() {}

    static SSLContext context(X509Certificate authority, Supplier<Credential> shown) {
        return context(authority, new KeyManager[] {new OneCertificate(authority, shown)});
    }

    static SSLContext anonymous(X509Certificate authority) {
        return context(authority, new KeyManager[0]);
    }

    private static SSLContext context(X509Certificate authority, KeyManager[] keys) {
        try {
            var trusted = KeyStore.getInstance("PKCS12");
            trusted.load(null, null);
            trusted.setCertificateEntry("ca", authority);
            var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(trusted);
            var context = SSLContext.getInstance("TLS");
            context.init(keys, trust.getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException("cannot set up TLS", e);
        }
    }

    private static final class OneCertificate extends X509ExtendedKeyManager {
        private static final String ALIAS = "towtank";
        private static final String KEY_TYPE = "EC";

        private final X509Certificate authority;
        private final Supplier<Credential> shown;

        OneCertificate(X509Certificate authority, Supplier<Credential> shown) {
            this.authority = authority;
            this.shown = shown;
        }

        @Override
        public X509Certificate[] getCertificateChain(String alias) {
            return new X509Certificate[] {shown.get().certificate(), authority};
        }

        @Override
        public PrivateKey getPrivateKey(String alias) {
            return shown.get().privateKey();
        }

        @Override
        public @Nullable String chooseEngineServerAlias(
                String keyType, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
            return chooseServerAlias(keyType, issuers, null);
        }

        @Override
        public @Nullable String chooseEngineClientAlias(
                String[] keyTypes, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
            return chooseClientAlias(keyTypes, issuers, null);
        }

        @Override
        public @Nullable String chooseServerAlias(
                String keyType, Principal @Nullable [] issuers, @Nullable Socket socket) {
            return keyType.equals(KEY_TYPE) ? ALIAS : null;
        }

        @Override
        public @Nullable String chooseClientAlias(
                String[] keyTypes, Principal @Nullable [] issuers, @Nullable Socket socket) {
            for (var keyType : keyTypes) {
                if (keyType.equals(KEY_TYPE)) {
                    return ALIAS;
                }
            }
            return null;
        }

        @Override
        public String[] getServerAliases(String keyType, Principal @Nullable [] issuers) {
            return new String[] {ALIAS};
        }

        @Override
        public String[] getClientAliases(String keyType, Principal @Nullable [] issuers) {
            return new String[] {ALIAS};
        }
    }
}

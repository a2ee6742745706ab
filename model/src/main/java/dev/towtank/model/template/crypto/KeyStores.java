package dev.towtank.model.template.crypto;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/// Key stores in the form PKCS#12.
public final class KeyStores {
    private static final String ALIAS = "1";

    private KeyStores() {}

    /// The private key of a store, in PEM.
    public static String key(byte[] bytes, String password) {
        try {
            var store = load(bytes, password);
            for (var alias : Collections.list(store.aliases())) {
                if (store.getKey(alias, password.toCharArray()) instanceof PrivateKey key) {
                    var certificate = store.getCertificate(alias);
                    return PrivateKeys.pkcs8(new KeyPair(certificate.getPublicKey(), key));
                }
            }
        } catch (GeneralSecurityException | IOException e) {
            throw unreadable();
        }
        throw new CryptoError("unable to decode pkcs12 with password: pkcs12: private key missing");
    }

    /// The certificates of a store in PEM, the leaf first where they are a chain.
    public static String certificates(byte[] bytes, String password) {
        var all = new ArrayList<X509Certificate>();
        try {
            var store = load(bytes, password);
            for (var alias : Collections.list(store.aliases())) {
                var chain = store.getCertificateChain(alias);
                for (var each : chain == null ? new Certificate[] {store.getCertificate(alias)} : chain) {
                    if (each instanceof X509Certificate certificate && !all.contains(certificate)) {
                        all.add(certificate);
                    }
                }
            }
        } catch (GeneralSecurityException | IOException e) {
            throw unreadable();
        }
        try {
            return CertificateChain.pem(CertificateChain.ordered(all).certificates());
        } catch (CryptoError e) {
            return CertificateChain.pem(all);
        }
    }

    /// A store with a key and its certificates.
    ///
    /// @param withChain whether the certificates behind the first one are put into it as well
    public static byte[] holding(String certificates, String key, boolean withChain, String password) {
        var all = CertificateChain.all(certificates);
        if (all.isEmpty()) {
            throw new CryptoError("unable to decode certificate");
        }
        var chain = withChain ? all : all.subList(0, 1);
        return store(
                password,
                store -> store.setKeyEntry(
                        ALIAS,
                        PrivateKeys.read(key).getPrivate(),
                        password.toCharArray(),
                        chain.toArray(Certificate[]::new)));
    }

    /// A store of certificates that are trusted.
    public static byte[] trusting(String certificates, String password) {
        List<X509Certificate> all = CertificateChain.all(certificates);
        return store(password, store -> {
            for (var each : all) {
                store.setCertificateEntry(each.getSubjectX500Principal().getName(), each);
            }
        });
    }

    @FunctionalInterface
    private interface Filling {
        void fill(KeyStore store) throws GeneralSecurityException;
    }

    private static byte[] store(String password, Filling filling) {
        try {
            var store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            filling.fill(store);
            var out = new ByteArrayOutputStream();
            store.store(out, password.toCharArray());
            return out.toByteArray();
        } catch (GeneralSecurityException | IOException e) {
            throw new CryptoError("the key store cannot be written: does the key belong to the certificate?");
        }
    }

    private static KeyStore load(byte[] bytes, String password) throws GeneralSecurityException, IOException {
        var store = KeyStore.getInstance("PKCS12");
        store.load(new ByteArrayInputStream(bytes), password.toCharArray());
        return store;
    }

    private static CryptoError unreadable() {
        return new CryptoError("unable to decode pkcs12 with password: pkcs12: decryption password incorrect");
    }
}

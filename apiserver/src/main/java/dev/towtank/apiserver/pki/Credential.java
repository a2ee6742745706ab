package dev.towtank.apiserver.pki;

import java.security.PrivateKey;
import java.security.cert.X509Certificate;

/// A certificate and the private key that belongs to it.
public final class Credential {
    private final X509Certificate certificate;
    private final PrivateKey privateKey;

    Credential(X509Certificate certificate, PrivateKey privateKey) {
        this.certificate = certificate;
        this.privateKey = privateKey;
    }

    public X509Certificate certificate() {
        return certificate;
    }

    public PrivateKey privateKey() {
        return privateKey;
    }

    public String certificatePem() {
        return Pem.of(certificate);
    }

    /// Secret: for files of mode 0600 and for nothing else.
    public String privateKeyPem() {
        return Pem.of(privateKey);
    }

    @Override
    public String toString() {
        return "Credential[" + certificate.getSubjectX500Principal() + "]";
    }
}

package dev.towtank.apiserver.pki;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Date;
import java.util.List;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.X500NameBuilder;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.bouncycastle.asn1.x509.AuthorityKeyIdentifier;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.asn1.x509.SubjectKeyIdentifier;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.bouncycastle.asn1.x9.X9ObjectIdentifiers;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.operator.ContentSigner;

/// Makes certificates: the only class that knows Bouncy Castle, because the JDK can read them but not make them.
final class CertificateMaker {
    /// Clocks of clients may be a little behind ours.
    private static final Duration BACKDATED = Duration.ofMinutes(5);

    private static final SecureRandom RANDOM = new SecureRandom();

    private final X500Name issuer;
    private final PublicKey issuerKey;
    private final PrivateKey signingKey;

    private CertificateMaker(X500Name issuer, PublicKey issuerKey, PrivateKey signingKey) {
        this.issuer = issuer;
        this.issuerKey = issuerKey;
        this.signingKey = signingKey;
    }

    /// One that signs as an authority that exists.
    static CertificateMaker of(Credential authority) {
        var certificate = authority.certificate();
        return new CertificateMaker(
                X500Name.getInstance(certificate.getSubjectX500Principal().getEncoded()),
                certificate.getPublicKey(),
                authority.privateKey());
    }

    static X509Certificate authority(
            String name, PublicKey key, PrivateKey signingKey, Instant now, Duration validity) {
        var subject = subject(name, List.of());
        var maker = new CertificateMaker(subject, key, signingKey);
        return maker.make(subject, key, now, validity, builder -> {
            builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(true));
            builder.addExtension(
                    Extension.keyUsage,
                    true,
                    new KeyUsage(KeyUsage.keyCertSign | KeyUsage.cRLSign | KeyUsage.digitalSignature));
        });
    }

    /// @param names DNS names and IP addresses
    X509Certificate server(String name, Collection<String> names, PublicKey key, Instant now, Duration validity) {
        return make(subject(name, List.of()), key, now, validity, builder -> {
            leaf(builder, KeyPurposeId.id_kp_serverAuth);
            var alternatives = names.stream()
                    .map(each -> new GeneralName(
                            ServerNames.isAddress(each) ? GeneralName.iPAddress : GeneralName.dNSName, each))
                    .toArray(GeneralName[]::new);
            builder.addExtension(Extension.subjectAlternativeName, false, new GeneralNames(alternatives));
        });
    }

    /// @param organizations what Kubernetes takes as groups
    X509Certificate client(
            String name, Collection<String> organizations, PublicKey key, Instant now, Duration validity) {
        return make(
                subject(name, organizations),
                key,
                now,
                validity,
                builder -> leaf(builder, KeyPurposeId.id_kp_clientAuth));
    }

    private X509Certificate make(
            X500Name subject, PublicKey key, Instant now, Duration validity, Extensions extensions) {
        var builder = new X509v3CertificateBuilder(
                issuer,
                new BigInteger(127, RANDOM).setBit(0),
                Date.from(now.minus(BACKDATED)),
                Date.from(now.plus(validity)),
                subject,
                SubjectPublicKeyInfo.getInstance(key.getEncoded()));
        try {
            builder.addExtension(Extension.subjectKeyIdentifier, false, new SubjectKeyIdentifier(identifier(key)));
            builder.addExtension(
                    Extension.authorityKeyIdentifier, false, new AuthorityKeyIdentifier(identifier(issuerKey)));
            extensions.add(builder);
            var der = builder.build(new Signer(signingKey)).getEncoded();
            return (X509Certificate)
                    CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(der));
        } catch (IOException | GeneralSecurityException e) {
            throw new IllegalStateException("cannot encode a certificate for " + subject, e);
        }
    }

    private static void leaf(X509v3CertificateBuilder builder, KeyPurposeId purpose) throws IOException {
        builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(false));
        builder.addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature));
        builder.addExtension(Extension.extendedKeyUsage, false, new ExtendedKeyUsage(purpose));
    }

    private static X500Name subject(String name, Collection<String> organizations) {
        var subject = new X500NameBuilder();
        organizations.forEach(organization -> subject.addRDN(BCStyle.O, organization));
        return subject.addRDN(BCStyle.CN, name).build();
    }

    // SHA-1 names a key here, as RFC 5280 has it; nothing is secured by it.
    private static byte[] identifier(PublicKey key) throws GeneralSecurityException {
        var bits = SubjectPublicKeyInfo.getInstance(key.getEncoded())
                .getPublicKeyData()
                .getBytes();
        return MessageDigest.getInstance("SHA-1").digest(bits);
    }

    @FunctionalInterface
    private interface Extensions {
        void add(X509v3CertificateBuilder builder) throws IOException;
    }

    /// Signs with the JDK, which spares loading Bouncy Castle's provider.
    private static final class Signer implements ContentSigner {
        private final PrivateKey key;
        private final ByteArrayOutputStream content = new ByteArrayOutputStream();

        Signer(PrivateKey key) {
            this.key = key;
        }

        @Override
        public AlgorithmIdentifier getAlgorithmIdentifier() {
            return new AlgorithmIdentifier(X9ObjectIdentifiers.ecdsa_with_SHA256);
        }

        @Override
        public OutputStream getOutputStream() {
            return content;
        }

        @Override
        public byte[] getSignature() {
            try {
                var signature = Signature.getInstance(EcKeys.SIGNATURE);
                signature.initSign(key);
                signature.update(content.toByteArray());
                return signature.sign();
            } catch (GeneralSecurityException e) {
                throw new IllegalStateException("cannot sign a certificate", e);
            }
        }
    }
}

package dev.towtank.apiserver.http;

import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/// An authority, a server's certificate and a client's, made for one run.
final class TestCertificates {

    private record Issued(KeyPair keys, X509Certificate certificate) {}

    private final Issued authority = issue("CN=test-ca", null);
    private final Issued server = issue("CN=localhost", authority);
    private final Issued client = issue("O=testers, CN=alice", authority);

    Tls tls() {
        return new Tls(
                server.keys.getPrivate(),
                List.of(server.certificate, authority.certificate),
                List.of(authority.certificate));
    }

    SSLContext clientContext(boolean withCertificate) throws Exception {
        var trusted = store();
        trusted.setCertificateEntry("ca", authority.certificate);
        var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        var own = store();
        if (withCertificate) {
            own.setKeyEntry("me", client.keys.getPrivate(), new char[0], new X509Certificate[] {
                client.certificate, authority.certificate
            });
        }
        var keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(own, new char[0]);
        var context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), trust.getTrustManagers(), new SecureRandom());
        return context;
    }

    private static KeyStore store() throws Exception {
        var store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        return store;
    }

    private static Issued issue(String subject, Issued issuer) {
        try {
            var generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(256);
            var keys = generator.generateKeyPair();
            var name = new X500Principal(subject);
            var now = Instant.now();
            var builder = new JcaX509v3CertificateBuilder(
                    issuer == null ? name : issuer.certificate.getSubjectX500Principal(),
                    new BigInteger(63, new SecureRandom()),
                    Date.from(now.minus(Duration.ofDays(1))),
                    Date.from(now.plus(Duration.ofDays(1))),
                    name,
                    keys.getPublic());
            builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(issuer == null));
            builder.addExtension(Extension.subjectAlternativeName, false, new GeneralNames(new GeneralName[] {
                new GeneralName(GeneralName.dNSName, "localhost"), new GeneralName(GeneralName.iPAddress, "127.0.0.1")
            }));
            var signer = new JcaContentSignerBuilder("SHA256withECDSA")
                    .build(issuer == null ? keys.getPrivate() : issuer.keys.getPrivate());
            return new Issued(keys, new JcaX509CertificateConverter().getCertificate(builder.build(signer)));
        } catch (GeneralSecurityException
                | java.io.IOException
                | org.bouncycastle.operator.OperatorCreationException e) {
            throw new IllegalStateException(e);
        }
    }
}

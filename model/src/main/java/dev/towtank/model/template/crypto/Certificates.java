package dev.towtank.model.template.crypto;

import java.io.ByteArrayInputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// X.509 certificates for servers and clients, and authorities that sign them.
public final class Certificates {
    private static final String SUBJECT_KEY = "2.5.29.14";
    private static final DateTimeFormatter SHORT = DateTimeFormatter.ofPattern("yyMMddHHmmss'Z'");
    private static final DateTimeFormatter LONG = DateTimeFormatter.ofPattern("yyyyMMddHHmmss'Z'");
    private static final int FIRST_LONG_YEAR = 2050;

    private Certificates() {}

    /// What a certificate is about.
    ///
    /// @param addresses 4 or 16 bytes each
    public record Subject(String name, List<byte[]> addresses, List<String> hosts, boolean isAuthority) {}

    /// Who signs.
    ///
    /// @param certificate null for one that signs itself
    public record Signer(@Nullable X509Certificate certificate, KeyPair keys) {}

    /// @return in PEM
    public static String issue(
            Subject subject, KeyPair keys, Signer signer, Instant now, Duration validity, SecureRandom chance) {
        var algorithm = signatureAlgorithm(signer.keys());
        var own = name(subject.name());
        var issuer = signer.certificate() == null
                ? own
                : signer.certificate().getSubjectX500Principal().getEncoded();
        var body = Der.sequence(
                Der.element(0xA0, Der.integer(2)),
                Der.integer(new BigInteger(128, chance)),
                algorithm,
                issuer,
                Der.sequence(time(now), time(now.plus(validity))),
                own,
                keys.getPublic().getEncoded(),
                Der.element(0xA3, Der.sequence(extensions(subject, keys, signer, own, issuer))));
        return Pem.write("CERTIFICATE", Der.sequence(body, algorithm, Der.bits(sign(body, signer.keys(), chance))));
    }

    private static byte[] signatureAlgorithm(KeyPair keys) {
        return switch (keys.getPrivate().getAlgorithm()) {
            case "RSA" -> Der.sequence(Der.name("1.2.840.113549.1.1.11"), Der.element(5));
            case "EC" -> Der.sequence(Der.name("1.2.840.10045.4.3.2"));
            case "Ed25519", "EdDSA" -> Der.sequence(Der.name("1.3.101.112"));
            default ->
                throw new CryptoError("x509: only RSA, ECDSA and Ed25519 keys supported, not "
                        + keys.getPrivate().getAlgorithm());
        };
    }

    private static byte[] sign(byte[] body, KeyPair keys, SecureRandom chance) {
        try {
            var signature = Signature.getInstance(
                    switch (keys.getPrivate().getAlgorithm()) {
                        case "RSA" -> "SHA256withRSA";
                        case "EC" -> "SHA256withECDSA";
                        default -> "Ed25519";
                    });
            signature.initSign(keys.getPrivate(), chance);
            signature.update(body);
            return signature.sign();
        } catch (GeneralSecurityException e) {
            throw new CryptoError("the certificate cannot be signed with this key");
        }
    }

    private static byte[] name(String common) {
        if (common.isEmpty()) {
            return Der.sequence();
        }
        int tag = common.matches("[A-Za-z0-9 '()+,./:=?-]*") ? Der.PRINTABLE : Der.UTF8;
        var pair = Der.sequence(Der.name("2.5.4.3"), Der.element(tag, common.getBytes(StandardCharsets.UTF_8)));
        return Der.sequence(Der.element(Der.SET, pair));
    }

    private static byte[] time(Instant moment) {
        var at = moment.atOffset(ZoneOffset.UTC);
        boolean isShort = at.getYear() < FIRST_LONG_YEAR;
        return Der.element(
                isShort ? Der.UTC_TIME : Der.LONG_TIME,
                at.format(isShort ? SHORT : LONG).getBytes(StandardCharsets.US_ASCII));
    }

    private static byte[][] extensions(Subject subject, KeyPair keys, Signer signer, byte[] own, byte[] issuer) {
        var all = new ArrayList<byte[]>();
        // Digital signature and key encipherment; for an authority signing of certificates as well.
        var usage = subject.isAuthority() ? new byte[] {2, (byte) 0xA4} : new byte[] {5, (byte) 0xA0};
        all.add(extension("2.5.29.15", true, Der.element(Der.BITS, usage)));
        all.add(extension(
                "2.5.29.37", false, Der.sequence(Der.name("1.3.6.1.5.5.7.3.1"), Der.name("1.3.6.1.5.5.7.3.2"))));
        var yes = Der.element(Der.BOOLEAN, new byte[] {(byte) 0xFF});
        all.add(extension("2.5.29.19", true, subject.isAuthority() ? Der.sequence(yes) : Der.sequence()));
        if (subject.isAuthority()) {
            all.add(extension(SUBJECT_KEY, false, Der.octets(fingerprint(keys))));
        }
        var above = signer.certificate() == null ? null : subjectKey(signer.certificate());
        if (above != null && !Arrays.equals(own, issuer)) {
            all.add(extension("2.5.29.35", false, Der.sequence(Der.element(0x80, above))));
        }
        var names = new ArrayList<byte[]>();
        subject.hosts().forEach(host -> names.add(Der.element(0x82, host.getBytes(StandardCharsets.UTF_8))));
        subject.addresses().forEach(address -> names.add(Der.element(0x87, address)));
        if (!names.isEmpty()) {
            all.add(extension("2.5.29.17", own.length <= 2, Der.sequence(names.toArray(byte[][]::new))));
        }
        return all.toArray(byte[][]::new);
    }

    private static byte[] extension(String name, boolean isCritical, byte[] value) {
        var critical = isCritical ? Der.element(Der.BOOLEAN, new byte[] {(byte) 0xFF}) : new byte[0];
        return Der.sequence(Der.name(name), critical, Der.octets(value));
    }

    private static byte[] fingerprint(KeyPair keys) {
        var bits = Der.readSequence(keys.getPublic().getEncoded()).get(1).content();
        try {
            var digest = MessageDigest.getInstance("SHA-256").digest(Arrays.copyOfRange(bits, 1, bits.length));
            return Arrays.copyOf(digest, 20);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    /// The identifier of a certificate's own key, or null.
    public static byte @Nullable [] subjectKey(X509Certificate certificate) {
        var value = certificate.getExtensionValue(SUBJECT_KEY);
        return value == null
                ? null
                : Der.read(Der.read(value).getFirst().content()).getFirst().content();
    }

    /// The identifier of the key that signed a certificate, or null where it does not say.
    public static byte @Nullable [] authorityKey(X509Certificate certificate) {
        var value = certificate.getExtensionValue("2.5.29.35");
        if (value == null) {
            return null;
        }
        for (var part : Der.readSequence(Der.read(value).getFirst().content())) {
            if (part.tag() == 0x80) {
                return part.content();
            }
        }
        return null;
    }

    /// Reads a certificate in PEM: the first of a text.
    public static X509Certificate read(String pem) {
        var blocks = Pem.read(pem);
        if (blocks.isEmpty()) {
            throw new CryptoError("unable to decode certificate");
        }
        return parse(blocks.getFirst().content());
    }

    public static X509Certificate parse(byte[] encoded) {
        try {
            return (X509Certificate)
                    CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(encoded));
        } catch (CertificateException e) {
            throw new CryptoError("x509: malformed certificate");
        }
    }
}

package dev.towtank.apiserver.pki;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.cert.CertificateEncodingException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.Base64;

/// Keys and certificates to PEM text and back.
final class Pem {
    private static final String CERTIFICATE = "CERTIFICATE";
    private static final String PRIVATE_KEY = "PRIVATE KEY";
    private static final String PUBLIC_KEY = "PUBLIC KEY";

    /// Ours have a few hundred bytes; a larger file is something else.
    private static final int MAX_FILE_SIZE = 64 * 1024;

    private static final Base64.Encoder LINES = Base64.getMimeEncoder(64, new byte[] {'\n'});

    private Pem() {}

    static String of(X509Certificate certificate) {
        try {
            return encode(CERTIFICATE, certificate.getEncoded());
        } catch (CertificateEncodingException e) {
            throw new IllegalStateException("a certificate that was parsed has no encoding", e);
        }
    }

    static String of(PrivateKey key) {
        return encode(PRIVATE_KEY, key.getEncoded());
    }

    static String of(PublicKey key) {
        return encode(PUBLIC_KEY, key.getEncoded());
    }

    static X509Certificate certificate(Path file) {
        try {
            var der = new ByteArrayInputStream(decode(file, CERTIFICATE));
            return (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(der);
        } catch (GeneralSecurityException e) {
            throw damaged(file, CERTIFICATE);
        }
    }

    static PrivateKey privateKey(Path file) {
        try {
            return KeyFactory.getInstance("EC").generatePrivate(new PKCS8EncodedKeySpec(decode(file, PRIVATE_KEY)));
        } catch (GeneralSecurityException e) {
            throw damaged(file, PRIVATE_KEY);
        }
    }

    static PublicKey publicKey(Path file) {
        try {
            return KeyFactory.getInstance("EC").generatePublic(new X509EncodedKeySpec(decode(file, PUBLIC_KEY)));
        } catch (GeneralSecurityException e) {
            throw damaged(file, PUBLIC_KEY);
        }
    }

    private static String encode(String label, byte[] der) {
        return "-----BEGIN " + label + "-----\n" + LINES.encodeToString(der) + "\n-----END " + label + "-----\n";
    }

    private static byte[] decode(Path file, String label) {
        var text = read(file);
        var begin = "-----BEGIN " + label + "-----";
        int from = text.indexOf(begin);
        int to = text.indexOf("-----END " + label + "-----");
        if (from < 0 || to < from) {
            throw damaged(file, label);
        }
        try {
            return Base64.getMimeDecoder().decode(text.substring(from + begin.length(), to));
        } catch (IllegalArgumentException e) {
            throw damaged(file, label);
        }
    }

    private static String read(Path file) {
        try (var in = Files.newInputStream(file)) {
            return new String(in.readNBytes(MAX_FILE_SIZE), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            throw new Pki.Unusable("Cannot read " + file + ": " + e.getMessage(), e);
        }
    }

    // The cause stays out: a parser may quote what it could not read, and that may be a key.
    private static Pki.Unusable damaged(Path file, String label) {
        return new Pki.Unusable(file + " is damaged: it holds no readable " + label + " of an EC key. "
                + "Put it back from a copy, or remove the directory " + file.getParent()
                + " to have all keys and certificates made anew (clients then need the new kubeconfig).");
    }
}

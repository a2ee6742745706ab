package dev.towtank.apiserver.pki;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.ECGenParameterSpec;

/// EC keys, on P-256 mostly: made in under a millisecond, where an RSA key takes a third of a second.
final class EcKeys {
    static final String SIGNATURE = "SHA256withECDSA";

    private EcKeys() {}

    static KeyPair make() {
        return make("secp256r1");
    }

    static KeyPair make(String curve) {
        try {
            var generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec(curve));
            return generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has " + curve, e);
        }
    }

    static boolean belongTogether(PrivateKey privateKey, PublicKey publicKey) {
        var probe = "towtank".getBytes(StandardCharsets.US_ASCII);
        try {
            var signer = Signature.getInstance(SIGNATURE);
            signer.initSign(privateKey);
            signer.update(probe);
            var signature = signer.sign();
            var verifier = Signature.getInstance(SIGNATURE);
            verifier.initVerify(publicKey);
            verifier.update(probe);
            return verifier.verify(signature);
        } catch (GeneralSecurityException e) {
            return false;
        }
    }
}

package dev.towtank.apiserver.auth;

import dev.towtank.model.Json;
import dev.towtank.model.Sha256;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.interfaces.ECPublicKey;
import java.security.spec.ECGenParameterSpec;

/// An EC key pair, on P-256 or P-384, that signs service account tokens.
///
/// Its id is the hash of the public key, so that a key needs no name and two servers with one key agree on it.
public final class TokenKey {

    private final PrivateKey privateKey;
    private final ECPublicKey publicKey;
    private final TokenAlgorithm algorithm;
    private final String id;

    public TokenKey(KeyPair pair) {
        if (!(pair.getPublic() instanceof ECPublicKey ec)) {
            throw unusable();
        }
        this.algorithm = TokenAlgorithm.of(ec).orElseThrow(TokenKey::unusable);
        this.privateKey = pair.getPrivate();
        this.publicKey = ec;
        this.id = Jwt.encode(Sha256.of(ec.getEncoded()));
    }

    private static IllegalArgumentException unusable() {
        return new IllegalArgumentException("service account tokens need an EC key on P-256 or P-384");
    }

    public static TokenKey generate() {
        try {
            var generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"));
            return new TokenKey(generator.generateKeyPair());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has EC P-256", e);
        }
    }

    public String id() {
        return id;
    }

    public ECPublicKey publicKey() {
        return publicKey;
    }

    TokenAlgorithm algorithm() {
        return algorithm;
    }

    PrivateKey privateKey() {
        return privateKey;
    }

    /// The public half as an entry of a JSON Web Key Set.
    public Json.Obj jwk() {
        return Json.Obj.builder()
                .put("use", "sig")
                .put("kty", "EC")
                .put("kid", id)
                .put("crv", algorithm.curve())
                .put("alg", algorithm.name())
                .put("x", coordinate(publicKey.getW().getAffineX()))
                .put("y", coordinate(publicKey.getW().getAffineY()))
                .build();
    }

    private String coordinate(BigInteger value) {
        var bytes = value.toByteArray();
        int wanted = algorithm.coordinateBytes();
        var fixed = new byte[wanted];
        // A BigInteger may carry a sign byte in front, or fewer bytes than the coordinate has.
        int skipped = Math.max(0, bytes.length - wanted);
        int length = bytes.length - skipped;
        System.arraycopy(bytes, skipped, fixed, wanted - length, length);
        return Jwt.encode(fixed);
    }

    @Override
    public String toString() {
        return "TokenKey[" + id + "]";
    }
}

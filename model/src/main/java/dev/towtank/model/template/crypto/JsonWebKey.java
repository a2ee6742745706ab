package dev.towtank.model.template.crypto;

import dev.towtank.model.Json;
import java.math.BigInteger;
import java.security.AlgorithmParameters;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.PublicKey;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.ECParameterSpec;
import java.security.spec.ECPoint;
import java.security.spec.ECPrivateKeySpec;
import java.security.spec.ECPublicKeySpec;
import java.security.spec.RSAPrivateCrtKeySpec;
import java.security.spec.RSAPublicKeySpec;
import java.util.Base64;

/// A key in JSON, of RSA or of an elliptic curve.
public final class JsonWebKey {
    private final Json.Obj key;

    public JsonWebKey(Json.Obj key) {
        this.key = key;
    }

    public String publicPem() {
        try {
            return Pem.write("PUBLIC KEY", open().getEncoded());
        } catch (GeneralSecurityException e) {
            throw unusable();
        }
    }

    public String privatePem() {
        if (!key.has("d")) {
            throw new CryptoError("x509: the key is no private key");
        }
        try {
            if (isRsa()) {
                return Pem.write(
                        "PRIVATE KEY",
                        KeyFactory.getInstance("RSA")
                                .generatePrivate(new RSAPrivateCrtKeySpec(
                                        number("n"),
                                        number("e"),
                                        number("d"),
                                        number("p"),
                                        number("q"),
                                        number("dp"),
                                        number("dq"),
                                        number("qi")))
                                .getEncoded());
            }
            var secret = KeyFactory.getInstance("EC").generatePrivate(new ECPrivateKeySpec(number("d"), curve()));
            return PrivateKeys.pkcs8(new KeyPair(open(), secret));
        } catch (GeneralSecurityException e) {
            throw unusable();
        }
    }

    private PublicKey open() throws GeneralSecurityException {
        return isRsa()
                ? KeyFactory.getInstance("RSA").generatePublic(new RSAPublicKeySpec(number("n"), number("e")))
                : KeyFactory.getInstance("EC")
                        .generatePublic(new ECPublicKeySpec(new ECPoint(number("x"), number("y")), curve()));
    }

    private boolean isRsa() {
        return switch (key.string("kty")) {
            case "RSA" -> true;
            case "EC" -> false;
            default -> throw new CryptoError("invalid key type from JSON (" + key.string("kty") + ")");
        };
    }

    private ECParameterSpec curve() throws GeneralSecurityException {
        var parameters = AlgorithmParameters.getInstance("EC");
        parameters.init(new ECGenParameterSpec(
                switch (key.string("crv")) {
                    case "P-256" -> "secp256r1";
                    case "P-384" -> "secp384r1";
                    case "P-521" -> "secp521r1";
                    default -> throw new CryptoError("invalid elliptic curve (" + key.string("crv") + ")");
                }));
        return parameters.getParameterSpec(ECParameterSpec.class);
    }

    private BigInteger number(String field) {
        try {
            return new BigInteger(1, Base64.getUrlDecoder().decode(key.string(field)));
        } catch (IllegalArgumentException e) {
            throw unusable();
        }
    }

    public static CryptoError unusable() {
        return new CryptoError("failed to unmarshal JSON into key");
    }
}

package dev.towtank.apiserver.auth;

import java.security.interfaces.ECPublicKey;
import java.util.Arrays;
import java.util.Optional;

/// How service account tokens are signed, which follows from the curve of the key: so a token cannot choose a weaker
/// way than its key has.
enum TokenAlgorithm {
    ES256("P-256", 32, "SHA256withECDSAinP1363Format"),
    ES384("P-384", 48, "SHA384withECDSAinP1363Format");

    private final String curve;
    private final int coordinateBytes;
    private final String signature;

    TokenAlgorithm(String curve, int coordinateBytes, String signature) {
        this.curve = curve;
        this.coordinateBytes = coordinateBytes;
        this.signature = signature;
    }

    static Optional<TokenAlgorithm> of(ECPublicKey key) {
        int bits = key.getParams().getCurve().getField().getFieldSize();
        return Arrays.stream(values())
                .filter(algorithm -> algorithm.coordinateBytes * 8 == bits)
                .findFirst();
    }

    /// As JSON Web Keys name it.
    String curve() {
        return curve;
    }

    int coordinateBytes() {
        return coordinateBytes;
    }

    /// Two numbers of the curve, one behind the other.
    int signatureBytes() {
        return 2 * coordinateBytes;
    }

    /// As Java names it.
    String signature() {
        return signature;
    }
}

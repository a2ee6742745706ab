package dev.towtank.cluster.remote;

import io.fabric8.kubernetes.client.Config;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// What is in the certificates and keys that fabric8 is given. It is told of which kind the private key of the client
/// is: it takes every PKCS #8 key for RSA, and ours are EC.
final class ClientKeys {

    private static final Pattern PKCS8 =
            Pattern.compile("-----BEGIN PRIVATE KEY-----([A-Za-z0-9+/=\\s]+)-----END PRIVATE KEY-----");
    private static final List<String> ALGORITHMS = List.of("RSA", "EC", "EdDSA");

    private ClientKeys() {}

    static void findAlgorithm(Config config) {
        pem(config.getClientKeyData(), config.getClientKeyFile())
                .flatMap(ClientKeys::algorithm)
                .ifPresent(config::setClientKeyAlgo);
    }

    /// By which the server is known; empty for the machine's own list.
    static String authority(Config config) {
        return pem(config.getCaCertData(), config.getCaCertFile()).orElse("");
    }

    private static Optional<String> pem(@Nullable String data, @Nullable String file) {
        try {
            if (data != null) {
                return Optional.of(new String(Base64.getMimeDecoder().decode(data), StandardCharsets.ISO_8859_1));
            }
            return file == null ? Optional.empty() : Optional.of(Files.readString(Path.of(file)));
        } catch (IOException | IllegalArgumentException e) {
            // fabric8 reads it again, and says what is wrong with it
            return Optional.empty();
        }
    }

    static Optional<String> algorithm(String pem) {
        var key = PKCS8.matcher(pem);
        if (!key.find()) {
            return Optional.empty();
        }
        var spec = new PKCS8EncodedKeySpec(Base64.getMimeDecoder().decode(key.group(1)));
        return ALGORITHMS.stream().filter(algorithm -> fits(algorithm, spec)).findFirst();
    }

    private static boolean fits(String algorithm, PKCS8EncodedKeySpec spec) {
        try {
            return KeyFactory.getInstance(algorithm).generatePrivate(spec) != null;
        } catch (GeneralSecurityException e) {
            return false;
        }
    }
}

package dev.towtank.cluster.remote;

import static org.assertj.core.api.Assertions.assertThat;

import java.security.GeneralSecurityException;
import java.security.KeyPairGenerator;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClientKeysTest {

    @ParameterizedTest
    @CsvSource({"RSA, RSA", "EC, EC", "Ed25519, EdDSA"})
    void knowsTheAlgorithmOfAKey(String generator, String algorithm) throws GeneralSecurityException {
        var key = KeyPairGenerator.getInstance(generator).generateKeyPair().getPrivate();

        assertThat(ClientKeys.algorithm(pem(key.getEncoded()))).contains(algorithm);
    }

    private static String pem(byte[] key) {
        return "-----BEGIN PRIVATE KEY-----\n"
                + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(key)
                + "\n-----END PRIVATE KEY-----\n";
    }

    @Test
    void leavesOtherFormsToTheClient() {
        assertThat(ClientKeys.algorithm("-----BEGIN EC PRIVATE KEY-----\nMHc=\n-----END EC PRIVATE KEY-----"))
                .isEmpty();
        assertThat(ClientKeys.algorithm(pem(new byte[] {1, 2, 3}))).isEmpty();
        assertThat(ClientKeys.algorithm("")).isEmpty();
    }
}

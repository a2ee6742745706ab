package dev.towtank.apiserver.pki;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;

/// The file by which kubectl and every other client finds the server and proves who it is. Certificates are embedded,
/// so that it works from any place.
public final class Kubeconfig {
    private static final String NAME = "towtank";

    private Kubeconfig() {}

    /// Secret: it contains the user's private key.
    public static String text(URI server, String authorityPem, Credential user) {
        return """
                apiVersion: v1
                kind: Config
                clusters:
                - name: %1$s
                  cluster:
                    server: %2$s
                    certificate-authority-data: %3$s
                users:
                - name: %1$s
                  user:
                    client-certificate-data: %4$s
                    client-key-data: %5$s
                contexts:
                - name: %1$s
                  context:
                    cluster: %1$s
                    user: %1$s
                current-context: %1$s
                """.formatted(
                NAME, server, base64(authorityPem), base64(user.certificatePem()), base64(user.privateKeyPem()));
    }

    public static void write(Path file, URI server, Pki pki) throws IOException {
        PrivateFile.write(file, text(server, pki.authorityPem(), pki.admin()));
    }

    private static String base64(String pem) {
        return Base64.getEncoder().encodeToString(pem.getBytes(StandardCharsets.US_ASCII));
    }
}

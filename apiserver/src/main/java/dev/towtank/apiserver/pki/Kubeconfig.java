package dev.towtank.apiserver.pki;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;

/// The file by which kubectl and every other client finds the server and proves who it is. All that it needs is
/// embedded, so that it works from any place.
public final class Kubeconfig {
    private static final String NAME = "towtank";

    private Kubeconfig() {}

    /// Secret: it contains the token.
    public static String text(URI server, String authorityPem, String token) {
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
                    token: %4$s
                contexts:
                - name: %1$s
                  context:
                    cluster: %1$s
                    user: %1$s
                current-context: %1$s
                """.formatted(NAME, server, base64(authorityPem), token);
    }

    public static void write(Path file, URI server, Pki pki) throws IOException {
        PrivateFile.write(file, text(server, pki.authorityPem(), pki.adminToken()));
    }

    private static String base64(String pem) {
        return Base64.getEncoder().encodeToString(pem.getBytes(StandardCharsets.US_ASCII));
    }
}

package dev.towtank.app.client;

import dev.towtank.cluster.web.PemTls;
import java.io.IOException;
import java.util.Optional;
import javax.net.ssl.SSLContext;

/// TLS from the PEM texts of a kubeconfig.
final class KubeconfigTls {

    private KubeconfigTls() {}

    /// @param authority whom to trust; the JDK's list without one
    static SSLContext context(
            Optional<String> authority, Optional<String> certificate, Optional<String> key, boolean insecure) {
        if (insecure) {
            throw new ClientProblem(
                    "The kubeconfig says insecure-skip-tls-verify, and Towtank talks to no server that it"
                            + " does not know. Give it certificate-authority-data instead.");
        }
        try {
            return PemTls.context(authority, certificate, key);
        } catch (IOException e) {
            throw new ClientProblem("The certificates in the kubeconfig cannot be used: " + e.getMessage(), e);
        }
    }
}

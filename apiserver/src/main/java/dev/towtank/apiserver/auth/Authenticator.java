package dev.towtank.apiserver.auth;

import dev.towtank.apiserver.User;
import dev.towtank.model.LogicalCluster;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;

/// Finds out who a request comes from.
public interface Authenticator {

    /// The user that the credentials prove, or nothing where there are none.
    ///
    /// @throws dev.towtank.model.StatusError Unauthorized when credentials are given and wrong
    Optional<Identity> authenticate(Credentials credentials);

    /// What a request brought: a verified client certificate chain (may be empty), a bearer token (may be empty).
    record Credentials(List<X509Certificate> certificates, String bearerToken) {
        public Credentials {
            certificates = List.copyOf(certificates);
        }

        @Override
        public String toString() {
            return "Credentials[certificates=" + certificates.size() + ", token "
                    + (bearerToken.isEmpty() ? "absent" : "present") + "]";
        }
    }

    /// @param cluster the only logical cluster these credentials are good for, or empty for all
    record Identity(User user, Optional<LogicalCluster> cluster) {}
}

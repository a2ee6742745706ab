package dev.towtank.apiserver.auth;

import dev.towtank.model.StatusError;
import java.util.List;
import java.util.Optional;

/// Puts several ways to prove an identity together.
public final class Authenticators {

    private Authenticators() {}

    /// The first proof that holds counts. Credentials that nobody recognises are refused, not taken for anonymous.
    public static Authenticator union(Authenticator... all) {
        var authenticators = List.of(all);
        return credentials -> {
            boolean refused = !credentials.bearerToken().isEmpty();
            for (var authenticator : authenticators) {
                try {
                    var identity = authenticator.authenticate(credentials);
                    if (identity.isPresent()) {
                        return identity;
                    }
                } catch (StatusError error) {
                    if (!error.is(StatusError.Reason.UNAUTHORIZED)) {
                        throw error;
                    }
                    refused = true;
                }
            }
            if (refused) {
                throw StatusError.unauthorized();
            }
            return Optional.empty();
        };
    }
}

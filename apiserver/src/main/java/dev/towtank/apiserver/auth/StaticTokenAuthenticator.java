package dev.towtank.apiserver.auth;

import dev.towtank.model.Sha256;
import java.security.MessageDigest;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A few fixed tokens, such as the one that the command line on this machine uses. Only their hashes are kept.
public final class StaticTokenAuthenticator implements Authenticator {

    private final List<Entry> entries;

    private static final class Entry {
        private final byte[] hash;
        private final Identity identity;

        Entry(byte[] hash, Identity identity) {
            this.hash = hash;
            this.identity = identity;
        }
    }

    public StaticTokenAuthenticator(Map<String, Identity> byToken) {
        if (byToken.containsKey("")) {
            throw new IllegalArgumentException(
                    "a static token must not be empty: every request without one would match");
        }
        entries = byToken.entrySet().stream()
                .map(each -> new Entry(Sha256.of(each.getKey()), each.getValue()))
                .toList();
    }

    @Override
    public Optional<Identity> authenticate(Credentials credentials) {
        var token = credentials.bearerToken();
        if (token.isEmpty() || token.length() > Jwt.MAX_LENGTH) {
            return Optional.empty();
        }
        var hash = Sha256.of(token);
        Optional<Identity> found = Optional.empty();
        // Every entry is compared, so that the time tells nothing about which one came close.
        for (var entry : entries) {
            if (MessageDigest.isEqual(entry.hash, hash)) {
                found = Optional.of(entry.identity);
            }
        }
        return found;
    }
}

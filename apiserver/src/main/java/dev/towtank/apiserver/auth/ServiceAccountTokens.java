package dev.towtank.apiserver.auth;

import dev.towtank.apiserver.User;
import dev.towtank.apiserver.store.Key;
import dev.towtank.model.BoundedMap;
import dev.towtank.model.GroupResource;
import dev.towtank.model.Json;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.Resource;
import dev.towtank.model.Sha256;
import dev.towtank.model.StatusError;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Issues the tokens of service accounts and recognises them again.
///
/// A token is good for one logical cluster, and only while what it is bound to lives: its service account and, where it
/// names one, its pod, secret or node. That is looked up on every request, so a deletion counts at once.
public final class ServiceAccountTokens implements Authenticator {

    private static final int REMEMBERED_TOKENS = 4096;

    private final TokenKey signingKey;
    private final List<TokenKey> keys;
    private final Map<String, TokenKey> keysById = new HashMap<>();
    private final String issuer;
    private final List<String> audiences;
    private final ObjectLookup objects;
    private final InstantSource clock;
    /// The claims of the tokens used last.
    private final BoundedMap<Hash, ServiceAccountClaims> remembered = BoundedMap.byUse(REMEMBERED_TOKENS);

    /// @param olderKeys no longer sign, but tokens signed with them stay good: how a key is rotated
    /// @param audiences of the API itself; tokens for others are not accepted here
    public ServiceAccountTokens(
            TokenKey signingKey,
            List<TokenKey> olderKeys,
            String issuer,
            List<String> audiences,
            ObjectLookup objects,
            InstantSource clock) {
        this.signingKey = signingKey;
        var all = new ArrayList<TokenKey>();
        all.add(signingKey);
        all.addAll(olderKeys);
        this.keys = List.copyOf(all);
        keys.forEach(key -> keysById.put(key.id(), key));
        this.issuer = issuer;
        this.audiences = List.copyOf(audiences);
        this.objects = objects;
        this.clock = clock;
    }

    /// A token that holds.
    ///
    /// @param audiences those asked for that the token is good for
    public record Verified(User user, LogicalCluster cluster, List<String> audiences) {
        public Verified {
            audiences = List.copyOf(audiences);
        }
    }

    public String issuer() {
        return issuer;
    }

    public List<String> audiences() {
        return audiences;
    }

    /// By which others verify these tokens.
    public OpenIdDiscovery discovery() {
        return new OpenIdDiscovery(issuer, keys);
    }

    String issue(ServiceAccountClaims claims) {
        return Jwt.sign(signingKey, claims.json(issuer));
    }

    @Override
    public Optional<Identity> authenticate(Credentials credentials) {
        var token = credentials.bearerToken();
        if (token.isEmpty()) {
            return Optional.empty();
        }
        try {
            return verify(token, audiences)
                    .map(verified -> new Identity(verified.user(), Optional.of(verified.cluster())));
        } catch (Jwt.Invalid e) {
            throw StatusError.unauthorized();
        }
    }

    /// Who a token belongs to; empty where it is not a token of ours at all.
    ///
    /// @throws Jwt.Invalid when it claims to be ours and does not hold
    Optional<Verified> verify(String token, List<String> wanted) {
        if (token.length() > Jwt.MAX_LENGTH) {
            return Optional.empty();
        }
        var hash = new Hash(Sha256.of(token));
        var known = recall(hash);
        if (known == null) {
            var unchecked = Jwt.peek(token);
            if (unchecked == null || !issuer.equals(unchecked.string("iss"))) {
                return Optional.empty();
            }
            known = signedClaims(token);
            remember(hash, known);
        }
        return Optional.of(checked(known, wanted));
    }

    private Verified checked(ServiceAccountClaims claims, List<String> wanted) {
        var common = claims.audiences().stream().filter(wanted::contains).toList();
        if (common.isEmpty()) {
            throw new Jwt.Invalid("token audiences do not match");
        }
        requireTime(claims, clock.instant());
        requireLiving(claims);
        return new Verified(claims.user(), claims.cluster(), common);
    }

    private ServiceAccountClaims signedClaims(String token) {
        return ServiceAccountClaims.read(Jwt.verify(token, keysById::get));
    }

    // Checking a signature costs more than the rest of a request, and a signature stays right for ever.
    private @Nullable ServiceAccountClaims recall(Hash hash) {
        synchronized (remembered) {
            return remembered.get(hash);
        }
    }

    private void remember(Hash hash, ServiceAccountClaims claims) {
        synchronized (remembered) {
            remembered.put(hash, claims);
        }
    }

    private static void requireTime(ServiceAccountClaims claims, Instant now) {
        if (!now.isBefore(claims.expires())) {
            throw new Jwt.Invalid("service account token has expired");
        }
        if (now.isBefore(claims.notBefore()) || now.isBefore(claims.issued())) {
            throw new Jwt.Invalid("service account token is not valid yet");
        }
    }

    private void requireLiving(ServiceAccountClaims claims) {
        requireLiving(claims, "serviceaccounts", claims.namespace(), claims.account());
        claims.pod().ifPresent(pod -> requireLiving(claims, "pods", claims.namespace(), pod));
        claims.secret().ifPresent(secret -> requireLiving(claims, "secrets", claims.namespace(), secret));
        if (claims.pod().isEmpty()) {
            claims.node().ifPresent(node -> requireLiving(claims, "nodes", "", node));
        }
    }

    private void requireLiving(
            ServiceAccountClaims claims, String resource, String namespace, ServiceAccountClaims.Reference reference) {
        var key = new Key(new GroupResource("", resource), claims.cluster(), namespace, reference.name());
        var found = objects.find(key);
        if (found == null || !Resource.of(found).uid().equals(reference.uid()) || isGone(found)) {
            throw new Jwt.Invalid("service account token has been invalidated");
        }
    }

    // A pod that shuts down keeps its token until its time is over: its last requests are part of shutting down.
    private boolean isGone(Json.Obj object) {
        var resource = Resource.of(object);
        return resource.isDeleting()
                && resource.deletionTimestamp()
                        .map(moment -> !clock.instant().isBefore(moment))
                        .orElse(true);
    }

    /// The hash of a token as a key: the token itself is not kept.
    private static final class Hash {
        private final byte[] bytes;

        Hash(byte[] bytes) {
            this.bytes = bytes;
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Hash hash && Arrays.equals(bytes, hash.bytes);
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(bytes);
        }
    }
}

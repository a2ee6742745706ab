package dev.towtank.controllers.pipelinesascode.source;

import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.format.DateTimeParseException;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// Speaks as a GitHub App: signs who it is, and asks for tokens that are good for one repository and an hour.
final class GitHubApp {

    private static final Duration EARLY = Duration.ofMinutes(5);
    private static final Duration SIGNED_FOR = Duration.ofMinutes(9);
    private static final int MOST_TOKENS = 1000;
    private static final Base64.Encoder URL = Base64.getUrlEncoder().withoutPadding();

    /// What DER says before a key that only says its numbers, to say that they are those of RSA.
    private static final byte[] RSA = {
        0x02,
        0x01,
        0x00,
        0x30,
        0x0d,
        0x06,
        0x09,
        0x2a,
        (byte) 0x86,
        0x48,
        (byte) 0x86,
        (byte) 0xf7,
        0x0d,
        0x01,
        0x01,
        0x01,
        0x05,
        0x00
    };

    private final InstantSource clock;
    private final Map<String, Token> tokens = new ConcurrentHashMap<>();

    private record Token(String value, Instant expires) {}

    GitHubApp(InstantSource clock) {
        this.clock = clock;
    }

    /// @param key in PEM, as GitHub gives it
    record Identity(String id, String key) {
        @Override
        public String toString() {
            return "GitHub App " + id;
        }
    }

    /// @param root of the API
    /// @param repositories by their names, the only ones that the token is for
    String token(Identity app, String root, long installation, List<String> repositories)
            throws IOException, InterruptedException {
        var name = app.id() + " " + root + " " + installation + " " + repositories;
        var known = tokens.get(name);
        if (known != null && clock.instant().isBefore(known.expires().minus(EARLY))) {
            return known.value();
        }
        var wish = Json.Obj.of("repositories", Json.Arr.ofStrings(repositories));
        var answer = http(app).post(root + "/app/installations/" + installation + "/access_tokens", wish);
        var token = answer.string("token");
        if (token.isEmpty()) {
            throw new IOException("GitHub gave no token for the installation " + installation);
        }
        if (tokens.size() >= MOST_TOKENS) {
            tokens.clear();
        }
        tokens.put(name, new Token(token, expiry(answer.string("expires_at"))));
        return token;
    }

    /// Which installation a repository belongs to, where no event says so.
    long installation(Identity app, String root, String owner, String name) throws IOException, InterruptedException {
        return http(app)
                .get(root + "/repos/" + Forges.encoded(owner) + "/" + Forges.encoded(name) + "/installation")
                .integer("id");
    }

    private Instant expiry(String text) {
        try {
            return Instant.parse(text);
        } catch (DateTimeParseException e) {
            return clock.instant();
        }
    }

    private ForgeHttp http(Identity app) throws IOException {
        return new ForgeHttp(ForgeHttp.Credential.bearer(signed(app)), () -> {});
    }

    private String signed(Identity app) throws IOException {
        var now = clock.instant();
        var header = Json.Obj.of("alg", Json.of("RS256"), "typ", Json.of("JWT"));
        var claims = Json.Obj.builder()
                // Their clock may be behind ours.
                .put("iat", now.minusSeconds(60).getEpochSecond())
                .put("exp", now.plus(SIGNED_FOR).getEpochSecond())
                .put("iss", app.id())
                .build();
        var text = URL.encodeToString(JsonText.bytes(header)) + "." + URL.encodeToString(JsonText.bytes(claims));
        try {
            var signature = Signature.getInstance("SHA256withRSA");
            signature.initSign(key(app.key()));
            signature.update(text.getBytes(StandardCharsets.US_ASCII));
            return text + "." + URL.encodeToString(signature.sign());
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            // Without the cause, which may quote the key.
            throw new IOException("github-private-key in the Secret pipelines-as-code-secret is no RSA key in PEM");
        }
    }

    private static PrivateKey key(String pem) throws GeneralSecurityException {
        boolean isBare = pem.contains("BEGIN RSA PRIVATE KEY");
        var der = Base64.getMimeDecoder()
                .decode(pem.replaceAll("-----[A-Z ]+-----", "").replaceAll("\\s", ""));
        return KeyFactory.getInstance("RSA").generatePrivate(new PKCS8EncodedKeySpec(isBare ? wrapped(der) : der));
    }

    private static byte[] wrapped(byte[] bare) {
        var inner = joined(RSA, tagged(0x04, bare));
        return tagged(0x30, inner);
    }

    private static byte[] tagged(int tag, byte[] content) {
        // Long enough for every key: two bytes of length.
        var head = new byte[] {(byte) tag, (byte) 0x82, (byte) (content.length >> 8), (byte) content.length};
        return joined(head, content);
    }

    private static byte[] joined(byte[] one, byte[] other) {
        var all = new byte[one.length + other.length];
        System.arraycopy(one, 0, all, 0, one.length);
        System.arraycopy(other, 0, all, one.length, other.length);
        return all;
    }
}

package dev.towtank.apiserver.auth;

import static dev.towtank.apiserver.Objects.json;
import static dev.towtank.apiserver.Objects.key;
import static dev.towtank.apiserver.Objects.put;
import static dev.towtank.apiserver.Objects.remove;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.towtank.apiserver.User;
import dev.towtank.apiserver.auth.Authenticator.Credentials;
import dev.towtank.apiserver.auth.Authenticator.Identity;
import dev.towtank.apiserver.store.JournaledStore;
import dev.towtank.apiserver.store.Store;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.LogicalCluster;
import dev.towtank.model.StatusError;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPairGenerator;
import java.security.spec.ECGenParameterSpec;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TokenTest {

    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
    private static final String ISSUER = "https://kubernetes.default.svc";
    private static final LogicalCluster OTHER = new LogicalCluster("other");

    private final Store store = JournaledStore.inMemory();

    @AfterEach
    void close() {
        store.close();
    }

    private final TokenKey signingKey = TokenKey.generate();
    private Instant now = START;
    private final ServiceAccountTokens tokens =
            new ServiceAccountTokens(signingKey, List.of(), ISSUER, List.of(ISSUER), ObjectLookup.of(store), () -> now);
    private final TokenRequests requests = new TokenRequests(tokens, ObjectLookup.of(store), () -> now);

    @BeforeEach
    void store() {
        put(store, "serviceaccounts", account("builder", "uid-sa"));
        put(store, OTHER, "serviceaccounts", json(account("builder", "uid-sa")));
        put(store, "nodes", "{'metadata': {'name': 'worker', 'uid': 'uid-node'}}");
        put(store, "pods", """
                {'metadata': {'namespace': 'ci', 'name': 'job', 'uid': 'uid-pod'},
                 'spec': {'serviceAccountName': 'builder', 'nodeName': 'worker'}}""");
        put(store, "secrets", "{'metadata': {'namespace': 'ci', 'name': 'saved', 'uid': 'uid-secret'}}");
    }

    private static String account(String name, String uid) {
        return "{'metadata': {'namespace': 'ci', 'name': '" + name + "', 'uid': '" + uid + "'}}";
    }

    private Json.Obj request(String spec) {
        var found = store.get(key("serviceaccounts", "ci", "builder"));
        return requests.issue(LogicalCluster.DEFAULT, found.tree(), json("{'spec': " + spec + "}"));
    }

    private String token(String spec) {
        return request(spec).string("status", "token");
    }

    private Identity authenticate(String token) {
        return tokens.authenticate(new Credentials(List.of(), token)).orElseThrow();
    }

    private void assertRefused(String token) {
        assertThatThrownBy(() -> Authenticators.union(tokens).authenticate(new Credentials(List.of(), token)))
                .isInstanceOfSatisfying(StatusError.class, error -> {
                    assertThat(error.code()).isEqualTo(401);
                    assertThat(error.text()).isEqualTo("Unauthorized");
                });
    }

    @Test
    void recognisesTheServiceAccountOfAToken() {
        var identity = authenticate(token("{}"));

        assertThat(identity.user().name()).isEqualTo("system:serviceaccount:ci:builder");
        assertThat(identity.user().uid()).isEqualTo("uid-sa");
        assertThat(identity.user().groups())
                .isEqualTo(Set.of("system:serviceaccounts", "system:serviceaccounts:ci", "system:authenticated"));
        assertThat(identity.cluster()).contains(LogicalCluster.DEFAULT);
    }

    @Test
    void tellsThePodAndNodeOfABoundToken() {
        var user = authenticate(token("{'boundObjectRef': {'apiVersion': 'v1', 'kind': 'Pod', 'name': 'job'}}"))
                .user();

        assertThat(user.extra())
                .containsEntry("authentication.kubernetes.io/pod-name", List.of("job"))
                .containsEntry("authentication.kubernetes.io/pod-uid", List.of("uid-pod"))
                .containsEntry("authentication.kubernetes.io/node-name", List.of("worker"))
                .containsEntry("authentication.kubernetes.io/node-uid", List.of("uid-node"))
                .containsKey("authentication.kubernetes.io/credential-id");
    }

    @Test
    void answersTheRequestWithItsDefaults() {
        var answer = request("{}");

        assertThat(answer.array("spec", "audiences").strings()).containsExactly(ISSUER);
        assertThat(answer.integer("spec", "expirationSeconds")).isEqualTo(3600);
        assertThat(answer.string("status", "expirationTimestamp")).isEqualTo("2026-01-01T01:00:00Z");
        assertThat(answer.string("metadata", "name")).isEqualTo("builder");
        assertThat(answer.string("kind")).isEqualTo("TokenRequest");
    }

    @Test
    void writesTheClaimsThatKubernetesWrites() {
        var token = token("""
                {'expirationSeconds': 3607, 'boundObjectRef': {'apiVersion': 'v1', 'kind': 'Pod', 'name': 'job'}}""");
        var claims = part(token, 1);

        assertThat(claims.without("jti")).isEqualTo(json("""
                {'aud': ['https://kubernetes.default.svc'], 'iss': 'https://kubernetes.default.svc',
                 'iat': 1767225600, 'nbf': 1767225600, 'exp': 1798761600,
                 'sub': 'system:serviceaccount:ci:builder', 'towtank.dev/cluster': 'default',
                 'kubernetes.io': {'namespace': 'ci', 'warnafter': 1767229207,
                   'serviceaccount': {'name': 'builder', 'uid': 'uid-sa'},
                   'pod': {'name': 'job', 'uid': 'uid-pod'}, 'node': {'name': 'worker', 'uid': 'uid-node'}}}"""));
        assertThat(part(token, 0)).isEqualTo(Json.Obj.of("alg", Json.of("ES256"), "kid", Json.of(signingKey.id())));
    }

    @Test
    void refusesATokenWithoutSignature() {
        var parts = token("{}").split("\\.", -1);
        assertRefused(encode("{\"alg\":\"none\"}") + "." + parts[1] + ".");
        assertRefused(
                encode("{\"alg\":\"none\",\"kid\":\"" + signingKey.id() + "\"}") + "." + parts[1] + "." + parts[2]);
        assertRefused(parts[0] + "." + parts[1] + ".");
        assertRefused(parts[0] + "." + parts[1]);
    }

    @Test
    void refusesATokenOfAnotherAlgorithm() {
        var parts = token("{}").split("\\.", -1);
        assertRefused(
                encode("{\"alg\":\"HS256\",\"kid\":\"" + signingKey.id() + "\"}") + "." + parts[1] + "." + parts[2]);
    }

    @Test
    void refusesATokenOfAnotherKey() {
        var forger = TokenKey.generate();
        var claims = part(token("{}"), 1);
        assertRefused(Jwt.sign(forger, claims));

        var forged = Jwt.sign(forger, claims).split("\\.", -1);
        assertRefused(
                encode("{\"alg\":\"ES256\",\"kid\":\"" + signingKey.id() + "\"}") + "." + forged[1] + "." + forged[2]);
    }

    @Test
    void refusesATamperedToken() {
        var parts = token("{}").split("\\.", -1);
        var claims = JsonText.write(part(token("{}"), 1)).replace("builder", "admin");
        assertRefused(parts[0] + "." + encode(claims) + "." + parts[2]);
        // Another letter, whatever the first one was: a signature is random, and may well end in what a test writes.
        char other = parts[2].charAt(0) == 'A' ? 'B' : 'A';
        assertRefused(parts[0] + "." + parts[1] + "." + other + parts[2].substring(1));
    }

    @Test
    void refusesASpellingThatNobodySigns() {
        var token = token("{}");
        assertRefused(token + "==");
        assertRefused(token + ".x");
        assertRefused(token + "x".repeat(20_000));
    }

    @Test
    void refusesClaimsThatAreMissing() {
        for (var claim :
                List.of("aud", "exp", "nbf", "iat", "iss", "sub", "jti", "kubernetes.io", "towtank.dev/cluster")) {
            assertRefused(changed(claims -> claims.without(claim)));
        }
        assertRefused(changed(claims -> claims.with("exp", Json.of("never"))));
        assertRefused(changed(claims -> claims.with("towtank.dev/cluster", Json.of("../x"))));
    }

    @Test
    void refusesAFieldThatStandsTwice() {
        var parts = token("{}").split("\\.", -1);
        var header = "{\"alg\":\"ES256\",\"alg\":\"ES256\",\"kid\":\"" + signingKey.id() + "\"}";
        assertRefused(encode(header) + "." + parts[1] + "." + parts[2]);
    }

    @Test
    void refusesATokenForAnotherAudience() {
        assertRefused(token("{'audiences': ['vault']}"));
    }

    @Test
    void refusesAnExpiredToken() {
        var token = token("{'expirationSeconds': 600}");
        now = START.plusSeconds(599);
        authenticate(token);
        now = START.plusSeconds(600);
        assertRefused(token);
    }

    @Test
    void refusesATokenThatIsNotValidYet() {
        var token = token("{}");
        now = START.minusSeconds(1);
        assertRefused(token);
    }

    @Test
    void refusesATokenOnceItsAccountIsGone() {
        var token = token("{}");
        authenticate(token);
        remove(store, key("serviceaccounts", "ci", "builder"));
        assertRefused(token);
    }

    @Test
    void refusesATokenOfAnAccountThatWasMadeAgain() {
        var token = token("{}");
        put(store, "serviceaccounts", account("builder", "another-uid"));
        assertRefused(token);
    }

    @Test
    void refusesATokenOnceItsPodIsGone() {
        var token = token("{'boundObjectRef': {'apiVersion': 'v1', 'kind': 'Pod', 'name': 'job'}}");
        put(store, "pods", """
                {'metadata': {'namespace': 'ci', 'name': 'job', 'uid': 'uid-pod',
                 'deletionTimestamp': '2026-01-01T00:00:30Z'}}""");
        authenticate(token);
        now = START.plusSeconds(30);
        assertRefused(token);
        remove(store, key("pods", "ci", "job"));
        assertRefused(token);
    }

    @Test
    void refusesATokenOnceItsSecretIsGone() {
        var token = token("{'boundObjectRef': {'apiVersion': 'v1', 'kind': 'Secret', 'name': 'saved'}}");
        authenticate(token);
        remove(store, key("secrets", "ci", "saved"));
        assertRefused(token);
    }

    @Test
    void refusesATokenOnceItsNodeIsGone() {
        var token = token("{'boundObjectRef': {'apiVersion': 'v1', 'kind': 'Node', 'name': 'worker'}}");
        authenticate(token);
        remove(store, key("nodes", "", "worker"));
        assertRefused(token);
    }

    @Test
    void bindsATokenToItsLogicalCluster() {
        var account = store.get(key(OTHER, "serviceaccounts", "ci", "builder"));
        var token = requests.issue(OTHER, account.tree(), json("{}")).string("status", "token");

        assertThat(authenticate(token).cluster()).contains(OTHER);
        store.drop(OTHER);
        assertRefused(token);
    }

    @Test
    void acceptsTokensOfAnOlderKey() {
        var token = token("{}");
        var rotated = new ServiceAccountTokens(
                TokenKey.generate(), List.of(signingKey), ISSUER, List.of(ISSUER), ObjectLookup.of(store), () -> now);

        assertThat(rotated.authenticate(new Credentials(List.of(), token))).isPresent();
        assertThat(rotated.discovery().keySet().array("keys").size()).isEqualTo(2);
    }

    /// As the keys of single runs are: their first signature is quick.
    @Test
    void signsAsTheCurveOfTheKeyWantsIt() throws GeneralSecurityException {
        var generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec("secp384r1"));
        var larger = new TokenKey(generator.generateKeyPair());
        var both = new ServiceAccountTokens(
                larger, List.of(signingKey), ISSUER, List.of(ISSUER), ObjectLookup.of(store), () -> now);
        var claims = part(token("{}"), 1);
        var token = Jwt.sign(larger, claims);

        assertThat(part(token, 0)).isEqualTo(Json.Obj.of("alg", Json.of("ES384"), "kid", Json.of(larger.id())));
        assertThat(both.authenticate(new Credentials(List.of(), token))).isPresent();
        assertThat(larger.jwk().string("crv")).isEqualTo("P-384");
        assertThat(Base64.getUrlDecoder().decode(larger.jwk().string("x"))).hasSize(48);
        assertThat(both.discovery().configuration("").array("id_token_signing_alg_values_supported"))
                .isEqualTo(Json.Arr.of(Json.of("ES384"), Json.of("ES256")));

        var parts = token.split("\\.", -1);
        var other = encode("{\"alg\":\"ES256\",\"kid\":\"" + larger.id() + "\"}") + "." + parts[1] + "." + parts[2];
        assertThatThrownBy(() -> both.authenticate(new Credentials(List.of(), other)))
                .hasMessage("Unauthorized");
    }

    @Test
    void leavesTokensOfOthersToOthers() {
        assertThat(tokens.authenticate(new Credentials(List.of(), "abc"))).isEmpty();
        assertThat(tokens.authenticate(new Credentials(List.of(), ""))).isEmpty();
        assertThat(Authenticators.union(tokens).authenticate(new Credentials(List.of(), "")))
                .isEmpty();
    }

    @Test
    void refusesImpossibleRequests() {
        assertThatThrownBy(() -> request("{'expirationSeconds': 599}"))
                .hasMessage(
                        "TokenRequest.authentication.k8s.io \"\" is invalid: spec.expirationSeconds: Invalid value: 599:"
                                + " may not specify a duration less than 10 minutes");
        assertThatThrownBy(() -> request("{'expirationSeconds': 4294967297}"))
                .hasMessageContaining("may not specify a duration larger than 2^32 seconds");
        assertThatThrownBy(() -> request("{'boundObjectRef': {'apiVersion': 'v1', 'kind': 'Pod', 'name': 'none'}}"))
                .hasMessage("pods \"none\" not found");
        assertThatThrownBy(() -> request("{'boundObjectRef': {'apiVersion': 'v1', 'kind': 'ConfigMap', 'name': 'x'}}"))
                .hasMessage("cannot bind token to object of type /v1, Kind=ConfigMap");
        assertThatThrownBy(() -> request("""
                        {'boundObjectRef': {'apiVersion': 'v1', 'kind': 'Pod', 'name': 'job', 'uid': 'old'}}"""))
                .hasMessage(
                        "Operation cannot be fulfilled on Pod \"job\": the UID in the bound object reference (old) does"
                                + " not match the UID in record. The object might have been deleted and then recreated");
        put(store, "pods", "{'metadata': {'namespace': 'ci', 'name': 'job'}, 'spec': {'serviceAccountName': 'x'}}");
        assertThatThrownBy(() -> request("{'boundObjectRef': {'apiVersion': 'v1', 'kind': 'Pod', 'name': 'job'}}"))
                .hasMessage(
                        "cannot bind token for serviceaccount \"builder\" to pod running with different serviceaccount"
                                + " name.");
    }

    @Test
    void reviewsTokens() {
        var reviews = new IdentityReviews(tokens, fixed("letmein", User.of("root", User.MASTERS)));
        var good = review(reviews, token("{}"), "[]");
        assertThat(good.flag("status", "authenticated")).isTrue();
        assertThat(good.string("status", "user", "username")).isEqualTo("system:serviceaccount:ci:builder");
        assertThat(good.array("status", "audiences").strings()).containsExactly(ISSUER);

        var vault = review(reviews, token("{'audiences': ['vault', 'x']}"), "['vault']");
        assertThat(vault.array("status", "audiences").strings()).containsExactly("vault");

        assertThat(review(reviews, "letmein", "[]").string("status", "user", "username"))
                .isEqualTo("root");
        assertThat(review(reviews, "letmein", "['vault']").flag("status", "authenticated"))
                .isFalse();
        assertThat(review(reviews, "unknown", "[]").string("status", "error")).isEqualTo("invalid bearer token");

        var old = token("{}");
        now = START.plusSeconds(7200);
        assertThat(review(reviews, old, "[]").string("status", "error"))
                .isEqualTo("[invalid bearer token, service account token has expired]");
        assertThatThrownBy(() -> review(reviews, "", "[]"))
                .hasMessage("token is required for TokenReview in authentication");
    }

    private static Json.Obj review(IdentityReviews reviews, String token, String audiences) {
        return reviews.tokenReview(
                LogicalCluster.DEFAULT, json("{'spec': {'token': '" + token + "', 'audiences': " + audiences + "}}"));
    }

    @Test
    void refusesToReviewTokensOfAnotherCluster() {
        var reviews = new IdentityReviews(tokens, fixed("x", User.ANONYMOUS));
        var account = store.get(key(OTHER, "serviceaccounts", "ci", "builder"));
        var token = requests.issue(OTHER, account.tree(), json("{}")).string("status", "token");
        assertThat(review(reviews, token, "[]").flag("status", "authenticated")).isFalse();
    }

    @Test
    void tellsCallersWhoTheyAre() {
        var review = IdentityReviews.selfSubjectReview(User.of("jane", "b", "a"), START);
        assertThat(review).isEqualTo(json("""
                {'kind': 'SelfSubjectReview', 'apiVersion': 'authentication.k8s.io/v1',
                 'metadata': {'creationTimestamp': '2026-01-01T00:00:00Z'},
                 'status': {'userInfo': {'username': 'jane', 'groups': ['a', 'b']}}}"""));
    }

    @Test
    void recognisesStaticTokensByTheirHash() {
        var all = Authenticators.union(tokens, fixed("letmein", User.of("root", User.MASTERS)));
        assertThat(all.authenticate(new Credentials(List.of(), "letmein"))
                        .orElseThrow()
                        .user()
                        .name())
                .isEqualTo("root");
        assertThatThrownBy(() -> all.authenticate(new Credentials(List.of(), "letmeinn")))
                .hasMessage("Unauthorized");
        assertThatThrownBy(() -> fixed("", User.ANONYMOUS)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void publishesTheKeysThatVerifyTokens() {
        var published = tokens.discovery().keySet().objects("keys").getFirst();
        assertThat(published.without("x").without("y"))
                .isEqualTo(json("{'use': 'sig', 'kty': 'EC', 'crv': 'P-256', 'alg': 'ES256', 'kid': '" + signingKey.id()
                        + "'}"));
        assertThat(Base64.getUrlDecoder().decode(published.string("x"))).hasSize(32);
        assertThat(Base64.getUrlDecoder().decode(published.string("y"))).hasSize(32);
        assertThat(tokens.discovery().configuration("https://host:6443")).isEqualTo(json("""
                {'issuer': 'https://kubernetes.default.svc', 'jwks_uri': 'https://host:6443/openid/v1/jwks',
                 'response_types_supported': ['id_token'], 'subject_types_supported': ['public'],
                 'id_token_signing_alg_values_supported': ['ES256']}"""));
    }

    private static StaticTokenAuthenticator fixed(String token, User user) {
        return new StaticTokenAuthenticator(Map.of(token, new Identity(user, Optional.empty())));
    }

    /// A token of ours with other claims, signed with the right key: what only a fault of our own could make.
    private String changed(UnaryOperator<Json.Obj> change) {
        return Jwt.sign(signingKey, change.apply(part(token("{}"), 1)));
    }

    private static Json.Obj part(String token, int index) {
        return JsonText.parseObject(Base64.getUrlDecoder().decode(token.split("\\.", -1)[index]));
    }

    private static String encode(String text) {
        return Jwt.encode(text.getBytes(StandardCharsets.UTF_8));
    }
}

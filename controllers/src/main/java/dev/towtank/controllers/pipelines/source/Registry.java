package dev.towtank.controllers.pipelines.source;

import dev.towtank.controllers.pipelines.source.Resolver.Problem;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// An image in a registry, asked by the distribution protocol.
final class Registry implements BundleImage {

    private static final String MANIFESTS = String.join(
            ", ",
            "application/vnd.oci.image.manifest.v1+json",
            "application/vnd.docker.distribution.manifest.v2+json",
            "application/vnd.oci.image.index.v1+json",
            "application/vnd.docker.distribution.manifest.list.v2+json");
    private static final Pattern CHALLENGE = Pattern.compile("([a-z]+)=\"([^\"]*)\"");

    private final BundleReference reference;
    private final List<Json.Obj> auths;
    private final Duration limit;
    private @Nullable String authorization;

    /// @param auths by registry, as in a `.dockerconfigjson`
    Registry(BundleReference reference, List<Json.Obj> auths, Duration limit) {
        this.reference = reference;
        this.auths = List.copyOf(auths);
        this.limit = limit;
    }

    @Override
    public Manifest manifest() throws Problem, InterruptedException {
        var manifest = manifest(reference.version());
        return BundleImage.isIndex(manifest.json())
                ? manifest(BundleImage.chosen(manifest.json()).string("digest"))
                : manifest;
    }

    private Manifest manifest(String version) throws Problem, InterruptedException {
        var bytes = get("manifests/" + version, LARGEST_MANIFEST);
        if (version.startsWith("sha256:")) {
            Digests.checked(version, bytes);
        }
        try {
            return new Manifest(Digests.of(bytes), JsonText.parseObject(bytes));
        } catch (JsonText.Malformed e) {
            throw new Problem("could not parse image manifest: " + e.getMessage());
        }
    }

    @Override
    public byte[] blob(String digest) throws Problem, InterruptedException {
        Digests.checkedName(digest);
        return Digests.checked(digest, get("blobs/" + digest, LARGEST_LAYER));
    }

    private byte[] get(String part, int largest) throws Problem, InterruptedException {
        var address = URI.create(
                reference.scheme() + "://" + reference.registry() + "/v2/" + reference.repository() + "/" + part);
        var page = page(address, largest);
        if (page.status() == 401 && authorization == null) {
            authorization = authorization(page.headers().getOrDefault("WWW-Authenticate", ""));
            page = page(address, largest);
        }
        if (!page.isGood()) {
            throw Problem.status(page.status(), "GET %s: unexpected status code %d".formatted(address, page.status()));
        }
        return page.bytes();
    }

    private Fetch.Page page(URI address, int largest) throws Problem, InterruptedException {
        var headers = new LinkedHashMap<String, String>();
        headers.put("Accept", MANIFESTS);
        if (authorization != null) {
            headers.put("Authorization", authorization);
        }
        return new Fetch(limit, largest).get(address, headers);
    }

    /// As the registry wants to be told who asks: with a password, or with a token that another server gives for it.
    private String authorization(String challenge) throws Problem, InterruptedException {
        var own = PullSecrets.authorization(auths, reference);
        if (!challenge.regionMatches(true, 0, "Bearer ", 0, 7)) {
            return own.orElseThrow(() -> new Problem(
                    "the registry %s wants credentials, and there are none".formatted(reference.registry())));
        }
        var words = new LinkedHashMap<String, String>();
        CHALLENGE.matcher(challenge).results().forEach(word -> words.put(word.group(1), word.group(2)));
        var realm = Optional.ofNullable(words.get("realm"))
                .orElseThrow(() -> new Problem("the registry does not say where its tokens come from"));
        var query = "service=" + encoded(words.getOrDefault("service", "")) + "&scope="
                + encoded(words.getOrDefault("scope", "repository:" + reference.repository() + ":pull"));
        var page = new Fetch(limit, Resolver.LARGEST)
                .get(
                        realm(realm, query),
                        own.map(value -> Map.of("Authorization", value)).orElse(Map.of()));
        if (!page.isGood()) {
            throw Problem.status(
                    page.status(), "no token for %s: status %d".formatted(reference.name(), page.status()));
        }
        return "Bearer " + token(page);
    }

    private static URI realm(String realm, String query) throws Problem {
        try {
            var uri = URI.create(realm + (realm.contains("?") ? "&" : "?") + query);
            if ("https".equals(uri.getScheme()) || "http".equals(uri.getScheme())) {
                return uri;
            }
        } catch (IllegalArgumentException e) {
            throw new Problem("the registry names no address for its tokens");
        }
        throw new Problem("the registry names no address for its tokens");
    }

    private static String token(Fetch.Page page) throws Problem {
        try {
            var json = JsonText.parseObject(page.text());
            var token = json.string("token").isEmpty() ? json.string("access_token") : json.string("token");
            if (!token.isEmpty()) {
                return token;
            }
        } catch (JsonText.Malformed e) {
            throw new Problem("the registry's token is not JSON");
        }
        throw new Problem("the registry gave no token");
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    /// Which of the passwords of a service account is for a registry.
    static final class PullSecrets {

        private PullSecrets() {}

        static Optional<String> authorization(List<Json.Obj> auths, BundleReference reference) {
            for (var auth : auths) {
                for (var host : auth.keys()) {
                    if (isFor(host, reference)) {
                        var found = basic(auth.object(host));
                        if (found.isPresent()) {
                            return found;
                        }
                    }
                }
            }
            return Optional.empty();
        }

        private static boolean isFor(String key, BundleReference reference) {
            var place = key.replaceFirst("^https?://", "").replaceFirst("/(v1|v2)?/?$", "");
            return reference.name().equals(place) || (reference.name() + "/").startsWith(place + "/");
        }

        private static Optional<String> basic(Json.Obj auth) {
            var packed = auth.string("auth");
            if (packed.isEmpty() && !auth.string("username").isEmpty()) {
                packed = Base64.getEncoder()
                        .encodeToString((auth.string("username") + ":" + auth.string("password"))
                                .getBytes(StandardCharsets.UTF_8));
            }
            return packed.isEmpty() ? Optional.empty() : Optional.of("Basic " + packed);
        }
    }
}
